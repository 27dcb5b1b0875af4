import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Journal, openJournal } from '#services/storage/journal.ts'
import type { StorageNotice } from '#services/storage/json-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { expectMode } from '../../support/file-mode.ts'

const schema = z.object({ id: z.string() })
type Entry = z.infer<typeof schema>

function open(path: string): { journal: Journal<Entry>; notices: StorageNotice[] } {
  const notices: StorageNotice[] = []
  const isOwn = (owner: string): boolean => owner === 'me'
  return {
    journal: openJournal({ path, schema, isOwn, onNotice: (notice) => notices.push(notice) }),
    notices,
  }
}

async function journalPath(): Promise<string> {
  return join(await temporaryFolder(), 'rentals.jsonl')
}

test('entries come back in order at the next start', async () => {
  const path = await journalPath()
  const { journal } = open(path)
  expect(await journal.readAll()).toEqual([])
  await Promise.all(['a', 'b', 'c'].map((id) => journal.append({ id })))
  expect(await open(path).journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  await expectMode(path, 0o600)
})

test('an entry is in the file when append resolves', async () => {
  const path = await journalPath()
  await open(path).journal.append({ id: 'line\nbreak' })
  expect(await readFile(path, 'utf8')).toBe('{"version":2}\n{"id":"line\\nbreak"}\n')
})

test('entries that are added together are there together, after whatever was there', async () => {
  const path = await journalPath()
  const { journal } = open(path)
  await journal.append({ id: 'a' })
  await journal.append({ id: 'b' }, { id: 'c' })
  expect(await open(path).journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
})

describe('a last line that was cut off', () => {
  test('is no entry, no trouble, and does not spoil the next one', async () => {
    const path = await journalPath()
    await writeFile(path, '{"id":"a"}\n{"id":"b')
    const { journal, notices } = open(path)
    expect(await journal.readAll()).toEqual([{ id: 'a' }])
    await journal.append({ id: 'c' })
    expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'c' }])
    expect(notices).toEqual([])
  })

  test('counts when only its line break is missing', async () => {
    const path = await journalPath()
    await writeFile(path, '{"id":"a"}\n{"id":"b"}')
    const { journal } = open(path)
    expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }])
    await journal.append({ id: 'c' })
    expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  })

  test.each([
    ['', 0],
    ['{"version":1}\n', 1],
    ['{"version":2}\n', 1],
  ])(
    'wherever the crash cut it: every entry before it is kept, and one can be added (%j)',
    async (start, first) => {
      const path = await journalPath()
      const whole = start + ['é', 'b', '"'].map((id) => `${JSON.stringify({ id })}\n`).join('')
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: Buffer.byteLength(whole) }), async (cutAt) => {
          const bytes = Buffer.from(whole).subarray(0, cutAt)
          await writeFile(path, bytes)
          const { journal, notices } = open(path)
          const before = await journal.readAll()
          expect(before.length).toBeGreaterThanOrEqual(bytes.filter((byte) => byte === 0x0a).length - first)
          await journal.append({ id: 'new' })
          expect(await journal.readAll()).toEqual([...before, { id: 'new' }])
          expect(notices).toEqual([])
        }),
        // Each writes to the disk several times.
        { numRuns: 30 },
      )
    },
  )
})

describe('a line in the middle that cannot be read', () => {
  const content = '{"id":"a"}\nrubbish\n{"id":7}\n{"id":"b"}\n'

  test('is skipped, kept, and reported once without its content', async () => {
    const path = await journalPath()
    await writeFile(path, content)
    const { journal, notices } = open(path)
    await journal.readAll()
    expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(notices.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('Line 2'),
      expect.stringContaining('Line 3'),
    ])
    expect(JSON.stringify(notices)).not.toContain('rubbish')
    expect(await readFile(path, 'utf8')).toBe(content)
  })

  test('survives compaction', async () => {
    const path = await journalPath()
    await writeFile(path, content)
    const { journal } = open(path)
    await journal.compact(({ id }) => id === 'b')
    expect(await readFile(path, 'utf8')).toBe('{"version":2}\nrubbish\n{"id":7}\n{"id":"b"}\n')
  })
})

