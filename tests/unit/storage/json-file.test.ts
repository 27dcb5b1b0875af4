import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { stepFrom } from '#domain/base/file-version.ts'
import { type JsonFile, openJsonFile, peekJsonFile, type StorageNotice } from '#services/storage/json-file.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { expectMode } from '../../support/file-mode.ts'

const schema = z.object({ count: z.number() })
type Counter = z.infer<typeof schema>
/** In version 1 the count was called otherwise. */
const steps = [
  stepFrom(
    z.looseObject({ times: z.number() }).transform(({ times, ...others }) => ({ ...others, count: times })),
  ),
]

async function open(path: string): Promise<{ file: JsonFile<Counter>; notices: StorageNotice[] }> {
  const notices: StorageNotice[] = []
  const file = await openJsonFile({
    path,
    schema,
    steps,
    fallback: { count: 0 },
    clock: new FakeClock(),
    onNotice: (notice) => notices.push(notice),
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

test('an older version is read by its steps, stays as it is, and is of the latest one with its next change', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":1,"data":{"times":9}}')
  const { file, notices } = await open(path)
  expect(file.value).toEqual({ count: 9 })
  expect(notices).toEqual([])
  expect(await readFile(path, 'utf8')).toBe('{"version":1,"data":{"times":9}}')
  await file.update(({ count }) => ({ count: count + 1 }))
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ version: 2, data: { count: 10 } })
  expect((await open(path)).file.value).toEqual({ count: 10 })
})

test('a step is not taken again by what is of the latest version already', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":2,"data":{"count":1,"times":9}}')
  expect((await open(path)).file.value).toEqual({ count: 1 })
})

describe('a file of a newer version', () => {
  const content = '{"version":3,"data":{"counts":[1,2]},"more":true}'

  test('is told, and stays as it is, whatever is written', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'counter.json')
    await writeFile(path, content)
    const { file, notices } = await open(path)
    expect(file.isNewer).toBe(true)
    expect(file.value).toEqual({ count: 0 })
    expect(notices).toEqual([{ kind: 'newer', file: path, detail: expect.stringContaining('version 3,') }])
    const refusal = { problem: { kind: 'newer-file', file: path } }
    await expect(file.write({ count: 1 })).rejects.toMatchObject(refusal)
    await expect(file.update(({ count }) => ({ count: count + 1 }))).rejects.toMatchObject(refusal)
    expect(file.value).toEqual({ count: 0 })
    expect(await readFile(path, 'utf8')).toBe(content)
    expect(await readdir(folder)).toEqual(['counter.json'])
  })

  test('whatever its version and its content are', async () => {
    const path = join(await temporaryFolder(), 'counter.json')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3 }), fc.jsonValue(), async (version, data) => {
        const text = JSON.stringify({ version, data })
        await writeFile(path, text)
        const { file } = await open(path)
        await expect(file.write({ count: 1 })).rejects.toMatchObject({ problem: { kind: 'newer-file' } })
        expect(await readFile(path, 'utf8')).toBe(text)
      }),
      { numRuns: 30 },
    )
  })
})

describe('a file that cannot be used is kept aside and reported', () => {
  test.each([
    ['empty', '', 'not valid JSON'],
    ['cut off', '{"version":2,"data":{"cou', 'not valid JSON'],
    ['not text', Buffer.from([0xff, 0xfe, 0x00]), 'not valid JSON'],
    ['without a version', '{"count":1}', 'no version number'],
    ['of no version that there is', '{"version":0,"data":{"count":1}}', 'no version number'],
    ['of another shape', '{"version":2,"data":{"count":"many"}}', 'count'],
  ])('%s', async (_, content, reason) => {
    const folder = await temporaryFolder()
    const path = join(folder, 'counter.json')
    await writeFile(path, content)
    const { file, notices } = await open(path)
    expect(file.value).toEqual({ count: 0 })
    const keptAs = `${path}.corrupt-20260101T000000Z`
    expect(notices).toEqual([
      { kind: 'unreadable', file: path, keptAs, detail: expect.stringContaining(reason) },
    ])
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

test.each([
  ['of an older version', '{"version":1,"data":{"times":3}}', { count: 3 }],
  ['of the latest version', '{"version":2,"data":{"count":4}}', { count: 4 }],
  ['of a newer version', '{"version":3,"data":{"count":5}}', null],
  ['that is corrupt', '{"version":2,"data":', null],
])('a file %s is looked into without consequences', async (_, text, expected) => {
  const folder = await temporaryFolder()
  const path = join(folder, 'counter.json')
  await writeFile(path, text)
  expect(await peekJsonFile({ path, schema, steps, fallback: { count: 0 } })).toEqual(expected)
  expect(await readdir(folder)).toEqual(['counter.json'])
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('a file that isn’t there holds nothing when it is looked into', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  expect(await peekJsonFile({ path, schema, steps, fallback: { count: 0 } })).toBeNull()
})
