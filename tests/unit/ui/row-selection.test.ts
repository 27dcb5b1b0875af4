import { expect, test } from 'vitest'
import { areAll, extendedTo, keptRows, noRows, toggled, toggledAll } from '#ui/row-selection.ts'

const shown = [5, 3, 9, 7, 1]

test('Shift takes everything from the last single choice on, in the order shown', () => {
  const chosen = toggled(noRows, 3)
  expect([...extendedTo(chosen, 7, shown).ids]).toEqual([3, 9, 7])
})

test('Shift again takes another range from the same beginning, and leaves rows that were chosen besides it', () => {
  const chosen = toggled(toggled(noRows, 1), 3)
  const far = extendedTo(chosen, 7, shown)
  expect([...extendedTo(far, 9, shown).ids]).toEqual([1, 3, 9])
  expect([...extendedTo(far, 5, shown).ids]).toEqual([1, 5, 3])
  const after = toggled(far, 5)
  expect([...extendedTo(after, 3, shown).ids]).toEqual([1, 3, 9, 7, 5])
  const kept = keptRows(far, (id) => id !== 7)
  expect([...extendedTo(kept, 5, shown).ids]).toEqual([1, 3, 9, 5])
})

test('Shift without a beginning, or with one that is no longer shown, takes the one row', () => {
  expect([...extendedTo(noRows, 9, shown).ids]).toEqual([9])
  expect([...extendedTo({ ids: new Set([4]), anchor: 4 }, 9, shown).ids]).toEqual([4, 9])
  expect(extendedTo(noRows, 100, shown)).toBe(noRows)
})

test('all are taken and left again; what is not shown stays as it is', () => {
  const all = toggledAll({ ids: new Set([100]), anchor: null }, shown)
  expect(areAll(all.ids, shown)).toBe(true)
  expect([...toggledAll(all, shown).ids]).toEqual([100])
  expect(areAll(new Set(), [])).toBe(false)
})

test('rows that have gone are no longer selected', () => {
  expect(keptRows({ ids: new Set([5, 100]), anchor: 100 }, (id) => shown.includes(id))).toEqual({
    ids: new Set([5]),
    anchor: null,
  })
})
