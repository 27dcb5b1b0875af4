import { computed, shallowRef } from 'vue'
import { describe, expect, it } from 'vitest'
import type { FileEntry, FolderOutcome } from '#domain/files/transfer.ts'
import { useFileSelection } from '../../../../src-renderer/features/files/use-file-selection.ts'
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
  expect(await shown).toBe('shown')
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
  expect(await second).toBe('no-folder')
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
  expect(await second).toBe('failed')
  const third = folder.again()
  expect(asked[2]?.step).toEqual({ path: '/home/kim', step: 'a' })
  asked[2]?.answer(listing('/home/kim/a', 'b'))
  expect(await third).toBe('shown')
  expect([folder.path.value, folder.trouble.value]).toEqual(['/home/kim/a', null])
})

it('shows the folder that was asked for last, whichever answer comes first', async () => {
  const { asked, folder } = pane()
  const slow = folder.go({ path: '/slow', step: null })
  const quick = folder.go({ path: '/quick', step: null })
  asked[1]?.answer(listing('/quick', 'q'))
  asked[0]?.answer(listing('/slow', 's'))
  expect(await Promise.all([slow, quick])).toEqual(['superseded', 'shown'])
  expect(folder.path.value).toBe('/quick')
  expect(folder.pending.value).toBe(false)
})

it('refreshes after the answer that is waited for, once for all who ask, and leaves what is entered', async () => {
  const { asked, folder } = pane()
  const first = folder.go({ path: '', step: null })
  asked[0]?.answer(listing('/home/kim', 'a'))
  await first
  const entering = folder.enter('a')
  const refreshes = [folder.refresh(), folder.refresh()]
  expect(asked).toHaveLength(2)
  asked[1]?.answer(listing('/home/kim/a', 'b'))
  expect(await entering).toBe('shown')
  await expect
    .poll(() => asked.slice(2).map(({ step }) => step))
    .toEqual([{ path: '/home/kim/a', step: null }])
  asked[2]?.answer(listing('/home/kim/a', 'b', 'c'))
  expect(await Promise.all(refreshes)).toEqual(['shown', 'shown'])
  expect(folder.listed.value?.entries).toHaveLength(2)
  void folder.refresh()
  expect(asked).toHaveLength(4)
})

it('refreshes nothing before a folder is shown, and then asks for the one that was wanted', async () => {
  const { asked, folder } = pane()
  await folder.refresh()
  const first = folder.go({ path: '/wanted', step: null })
  await folder.refresh()
  expect(asked.map(({ step }) => step.path)).toEqual(['/wanted'])
  asked[0]?.answer({ kind: 'failed', problem: { kind: 'denied', side: 'local', path: '/wanted' } })
  expect(await first).toBe('failed')
  void folder.refresh()
  expect(asked[1]?.step).toEqual({ path: '/wanted', step: null })
})

it('goes back and forward through the folders that were shown, and forgets what lay ahead elsewhere', async () => {
  const { asked, folder } = pane()
  const show = async (going: Promise<unknown>, outcome: FolderOutcome): Promise<void> => {
    asked.at(-1)?.answer(outcome)
    await going
  }
  for (const path of ['/a', '/b', '/c']) await show(folder.go({ path, step: null }), listing(path))
  expect(folder.canGoForward.value).toBe(false)
  await show(folder.refresh(), listing('/c'))
  await show(folder.back(), listing('/b'))
  await show(folder.back(), listing('/a'))
  expect([folder.path.value, folder.canGoBack.value]).toEqual(['/a', false])
  expect(await folder.back()).toBe('failed')
  await show(folder.forward(), listing('/b'))
  expect([folder.path.value, folder.canGoForward.value]).toEqual(['/b', true])
  // A folder that is gone stays where it was on the way.
  await show(folder.forward(), missing)
  expect([folder.path.value, folder.canGoForward.value]).toEqual(['/b', true])
  await show(folder.go({ path: '/d', step: null }), listing('/d'))
  expect(folder.canGoForward.value).toBe(false)
})

describe('what is selected', () => {
  function selecting() {
    const { asked, folder } = pane()
    const hidden = shallowRef<ReadonlySet<string>>(new Set())
    const rows = computed(() =>
      (folder.listed.value?.entries ?? [])
        .filter(({ name }) => !hidden.value.has(name))
        .map((one) => ({ entry: one, shown: one.name, searched: one.name })),
    )
    const selection = useFileSelection(folder, rows)
    const show = async (outcome: FolderOutcome): Promise<void> => {
      const going = folder.go({ path: '', step: null })
      asked.at(-1)?.answer(outcome)
      await going
    }
    return { selection, hidden, show, chosen: () => [...selection.chosen.value] }
  }

  it('stays over a refresh as far as it is still there, and is forgotten elsewhere', async () => {
    const { selection, show, chosen } = selecting()
    await show(listing('/home', 'a', 'b', 'c'))
    selection.all()
    expect(selection.isAll.value).toBe(true)
    selection.toggle('c')
    expect(chosen()).toEqual(['a', 'b'])
    await show(listing('/home', 'b', 'd'))
    expect(chosen()).toEqual(['b'])
    await show(listing('/other', 'b'))
    expect(chosen()).toEqual([])
  })

  it('is what is shown: what a filter leaves out is deselected', async () => {
    const { selection, hidden, show, chosen } = selecting()
    await show(listing('/home', 'a', 'b', 'c'))
    selection.all()
    hidden.value = new Set(['b'])
    expect(chosen()).toEqual(['a', 'c'])
    hidden.value = new Set()
    expect(chosen()).toEqual(['a', 'c'])
  })

  it('is one row by a click, and a range from there by Shift', async () => {
    const { selection, show, chosen } = selecting()
    await show(listing('/home', 'a', 'b', 'c', 'd'))
    selection.only('b')
    selection.extendTo('d', 'a')
    expect(chosen()).toEqual(['b', 'c', 'd'])
    selection.extendTo('c', 'a')
    expect(chosen()).toEqual(['b', 'c'])
    selection.extendTo('a', 'c')
    expect(chosen()).toEqual(['a', 'b'])
    selection.only('a')
    expect(chosen()).toEqual(['a'])
    selection.clear()
    // Without one that was selected on its own, from the current row.
    selection.extendTo('c', 'b')
    expect(chosen()).toEqual(['b', 'c'])
  })
})
