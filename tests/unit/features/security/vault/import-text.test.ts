import { expect, test } from 'vitest'
import {
  addedText,
  leftOutName,
  leftOutText,
  missingPartsText,
} from '../../../../../src-renderer/features/security/vault/import-text.ts'

test.each([
  [[{ part: 2, of: 3 }], 'QR code 2 of 3. Import it'],
  [
    [
      { part: 1, of: 3 },
      { part: 3, of: 3 },
    ],
    'QR codes 1 and 3 of 3. Import them',
  ],
  [
    [
      { part: 1, of: 4 },
      { part: 2, of: 4 },
      { part: 4, of: 4 },
      { part: 2, of: 2 },
    ],
    'QR codes 1, 2, and 4 of 4; 2 of 2. Import them',
  ],
])('QR codes that may have been imported before are told so: %j', (parts, text) => {
  expect(missingPartsText(parts)).toBe(`Not in this import: ${text}, too, if you haven’t.`)
})

test('what has no name is named by its file, and by the line there where it has several', () => {
  const files = [
    { name: '1.gif', lines: 1 },
    { name: 'list.txt', lines: 3 },
    { name: '2.gif', lines: 1 },
  ]
  const names = [1, 2, 4, 5].map((line) => leftOutName({ name: '', line }, files))
  expect(names).toEqual(['1.gif', 'list.txt, line 1', 'list.txt, line 3', '2.gif'])
  expect(leftOutName({ name: 'Git: ada', line: 1 }, files)).toBe('Git: ada')
  expect(leftOutName({ name: '', line: 4 }, [])).toBe('Line 4')
  expect(leftOutName({ name: '', line: null }, files)).toBe('Entry without a name')
})

test('what was added is told with what ended it, and entries without a code are counted only', () => {
  expect(addedText(5, { duplicates: 2, stoppedOf: 12 })).toBe('5 of 12 added, then the import stopped')
  expect(addedText(7, { duplicates: 5, stoppedOf: null })).toBe('7 added, 5 duplicates')
  expect(addedText(1, { duplicates: 1, stoppedOf: null })).toBe('1 added, 1 duplicate')
  expect(leftOutText('no-code', 1780)).toBe('1,780 without a one-time password')
  expect(leftOutText('in-vault', 5)).toBe('Duplicate, or already in the vault (5)')
})