describe('compaction', () => {
  test('drops what is not to be kept, and keeps the rest as it was written', async () => {
    const path = await journalPath()
    await writeFile(path, '{"id":"a"}\n{"id":"b","later":"field"}\n')
    const { journal } = open(path)
    await journal.compact(({ id }) => id === 'b')
    expect(await readFile(path, 'utf8')).toBe('{"version":2}\n{"id":"b","later":"field"}\n')
  })

  test('loses no entry that is added meanwhile', async () => {
    const path = await journalPath()
    const { journal } = open(path)
    await journal.append({ id: 'old' })
    await Promise.all([
      journal.append({ id: 'a' }),
      journal.compact(({ id }) => id !== 'old'),
      journal.append({ id: 'b' }),
    ])
    expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('of a journal that was never written to writes nothing', async () => {
    const path = await journalPath()
    await open(path).journal.compact(() => false)
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('its version', () => {
  test('is its first line, also after it was cut off there', async () => {
    const path = await journalPath()
    for (const cutAt of [0, 5, 13]) {
      await writeFile(path, '{"version":1}\n'.slice(0, cutAt))
      const { journal, notices } = open(path)
      expect(await journal.readAll()).toEqual([])
      await journal.append({ id: 'a' })
      expect(await readFile(path, 'utf8')).toBe('{"version":2}\n{"id":"a"}\n')
      expect(notices).toEqual([])
    }
  })

  test.each(['', '{"version":1}\n'])(
    'is said before a line is added to an older file (%j)',
    async (start) => {
      const path = await journalPath()
      await writeFile(path, `${start}{"id":"a","owner":"me"}\nrubbish\n{"id":"b"}\n`)
      const { journal } = open(path)
      expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }])
      expect(await readFile(path, 'utf8')).toMatch(/"b"\}\n$/)
      await journal.append({ id: 'c' })
      expect(await readFile(path, 'utf8')).toBe(
        '{"version":2}\n{"id":"a","owner":"me"}\nrubbish\n{"id":"b"}\n{"id":"c"}\n',
      )
      await journal.append({ id: 'd' })
      expect(await open(path).journal.readAll()).toEqual(['a', 'b', 'c', 'd'].map((id) => ({ id })))
    },
  )

  test.each(['', '{"version":1}\n', '{"version":2}\n'])(
    'lines that name another account are none, and go with the next line that is added (%j)',
    async (start) => {
      const path = await journalPath()
      const lines = ['{"id":"a","owner":"me"}', '{"id":"theirs","owner":"somebody else"}', '{"id":"b"}']
      await writeFile(path, `${start}${lines.join('\n')}\nrubbish\n{"of":"theirs","owner":"somebody else"}`)
      const { journal, notices } = open(path)
      expect(await journal.readAll()).toEqual([{ id: 'a' }, { id: 'b' }])
      const number = start === '' ? 4 : 5
      expect(notices).toEqual([
        expect.objectContaining({ detail: expect.stringContaining(`Line ${number}`) }),
      ])
      await journal.append({ id: 'c' })
      await journal.compact(() => true)
      expect(await readFile(path, 'utf8')).toBe(
        '{"version":2}\n{"id":"a","owner":"me"}\n{"id":"b"}\nrubbish\n{"id":"c"}\n',
      )
    },
  )

  test('counts as a line where one is told of', async () => {
    const path = await journalPath()
    await writeFile(path, '{"version":1}\nrubbish\n')
    const { journal, notices } = open(path)
    await journal.readAll()
    expect(notices).toEqual([expect.objectContaining({ detail: expect.stringContaining('Line 2') })])
  })
})

test.each([
  ['read first', async (journal: Journal<Entry>) => expect(await journal.readAll()).toEqual([])],
  ['written to first', async () => undefined],
])('a journal of a newer Slipway has no entries, is told once, and stays as it is: %s', async (_, begin) => {
  const path = await journalPath()
  const content = '{"version":3,"how":"otherwise"}\n{"id":"a"}\n{"ids":["b"]}\n{"cut'
  await writeFile(path, content)
  const { journal, notices } = open(path)
  await begin(journal)
  await expect(journal.append({ id: 'c' })).rejects.toMatchObject({
    problem: { kind: 'newer-file', file: path },
  })
  await journal.compact(() => false)
  expect(await journal.readAll()).toEqual([])
  expect(await readFile(path, 'utf8')).toBe(content)
  expect(notices).toEqual([{ kind: 'newer', file: path, detail: expect.stringContaining('version 3,') }])
})

test('a disk that refuses is an error before anything is begun', async () => {
  const folder = await temporaryFolder()
  await rm(folder, { recursive: true })
  await appendFile(folder, 'a file where the folder was')
  const path = join(folder, 'rentals.jsonl')
  await expect(open(path).journal.append({ id: 'a' })).rejects.toMatchObject({
    problem: { kind: 'storage-failed', file: path },
  })
})
