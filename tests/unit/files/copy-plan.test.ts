import { expect, test } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { mostPlannedCharacters } from '#services/files/limits.ts'
import { planCopy } from '#services/files/copy-plan.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const never = (): never => {
  throw new Error('not for a plan')
}
const entry = (name: string, kind: FileEntry['kind']): FileEntry => ({
  ...{ name, kind, size: 0, modifiedAt: null, mode: null },
})

function treeOf(parts: Pick<FileTree, 'side' | 'join' | 'list' | 'find'>): FileTree {
  return {
    ...{ mostWritesAhead: () => 1, nameKey: (name) => name, whyUnusable: () => null, resolve: never },
    ...{ openToRead: never, openToWrite: never, rename: never, removeFile: never, remove: never },
    ...{ makeFolder: never, removeEmptyFolder: never, setAttributes: never, freeBytes: never },
    ...{ ownerOf: never, setOwner: never },
    ...parts,
  }
}

test('hostile: what is planned takes no more memory than a bound, however few the files', async () => {
  // The same text each time, so that the test itself takes none.
  const long = 'x'.repeat(1024 * 1024)
  let listed = 0
  const source = treeOf({
    side: 'remote',
    join: (_folder, name) => (name === 'folder' ? '/folder' : long),
    find: () => Promise.resolve(entry('folder', 'folder')),
    list: () => Promise.resolve(Array.from({ length: 10_000 }, () => entry(`n${(listed += 1)}`, 'file'))),
  })
  const target = treeOf({
    side: 'local',
    join: (folder, name) => `${folder}/${name}`,
    find: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
  })
  const names = ['folder']
  let looked = 0
  const planned = planCopy({
    ...{ source: { ...source, whyUnusable: () => ((looked += 1), null) }, target, names },
    ...{ from: '/', to: '/here', honorGitignore: false, excludes: [], clock: new FakeClock() },
    ...{ signal: new AbortController().signal, onFound: () => undefined },
  })
  await expect(planned).rejects.toMatchObject({ problem: { kind: 'too-many', side: 'remote' } })
  expect(looked).toBeLessThanOrEqual(mostPlannedCharacters / long.length + 2)
})
