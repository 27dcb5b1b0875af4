import { expect, it } from 'vitest'
import type { FileEntry, FolderOutcome } from '#domain/files/transfer.ts'
import { useFolder, type Step } from '../../../../src-renderer/features/files/use-folder.ts'

function entry(name: string, kind: FileEntry['kind'] = 'file'): FileEntry {
  return { name, kind, size: 1, modifiedAt: null, mode: null }
}
function listing(path: string, ...names: readonly string[]): FolderOutcome {
  return { kind: 'listed', path, entries: names.map((name) => entry(name)), omitted: 0 }
}
const missing: FolderOutcome = { kind: 'failed', problem: { kind: 'missing', side: 'local', path: '/gone' } }

/** A pane whose questions are answered by hand, in any order. */
function pane() {
  const asked: { readonly step: Step; readonly answer: (outcome: FolderOutcome | Error) => void }[] = []
  const folder = useFolder(
    { side: 'local' },
    (step) =>
      new Promise((resolve, reject) => {
        asked.push({
          step,
          answer: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
        })
      }),
  )
  return { asked, folder }
}

it('shows a folder, and goes on from where it is', async () => {
  const { asked, folder } = pane()
  const shown = folder.go({ path: '', step: null })
  expect(folder.pending.value).toBe(true)
  asked[0]?.answer(listing('/home/kim', 'a', 'b'))
  expect(await shown).toBe(true)
  expect([folder.path.value, folder.pending.value]).toEqual(['/home/kim', false])
  void folder.enter('a')
  expect(asked[1]?.step).toEqual({ path: '/home/kim', step: 'a' })
})

it('keeps what it shows when the next folder cannot be shown, and says why until one can', async () => {
  const { asked, folder } = pane()
  const first = folder.go({ path: '', step: null })
  asked[0]?.answer(listing('/home/kim', 'a'))
  await first
  const second = folder.go({ path: '/gone', step: null })
  asked[1]?.answer(missing)
  expect(await second).toBe(false)
  expect(folder.path.value).toBe('/home/kim')
  expect(folder.trouble.value).toBe('/gone no longer exists on this computer. Refresh the folder.')
  const third = folder.refresh()
  asked[2]?.answer(listing('/home/kim', 'a'))
  await third
  expect(folder.trouble.value).toBeNull()
})

it('asks once more for the folder that could not be shown, and not for the one that still is', async () => {
  const { asked, folder } = pane()
  const first = folder.go({ path: '', step: null })
  asked[0]?.answer(listing('/home/kim', 'a'))
  await first
  const second = folder.enter('a')
  asked[1]?.answer({ kind: 'failed', problem: { kind: 'silent' } })
  expect(await second).toBe(false)
  const third = folder.again()
  expect(asked[2]?.step).toEqual({ path: '/home/kim', step: 'a' })
  asked[2]?.answer(listing('/home/kim/a', 'b'))
  expect(await third).toBe(true)
  expect([folder.path.value, folder.trouble.value]).toEqual(['/home/kim/a', null])
})

it('shows the folder that was asked for last, whichever answer comes first', async () => {
  const { asked, folder } = pane()
  const slow = folder.go({ path: '/slow', step: null })
  const quick = folder.go({ path: '/quick', step: null })
  asked[1]?.answer(listing('/quick', 'q'))
  asked[0]?.answer(listing('/slow', 's'))
  expect(await Promise.all([slow, quick])).toEqual([false, true])
  expect(folder.path.value).toBe('/quick')
  expect(folder.pending.value).toBe(false)
})

it('keeps what is chosen over a refresh as far as it is still there, and forgets it elsewhere', async () => {
  const { asked, folder } = pane()
  const show = async (outcome: FolderOutcome): Promise<void> => {
    const going = folder.refresh()
    asked.at(-1)?.answer(outcome)
    await going
  }
  await show(listing('/home', 'a', 'b', 'c'))
  folder.chooseAll(true)
  folder.toggle('c')
  expect([...folder.chosen.value]).toEqual(['a', 'b'])
  await show(listing('/home', 'b', 'd'))
  expect([...folder.chosen.value]).toEqual(['b'])
  await show(listing('/other', 'b'))
  expect([...folder.chosen.value]).toEqual([])
})
