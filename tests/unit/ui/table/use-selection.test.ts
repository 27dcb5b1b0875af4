import { effectScope, nextTick, shallowRef } from 'vue'
import { expect, onTestFinished, test } from 'vitest'
import { useSelection } from '#ui/table/use-selection.ts'

function selectionOf(...ids: readonly number[]) {
  const listed = (some: readonly number[]) => some.map((id) => ({ id }))
  const all = shallowRef(listed(ids))
  const rows = shallowRef(listed(ids))
  let isWhole = true
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const selection = scope.run(() => useSelection({ all, rows, isWhole: () => isWhole }))
  if (!selection) throw new Error('the scope has ended')
  return {
    ...selection,
    list: (some: readonly number[], { areAll = true } = {}) => {
      isWhole = areAll
      all.value = listed(some)
    },
    show: (some: readonly number[]) => (rows.value = listed(some)),
    selectedIds: () => selection.selectedRows.value.map(({ id }) => id),
  }
}

test('a row that goes from the list is not selected any more, and comes back unselected; the others stay', async () => {
  const { toggleAllRows, list, selectedIds, isAllSelected } = selectionOf(1, 2, 3)
  toggleAllRows()
  expect(isAllSelected.value).toBe(true)
  list([1, 3])
  await nextTick()
  expect(selectedIds()).toEqual([1, 3])
  list([1, 2, 3])
  await nextTick()
  expect(selectedIds()).toEqual([1, 3])
})

test('a row that may still come stays selected', async () => {
  const { toggleAllRows, list, selectedIds } = selectionOf(1, 2, 3)
  toggleAllRows()
  list([1], { areAll: false })
  await nextTick()
  expect(selectedIds()).toEqual([1])
  list([1, 3])
  await nextTick()
  list([1, 2, 3])
  await nextTick()
  expect(selectedIds()).toEqual([1, 3])
})

test('all are selected once all are there, and no part of them before', async () => {
  const { toggleAllRows, list, selectedIds } = selectionOf(1, 2, 3)
  list([1, 2], { areAll: false })
  toggleAllRows()
  expect(selectedIds()).toEqual([])
  list([1, 2, 3])
  await nextTick()
  toggleAllRows()
  expect(selectedIds()).toEqual([1, 2, 3])
})

test('a row that is hidden stays selected, and the others can be selected besides', async () => {
  const { toggleRow, toggleAllRows, show, selectedIds, isAllSelected } = selectionOf(1, 2, 3)
  toggleRow(2)
  show([1, 3])
  await nextTick()
  expect(isAllSelected.value).toBe(false)
  toggleAllRows()
  expect(selectedIds()).toEqual([1, 2, 3])
  expect(isAllSelected.value).toBe(true)
})
