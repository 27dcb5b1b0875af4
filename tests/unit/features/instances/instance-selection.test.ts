import { effectScope, nextTick, shallowRef } from 'vue'
import { expect, onTestFinished, test } from 'vitest'
import { useInstanceSelection } from '../../../../src-renderer/features/instances/use-instance-selection.ts'

function selectionOf(...ids: number[]) {
  const listed = shallowRef<readonly number[]>(ids)
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const selection = scope.run(() => useInstanceSelection(() => listed.value))
  if (!selection) throw new Error('the scope has ended')
  return { ...selection, listed, chosen: () => [...selection.selected.value].toSorted() }
}

test('a range goes from the row that was chosen last, in either direction', () => {
  const { toggle, extendTo, chosen } = selectionOf(1, 2, 3, 4, 5)
  toggle(4)
  extendTo(2)
  expect(chosen()).toEqual([2, 3, 4])
  extendTo(5)
  expect(chosen()).toEqual([2, 3, 4, 5])
})

test('a range without a beginning is that one row', () => {
  const { extendTo, chosen } = selectionOf(1, 2, 3)
  extendTo(2)
  expect(chosen()).toEqual([2])
})

test('a row that goes from the list is not chosen any more; the others stay', async () => {
  const { selectAll, all, listed, chosen } = selectionOf(1, 2, 3)
  selectAll()
  expect(all.value).toBe('all')
  listed.value = [1, 3, 4]
  await nextTick()
  expect(chosen()).toEqual([1, 3])
  expect(all.value).toBe('some')
})

test('choosing a row again lets it go', () => {
  const { toggle, chosen, all } = selectionOf(1, 2)
  toggle(1)
  toggle(1)
  expect(chosen()).toEqual([])
  expect(all.value).toBe('none')
})
