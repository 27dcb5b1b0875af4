import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { LastSeen, lastSeenFile } from '#services/last-seen/last-seen-file.ts'
import { openJsonFile, type StorageNotice } from '#services/storage/json-file.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const shape = lastSeenFile(z.string())

/** In memory, counting how often it is written; `end` ends the run. */
function open({ file = memoryFile(shape.fallback), most = 1, clock = new FakeClock() } = {}) {
  const log = memoryLog()
  let writes = 0
  let isFull = false
  const write: typeof file.write = async (next) => {
    if (isFull) throw new Error('full')
    writes += 1
    await file.write(next)
  }
  const counted = {
    get value() {
      return file.value
    },
    write,
  }
  const lastSeen = new LastSeen({ file: counted, most, clock, log })
  const abort = new AbortController()
  const following = lastSeen.follow(abort.signal)
  const end = async (): Promise<void> => {
    abort.abort()
    await following
  }
  const setFull = (full: boolean): void => void (isFull = full)
  return { lastSeen, clock, file, log, end, setFull, writes: () => writes }
}

async function onDisk(path: string) {
  const notices: StorageNotice[] = []
  const clock = new FakeClock()
  const file = await openJsonFile({ ...shape, path, clock, onNotice: (notice) => notices.push(notice) })
  const log = memoryLog()
  return { notices, log, lastSeen: new LastSeen({ file, most: 1, clock, log }) }
}

test('what was seen is there at the next start, with its time', async () => {
  const { lastSeen, file, end } = open()
  expect(lastSeen.find()).toBeNull()
  lastSeen.note({ seenAt: 5, content: 'a' })
  await end()
  expect(open({ file }).lastSeen.find()).toMatchObject({ seenAt: 5, content: 'a' })
})

test('an answer that says that there is nothing takes the place of what there was', async () => {
  const { lastSeen, file, end } = open()
  lastSeen.note({ seenAt: 5, content: 'a' })
  lastSeen.note({ seenAt: 6, content: '' })
  await end()
  expect(open({ file }).lastSeen.find()).toMatchObject({ seenAt: 6, content: '' })
})

test('it is written rarely: once a minute when it differs, every five when only its age does, and at the end', async () => {
  const { lastSeen, clock, end, writes } = open()
  const note = async (content: string, afterMs: number): Promise<number> => {
    await clock.advance(afterMs)
    lastSeen.note({ seenAt: clock.now(), content })
    await settle()
    return writes()
  }
  expect(await note('a', 0)).toBe(1)
  expect(await note('b', 30_000)).toBe(1)
  expect(await note('c', 30_000)).toBe(2)
  expect(await note('c', 60_000)).toBe(2)
  expect(await note('c', 239_000)).toBe(2)
  expect(await note('c', 1_000)).toBe(3)
  await end()
  expect(writes(), 'nothing is new').toBe(3)
})

test('the answer that was seen last is on the disk when the run has ended, and none that comes later', async () => {
  const { lastSeen, file, end } = open()
  lastSeen.note({ seenAt: 1, content: 'a' })
  await settle()
  lastSeen.note({ seenAt: 2, content: 'b' })
  await end()
  expect(file.value).toMatchObject([{ content: 'b' }])
  lastSeen.note({ seenAt: 3, content: 'c' })
  await settle()
  expect(file.value).toMatchObject([{ content: 'b' }])
})

test('each question has its own answer, and the oldest make room', () => {
  const { lastSeen } = open({ most: 2 })
  const note = (question: string, seenAt: number): readonly (number | undefined)[] => {
    lastSeen.note({ question, seenAt, content: question })
    return ['a', 'b', 'c'].map((each) => lastSeen.find(each)?.seenAt)
  }
  note('a', 1)
  note('b', 2)
  expect(note('b', 3)).toEqual([1, 3, undefined])
  expect(note('c', 4)).toEqual([undefined, 3, 4])
})

test('what is too long is not kept, and takes nothing else with it that is newer', () => {
  const { lastSeen } = open({ most: 3 })
  lastSeen.note({ question: 'old', seenAt: 1, content: 'x'.repeat(600_000) })
  lastSeen.note({ question: 'new', seenAt: 2, content: 'y'.repeat(600_000) })
  expect([lastSeen.find('old'), lastSeen.find('new')?.seenAt]).toEqual([null, 2])
  lastSeen.note({ question: 'huge', seenAt: 3, content: 'z'.repeat(2_000_000) })
  expect(lastSeen.find('huge')).toBeNull()
})

test('a disk that refuses is logged, and tried again', async () => {
  const { lastSeen, file, log, end, setFull } = open()
  setFull(true)
  lastSeen.note({ seenAt: 1, content: 'a' })
  await settle()
  expect(log.lines.join('\n')).toContain('could not be written')
  setFull(false)
  await end()
  expect(file.value).toMatchObject([{ content: 'a' }])
})

test('a damaged file is set aside, told, and replaced; it is for its owner only', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'last-account.json')
  await writeFile(path, '{"version":1,"data":[{"question":7}]}')
  const { notices, lastSeen } = await onDisk(path)
  expect(notices).toMatchObject([{ kind: 'unreadable', file: path }])
  expect(lastSeen.find()).toBeNull()
  lastSeen.note({ seenAt: 5, content: 'a' })
  await lastSeen.follow(AbortSignal.abort())
  expect(await readdir(folder)).toHaveLength(2)
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await onDisk(path)).lastSeen.find()).toMatchObject({ seenAt: 5, content: 'a' })
})

test('a file of a newer Slipway stays as it is; what is seen lasts until the end of the run', async () => {
  const path = join(await temporaryFolder(), 'last-account.json')
  const newer = '{"version":99,"data":"of a newer Slipway"}'
  await writeFile(path, newer)
  const { notices, log, lastSeen } = await onDisk(path)
  expect(notices).toMatchObject([{ kind: 'newer' }])
  lastSeen.note({ seenAt: 5, content: 'a' })
  await lastSeen.follow(AbortSignal.abort())
  expect(lastSeen.find()).toMatchObject({ content: 'a' })
  expect(await readFile(path, 'utf8')).toBe(newer)
  expect(log.lines).toEqual([])
})
