import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import type { FileReader, FileTree, FileWriter } from '#services/files/file-tree.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import { spreadTree } from '#services/files/spread-tree.ts'
import { waitFor } from '../../support/wait-for.ts'

const never = (): never => {
  throw new Error('not for a file')
}

/** A tree of one file; `calls` is what was done to it, by whom. */
function treeOf(name: string, calls: string[], file: Partial<FileEntry> | null = {}): FileTree {
  const entry = { name: 'file', kind: 'file', size: 100, modifiedAt: 1, mode: null, ...file } as const
  const note = (what: string): Promise<void> => Promise.resolve(void calls.push(`${name} ${what}`))
  const reader: FileReader = {
    read: async (offset) => (await note(`reads ${offset}`), 1),
    look: () =>
      file
        ? Promise.resolve({ size: entry.size, modifiedAt: entry.modifiedAt })
        : Promise.reject(new Error('none')),
    close: () => note('closes'),
  }
  const writer: FileWriter = {
    size: 0,
    writesAhead: () => 1,
    write: (offset) => note(`writes ${offset}`),
    finish: () => note('finishes'),
    close: () => note('closes'),
  }
  return {
    ...{
      side: 'remote',
      mostWritesAhead: () => 1,
      nameKey: (each) => each,
      whyUnusable: () => null,
      resolve: never,
    },
    ...{ join: never, list: never, rename: never, removeFile: never, remove: never },
    ...{ makeFolder: never, removeEmptyFolder: never, setAttributes: never, freeBytes: never },
    ...{ ownerOf: never, setOwner: never },
    find: () => Promise.resolve(file && entry),
    openToRead: () => Promise.resolve(reader),
    openToWrite: () => Promise.resolve(writer),
  }
}

