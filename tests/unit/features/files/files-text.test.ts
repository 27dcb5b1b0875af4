import { expect, test } from 'vitest'
import {
  copyHint,
  nothingFoundText,
  statusText,
  toolsText,
} from '../../../../src-renderer/features/files/files-text.ts'

const none = { local: 0, remote: 0 }
const listed = { local: 'listed', remote: 'listed' } as const

test.each([
  [none, listed, 'Select files or folders to copy.'],
  [{ local: 0, remote: 2 }, listed, 'To upload, select files on this computer.'],
  [{ local: 2, remote: 0 }, listed, 'To download, select files on the instance.'],
  [{ local: 1, remote: 1 }, listed, null],
  [none, { ...listed, remote: 'listing' }, 'Listing the files on the instance…'],
  [none, { ...listed, remote: 'unlisted' }, 'Couldn’t list the files on the instance.'],
  [none, { ...listed, local: 'unlisted' }, 'Couldn’t list the files on this computer.'],
] as const)(
  'why Upload or Download is off with %j selected and the folders %j: %s',
  (selected, folders, text) => {
    expect(copyHint(selected, folders, 'open')).toBe(text)
  },
)

test.each([
  ['listing', 'connecting', 'Connecting to the instance…'],
  ['listing', 'unknown-host', 'Connecting to the instance…'],
  ['unlisted', 'idle', 'Not connected to the instance.'],
  ['unlisted', 'open', 'Couldn’t list the files on the instance.'],
  ['listed', 'waiting', 'Select files or folders to copy.'],
] as const)('with the instance’s folder %s and the connection %s: %s', (remote, connection, text) => {
  expect(copyHint(none, { local: 'listed', remote }, connection)).toBe(text)
})

test.each([
  [0, 'Select to rename or delete'],
  [1, '1 selected'],
  [2, '2 selected. Rename takes 1.'],
])('beside Rename and Delete, with %i selected: %s', (count, text) => {
  expect(toolsText(count)).toBe(text)
})

test('the line below a list says what is in the folder, selected, hidden, and counted', () => {
  const nothing = { total: 0, hidden: 0, selected: 0, sizes: new Map() }
  const size = { bytes: 1_500, files: 2, folders: 0, unread: 0, cutShort: null }
  expect(statusText(nothing)).toBe('0 entries')
  expect(statusText({ ...nothing, total: 340, hidden: 12 })).toBe(
    '340 entries · Select to rename or delete · 12 hidden',
  )
  const sizes = new Map([['ru\u202ens', { kind: 'counted', size } as const]])
  expect(statusText({ total: 340, hidden: 0, selected: 1, sizes })).toBe(
    '1 selected · ru\ufffdns: 1.5 kB in 2 files and 0 folders.',
  )
  expect(statusText({ ...nothing, total: 20_000, selected: 10_001 })).toContain('Select at most 10,000')
})

test('nothing is found, or everything is hidden', () => {
  expect(nothingFoundText('gpu')).toContain('“gpu”')
  expect(nothingFoundText('')).toContain('Show hidden files')
})

test('more than one transfer can name aren’t copied', () => {
  expect(copyHint({ local: 10_001, remote: 0 }, listed, 'open')).toContain('at most 10,000')
})
