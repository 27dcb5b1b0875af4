import { expect, it } from 'vitest'
import { fileKeyOf, typedCharacter } from '../../../../src-renderer/features/files/file-key.ts'
import { rowByTyping } from '../../../../src-renderer/features/files/type-ahead.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

it('knows the keys of a file manager, and leaves all others', () => {
  expect(fileKeyOf({ ...none, key: 'F2' })).toBe('rename')
  expect(fileKeyOf({ ...none, key: 'ArrowLeft', altKey: true })).toBe('back')
  expect(fileKeyOf({ ...none, key: 'Enter', altKey: true })).toBe('measure')
  expect(fileKeyOf({ ...none, key: 'Backspace' })).toBe('up')
  expect(fileKeyOf({ ...none, key: 'Backspace', metaKey: true })).toBe('remove')
  expect(fileKeyOf({ ...none, key: 'Backspace', metaKey: true, altKey: true })).toBeNull()
  expect(fileKeyOf({ ...none, key: 'Delete', metaKey: true })).toBeNull()
  expect(fileKeyOf({ ...none, key: 'ArrowLeft' })).toBeNull()
  expect(fileKeyOf({ ...none, key: 'F5', ctrlKey: true })).toBeNull()
  expect(fileKeyOf({ ...none, key: 'Delete', shiftKey: true })).toBeNull()
  expect(fileKeyOf({ ...none, key: 'toString' })).toBeNull()
})

it('types characters of names, and nothing that is meant for something else', () => {
  expect(typedCharacter({ ...none, key: 'ü' })).toBe('ü')
  expect(typedCharacter({ ...none, key: 'A', shiftKey: true })).toBe('A')
  for (const key of ['F2', 'Shift', 'Dead', '?']) expect(typedCharacter({ ...none, key })).toBeNull()
  expect(typedCharacter({ ...none, key: 'a', ctrlKey: true })).toBeNull()
})

const names = ['.ssh', 'data', 'docs', 'model.bin', 'model 2.bin', 'data.csv']

it.each([
  ['d', 0, 1],
  // The same letter goes on to the next one, and round.
  ['d', 1, 2],
  ['dd', 1, 2],
  ['dd', 2, 5],
  ['d', 5, 1],
  // More letters stay where they fit.
  ['mo', 3, 3],
  ['model ', 3, 4],
  ['DOC', 0, 2],
  ['.', 3, 0],
  ['x', 2, null],
  ['', 2, null],
])('“%s” from row %i leads to %s', (typed, from, row) => {
  expect(rowByTyping(names, from, typed)).toBe(row)
})

it('finds nothing in nothing', () => {
  expect(rowByTyping([], 0, 'a')).toBeNull()
})
