import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type JsonFile, openJsonFile, type StorageNotice } from '../../../src-main/settings/json-file.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { expectMode } from '../../support/file-mode.ts'

const schema = z.object({ count: z.number() })
type Counter = z.infer<typeof schema>

async function open(path: string): Promise<{ file: JsonFile<Counter>; notices: StorageNotice[] }> {
  const notices: StorageNotice[] = []
  const file = await openJsonFile({
    path,
    version: 2,
    schema,
    fallback: { count: 0 },
    clock: new FakeClock(),
    onCorrupt: (notice) => notices.push(notice),
  })
  return { file, notices }
}

test('what is written is there at the next start', async () => {
  const path = join(await temporaryFolder(), 'new', 'counter.json')
  const { file } = await open(path)
  expect(file.value).toEqual({ count: 0 })
  await file.write({ count: 3 })
  expect(file.value).toEqual({ count: 3 })
  const again = await open(path)
  expect(again.file.value).toEqual({ count: 3 })
  expect(again.notices).toEqual([])
})

test('reading creates nothing', async () => {
  const folder = await temporaryFolder()
  await open(join(folder, 'counter.json'))
  expect(await readdir(folder)).toEqual([])
})

test('its owner alone can read it, and no other file is left beside it', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'counter.json')
  await writeFile(path, '{"version":2,"data":{"count":1}}', { mode: 0o644 })
  const { file } = await open(path)
  await file.write({ count: 2 })
  await expectMode(path, 0o600)
  expect(await readdir(folder)).toEqual(['counter.json'])
})

test('changes made at once do not lose each other', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  const { file } = await open(path)
  await Promise.all(Array.from({ length: 20 }, () => file.update(({ count }) => ({ count: count + 1 }))))
  expect((await open(path)).file.value).toEqual({ count: 20 })
})

test('an older version that still fits is read', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":1,"data":{"count":9}}')
  const { file, notices } = await open(path)
  expect(file.value).toEqual({ count: 9 })
  expect(notices).toEqual([])
})

describe('a file that cannot be used is kept aside and reported', () => {
  test.each([
    ['empty', '', 'not valid JSON'],
    ['cut off', '{"version":2,"data":{"cou', 'not valid JSON'],
    ['not text', Buffer.from([0xff, 0xfe, 0x00]), 'not valid JSON'],
    ['without a version', '{"count":1}', 'no version number'],
    ['of a newer version', '{"version":3,"data":{"count":1}}', 'newer Slipway'],
    ['of another shape', '{"version":2,"data":{"count":"many"}}', 'count'],
  ])('%s', async (_, content, reason) => {
    const folder = await temporaryFolder()
    const path = join(folder, 'counter.json')
    await writeFile(path, content)
    const { file, notices } = await open(path)
    expect(file.value).toEqual({ count: 0 })
    const keptAs = `${path}.corrupt-20260101T000000Z`
    expect(notices).toEqual([{ file: path, keptAs, detail: expect.stringContaining(reason) }])
    await file.write({ count: 1 })
    expect(await readFile(keptAs)).toEqual(Buffer.from(content))
  })

  test('each by itself, when it happens twice in a second', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'counter.json')
    for (const content of ['one', 'two', 'three']) {
      await writeFile(path, content)
      await open(path)
    }
    const kept = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    )
    expect(kept.toSorted()).toEqual(['one', 'three', 'two'])
  })
})

describe('a disk that fails', () => {
  test('on reading is an error: what is there may be fine, and nothing takes its place', async () => {
    const path = join(await temporaryFolder(), 'counter.json')
    await mkdir(path)
    await expect(open(path)).rejects.toMatchObject({ problem: { kind: 'storage-failed', file: path } })
    expect((await stat(path)).isDirectory()).toBe(true)
  })

  test('on writing is an error, and the value is the one on the disk', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'counter.json')
    const { file } = await open(path)
    await file.write({ count: 1 })
    // Root may write wherever there is a folder, so there is none.
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file where the folder was')
    await expect(file.write({ count: 2 })).rejects.toMatchObject({
      problem: { kind: 'storage-failed', file: path },
    })
    expect(file.value).toEqual({ count: 1 })
  })
})
