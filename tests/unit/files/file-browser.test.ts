import { expect, test } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import { FileBrowser } from '#services/files/file-browser.ts'
import { mostShownEntries } from '#services/files/limits.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

function entry(name: string, kind: FileEntry['kind'] = 'file'): FileEntry {
  return { name, kind, size: 2 ** 60, modifiedAt: null, mode: null }
}

test('hostile: of a folder of very many, so many are shown, folders before files, and the others are counted', async () => {
  const extra = 100
  const listed = [
    ...Array.from({ length: mostShownEntries + extra - 1 }, (_, at) => entry(`f${at}`)),
    entry('z', 'folder'),
    // Nothing can be asked for by these.
    ...[entry(''), entry('f1')],
  ]
  const clock = new FakeClock()
  const localTree = {
    ...createLocalTree({
      ...{ homeFolder: '/', platform: 'linux', umask: 0, trash: () => Promise.resolve() },
    }),
    list: () => Promise.resolve(listed),
  }
  const browser = new FileBrowser({
    ...{ localTree, clock, sessions: new SessionPool(clock), log: memoryLog() },
    connect: () => Promise.reject(new Error('nobody connects')),
  })
  const outcome = await browser.listLocal({ path: '/', step: null })
  expect(outcome).toMatchObject({ kind: 'listed', omitted: extra })
  const shown = outcome.kind === 'listed' ? outcome.entries.map(({ name }) => name) : []
  expect(shown).toHaveLength(mostShownEntries)
  expect(shown.slice(0, 4)).toEqual(['z', 'f0', 'f1', 'f2'])
})
