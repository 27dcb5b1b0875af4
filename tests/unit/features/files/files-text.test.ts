import { expect, test } from 'vitest'
import { copyHint, toolsText } from '../../../../src-renderer/features/files/files-text.ts'

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
