import { expect, test } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import { TransferFailure } from '#services/files/failure.ts'
import { measureFolder } from '#services/files/folder-size.ts'
import { deepestFolder, longestCountMs, mostCounted } from '#services/files/limits.ts'

function entry(kind: FileEntry['kind'], size = 10): FileEntry {
  return { name: `${kind}${size}`, kind, size, modifiedAt: null, mode: null }
}
const join = (folder: string, name: string): string => `${folder}/${name}`
const denied = new TransferFailure({ kind: 'denied', side: 'remote', path: '/a' })

function measure(
  list: (folder: string) => readonly FileEntry[] | Error,
  { signal = new AbortController().signal, now = (): number => 0 } = {},
) {
  const asked: string[] = []
  const tree = {
    join,
    list: (folder: string) => {
      asked.push(folder)
      const listed = list(folder)
      return listed instanceof Error ? Promise.reject(listed) : Promise.resolve(listed)
    },
  }
  const clock = { now, sleep: () => Promise.resolve() }
  return { asked, size: measureFolder(tree, '/top', { clock, signal }) }
}

test('files are counted with those in folders, and links are not followed', async () => {
  const { asked, size } = measure((folder) =>
    folder === '/top' ? [entry('file'), entry('link'), entry('other'), entry('folder')] : [entry('file', 5)],
  )
  expect(await size).toEqual({ bytes: 15, files: 4, folders: 1, unread: 0, cutShort: null })
  expect(asked).toEqual(['/top', '/top/folder10'])
})

test('a folder that cannot be read is counted as such; without the first one there is nothing to tell', async () => {
  const inside = measure((folder) => (folder === '/top' ? [entry('folder')] : denied))
  expect(await inside.size).toMatchObject({ folders: 1, unread: 1, cutShort: null })
  await expect(measure(() => denied).size).rejects.toBe(denied)
})

test('hostile: folders in folders without end are followed no deeper than any are', async () => {
  const { asked, size } = measure(() => [entry('folder')])
  expect(await size).toMatchObject({ cutShort: 'too-many' })
  expect(asked).toHaveLength(deepestFolder + 1)
})

test('hostile: counting ends with the most that is counted, and after the time that it may take', async () => {
  const many = Array.from({ length: mostCounted / 4 }, () => entry('file', 2 ** 53))
  const wide = measure(() => [...many, entry('folder')])
  expect(await wide.size).toMatchObject({ cutShort: 'too-many' })
  expect(wide.asked.length).toBeLessThanOrEqual(6)
  let now = 0
  const slow = measure(() => ((now += longestCountMs / 4), [entry('folder')]), { now: () => now })
  expect(await slow.size).toMatchObject({ cutShort: 'too-long' })
  expect(slow.asked).toHaveLength(4)
})

test('who leaves it ends it', async () => {
  const leaving = new AbortController()
  const { asked, size } = measure(() => (leaving.abort(new Error('left')), [entry('folder')]), leaving)
  await expect(size).rejects.toThrow('left')
  expect(asked).toEqual(['/top'])
})
