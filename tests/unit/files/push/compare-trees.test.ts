import { expect, test } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import { TransferFailure } from '#services/files/failure.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { removeGone } from '#services/files/push/compare-trees.ts'

const never = (): never => {
  throw new Error('not to delete')
}
const base: FileTree = {
  ...{ side: 'remote', join: (folder, name) => `${folder}/${name}`, nameKey: (name) => name },
  ...{ mostWritesAhead: () => 1, whyUnusable: () => null, resolve: never, find: () => Promise.resolve(null) },
  ...{ list: never, openToRead: never, openToWrite: never, rename: never, removeFile: never, remove: never },
  ...{ makeFolder: never, removeEmptyFolder: never, setAttributes: never, freeBytes: never },
  ...{ ownerOf: never, setOwner: never },
}

test('a folder that can’t be listed any more after its last file was deleted stays, and the others go', async () => {
  const stamp = { size: 1, modifiedAt: 1_000 }
  const kindOf = (path: string): FileEntry['kind'] => (path.endsWith('/x') ? 'file' : 'folder')
  const folders: string[] = []
  const tree: FileTree = {
    ...base,
    find: (path) => Promise.resolve({ name: path, kind: kindOf(path), mode: null, ...stamp }),
    removeFile: () => Promise.resolve(),
    list: (path) =>
      path.endsWith('closed')
        ? Promise.reject(new TransferFailure({ kind: 'denied', side: 'remote', path }))
        : Promise.resolve([]),
    removeEmptyFolder: (path) => {
      folders.push(path)
      return Promise.resolve()
    },
  }
  const removed: string[] = []
  await removeGone(
    {
      ...{ tree, localTree: { ...base, side: 'local' }, from: '/here', signal: new AbortController().signal },
      target: { path: '/there', toBeMade: [], disk: '/there' },
    },
    ['closed/x', 'open/x'].map((path) => ({ path, there: stamp })),
    (path) => removed.push(path),
  )
  expect(removed.toSorted()).toEqual(['closed/x', 'open/x'])
  expect(folders).toEqual(['/there/open'])
})