/** Lets what was opened come about. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const attributes = { mode: null, modifiedAt: null }

test('a large file is read over its own way until others are open, then over those in turns', async () => {
  const calls: string[] = []
  const others = Promise.withResolvers<readonly FileTree[]>()
  const tree = spreadTree(treeOf('own', calls), { leastBytes: 100, more: () => others.promise })
  const reader = await tree.openToRead('/file', 100)
  await reader.read(0, new Uint8Array(1))
  others.resolve([treeOf('one', calls), treeOf('two', calls)])
  await settled()
  for (const offset of [1, 2, 3, 4]) await reader.read(offset, new Uint8Array(1))
  expect(calls[0]).toBe('own reads 0')
  expect(
    calls
      .slice(1)
      .map((call) => call.slice(0, 3))
      .toSorted(),
  ).toEqual(['one', 'one', 'two', 'two'])
  calls.length = 0
  await reader.close()
  expect(calls.toSorted()).toEqual(['one closes', 'own closes', 'two closes'])
})

test('a large file is written likewise, and finished over its own way when the others are closed', async () => {
  const calls: string[] = []
  const more = () => Promise.resolve([treeOf('one', calls)])
  const writer = await spreadTree(treeOf('own', calls), { leastBytes: 1, more }).openToWrite('/file', 100)
  await settled()
  await writer.write(7, new Uint8Array(1))
  await writer.finish(100, attributes)
  expect(calls).toEqual(['one writes 7', 'one closes', 'own finishes'])
})

test('what is not there over its own way when all is written is no finished file', async () => {
  const calls: string[] = []
  const more = () => Promise.resolve([treeOf('one', calls)])
  const writer = await spreadTree(treeOf('own', calls), { leastBytes: 1, more }).openToWrite('/file', 100)
  await expect(writer.finish(101, attributes)).rejects.toMatchObject({
    problem: { kind: 'failed', side: 'remote', path: '/file' },
  })
  expect(calls).not.toContain('own finishes')
})

test.each([
  { what: 'of another size', file: { size: 99 } },
  { what: 'of another time', file: { modifiedAt: 2 } },
  { what: 'that cannot be looked at', file: null },
])('a way that leads to a file $what is not taken', async ({ file }) => {
  const calls: string[] = []
  const more = () => Promise.resolve([treeOf('other', calls, file)])
  const reader = await spreadTree(treeOf('own', calls), { leastBytes: 1, more }).openToRead('/file', 100)
  await settled()
  await reader.read(0, new Uint8Array(1))
  expect(calls).toEqual(['other closes', 'own reads 0'])
})

test('where times are not told, files of one size are not taken for the same', async () => {
  const calls: string[] = []
  const [own, other] = [
    treeOf('own', calls, { modifiedAt: null }),
    treeOf('other', calls, { modifiedAt: null }),
  ]
  const tree = spreadTree(own, { leastBytes: 100, more: () => Promise.resolve([other]) })
  const reader = await tree.openToRead('/file', 100)
  await settled()
  await reader.read(0, new Uint8Array(1))
  expect(calls).toEqual(['other closes', 'own reads 0'])
})

test('over another way a file must be there that was just made, or nothing is written over it', async () => {
  const calls: string[] = []
  const openToWrite = vi.fn(() => Promise.reject(new Error('not there')))
  const more = () => Promise.resolve([{ ...treeOf('elsewhere', calls), openToWrite }])
  const writer = await spreadTree(treeOf('own', calls), { leastBytes: 1, more }).openToWrite('/file', 100)
  await settled()
  await writer.write(0, new Uint8Array(1))
  expect(openToWrite).toHaveBeenCalledExactlyOnceWith('/file', 100, 'exist')
  expect(calls).toEqual(['own writes 0'])
})

test('a small file goes over its own way, and one whose further ways do not open, too', async () => {
  const calls: string[] = []
  const more = vi.fn(() =>
    Promise.resolve([{ ...treeOf('other', calls), openToRead: () => Promise.reject(new Error('no')) }]),
  )
  const tree = spreadTree(treeOf('own', calls), { leastBytes: 100, more })
  await tree.openToRead('/file', 99)
  await tree.openToWrite('/file')
  expect(more).not.toHaveBeenCalled()
  const reader = await tree.openToRead('/file', 100)
  await settled()
  await reader.read(3, new Uint8Array(1))
  expect(calls).toEqual(['own reads 3'])
})

test('how many writes may ever be under way hangs on the size alone, and how many may now on the ways there are', async () => {
  const others = Promise.withResolvers<readonly FileTree[]>()
  const tree = spreadTree(treeOf('own', []), { leastBytes: 100, more: () => others.promise })
  expect([tree.mostWritesAhead(99), tree.mostWritesAhead(100)]).toEqual([1, 64])
  const writer = await tree.openToWrite('/file', 100)
  expect(writer.writesAhead()).toBe(1)
  others.resolve([treeOf('one', [])])
  await settled()
  expect(writer.writesAhead()).toBe(64)
})

test('a file that is replaced by another one of its size while it is read is not half the one and half the other', async () => {
  const homeFolder = await mkdtemp(join(tmpdir(), 'slipway-spread-'))
  onTestFinished(() => rm(homeFolder, { recursive: true }))
  const path = join(homeFolder, 'file')
  await writeFile(path, 'a'.repeat(1_000))
  // A file system may tell the times of two files that are written one after the other as one.
  await utimes(path, 1, 1)
  const local = createLocalTree({ homeFolder, platform: 'linux', umask: 0o022, trash: never })
  const others = Promise.withResolvers<readonly FileTree[]>()
  const tree = spreadTree(local, { leastBytes: 1, more: () => others.promise })
  const reader = await tree.openToRead(path, 1_000)
  const bytes = Buffer.alloc(1_000)
  await reader.read(0, bytes.subarray(0, 500))
  await writeFile(`${path}.new`, 'b'.repeat(1_000))
  await rename(`${path}.new`, path)
  const other = createLocalTree({ homeFolder, platform: 'linux', umask: 0o022, trash: never })
  const opened = vi.spyOn(other, 'openToRead')
  others.resolve([other])
  await waitFor(() => expect(opened).toHaveBeenCalled())
  await opened.mock.results[0]?.value
  await settled()
  await reader.read(500, bytes.subarray(500))
  expect(bytes.toString()).toBe('a'.repeat(1_000))
  await reader.close()
})
