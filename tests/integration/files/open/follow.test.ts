import { appendFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FollowedLog } from '#domain/files/opened-file.ts'
import type { OpenedFilesOptions } from '#services/files/open/opened-files.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { connectTo, startInstance } from '../instance.ts'
import { openedFiles } from './opened.ts'

async function start(content: string, options: Partial<OpenedFilesOptions> = {}) {
  const { address, remote } = await startInstance()
  const path = join(remote, 'train.log')
  await writeFile(path, content)
  const log = memoryLog()
  const { files, at } = openedFiles(connectTo(address), remote, { log, ...options })
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const file = at('train.log')
  const news = files.follow(file, end.signal)
  const next = async (): Promise<FollowedLog> => {
    const { value } = await news.next()
    if (!value) throw new Error('nothing is followed any more')
    return value
  }
  return { path, files, file, next, log }
}

const line = (index: number): string => `step ${index}`.padEnd(49, '.') + '\n'
const lines = Array.from({ length: 40_000 }, (_, index) => line(index)).join('')

test('the end comes first, at most 64 KiB of it, and then what is written', async () => {
  const { path, files, file, next } = await start(lines)
  const { part, turn } = await next()
  expect(turn).toBe(0)
  expect(part).toMatchObject({ to: lines.length, size: lines.length, keptFrom: 0 })
  expect(part?.text).toBe(lines.slice(-64 * 1024))
  await appendFile(path, 'größer\n')
  const { part: more } = await next()
  expect(more?.text.endsWith('größer\n')).toBe(true)
  expect(await files.readLog(file, 100, 50)).toMatchObject({
    kind: 'read',
    part: { from: 100, text: line(2) },
  })
  expect(await files.readLog(file, 10 ** 9, 50)).toMatchObject({ kind: 'read', part: { text: '' } })
})

test('a search begins at any byte, and says where to go on', async () => {
  const { files, file } = await start(lines)
  expect(await files.searchLog(file, 'STEP 39999', 0)).toEqual({
    kind: 'searched',
    found: { hits: [{ at: 39_999 * 50, line: line(39_999).trimEnd() }], next: null },
  })
  const first = await files.searchLog(file, 'step', 50)
  expect(first).toMatchObject({ kind: 'searched', found: { next: 201 * 50 } })
})

test('a log that is rotated, emptied, or replaced by a longer one begins anew', async () => {
  const { path, next } = await start('one\ntwo\n')
  expect((await next()).part?.text).toBe('one\ntwo\n')
  await rename(path, `${path}.1`)
  await appear(path, 'new\n')
  expect(await untilPart(next)).toMatchObject({ turn: 1, part: { text: 'new\n' } })
  await truncate(path, 0)
  expect(await untilPart(next)).toMatchObject({ turn: 2, part: { text: '' } })
  await appendFile(path, 'again\n')
  expect(await untilPart(next)).toMatchObject({ turn: 2, part: { text: 'again\n' } })
  await appear(path, 'a longer one than before\n')
  expect(await untilPart(next)).toMatchObject({ turn: 3, part: { text: 'a longer one than before\n' } })
})

test('a log that is gone is said to be, until it is there again', async () => {
  const { path, next } = await start('one\n')
  await next()
  await rename(path, `${path}.1`)
  expect(await next()).toMatchObject({ problem: { kind: 'missing' }, part: { text: 'one\n' } })
  await appear(path, 'two\n')
  expect(await next()).toMatchObject({ problem: null, turn: 1, part: { text: 'two\n' } })
})

test('the end of the connection is told once, and what comes after it when there is another', async () => {
  let isConnected = true
  const { path, next } = await start('one\n', { isConnected: () => isConnected })
  await next()
  isConnected = false
  expect(await next()).toMatchObject({ problem: { kind: 'connection' }, part: { text: 'one\n' } })
  const more = next()
  await appendFile(path, 'two\n')
  isConnected = true
  expect(await more).toMatchObject({ problem: null, part: { text: 'one\ntwo\n' } })
})

test('a search that nobody waits for ends, and is no fault', async () => {
  const { files, file, log } = await start(lines)
  const left = AbortSignal.abort(new Error('left'))
  expect(await files.searchLog(file, 'step', 0, left)).toMatchObject({ found: { hits: [] } })
  expect(log.lines).toEqual([])
})

/** At once, as what renames a file does: no look finds half of it. */
async function appear(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content)
  await rename(`${path}.new`, path)
}

/** Between two looks it may be gone. */
async function untilPart(next: () => Promise<FollowedLog>): Promise<FollowedLog> {
  for (;;) {
    const news = await next()
    if (news.problem === null) return news
  }
}
