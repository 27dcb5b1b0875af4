import { expect, test } from 'vitest'
import { copyHint, toolsText } from '../../../../src-renderer/features/files/files-text.ts'

test.each([
  [{ local: 1, remote: 1 }, false, 'Not connected to the instance.'],
  [{ local: 0, remote: 0 }, true, 'Select files or folders to copy.'],
  [{ local: 0, remote: 2 }, true, 'To upload, select files on this computer.'],
  [{ local: 2, remote: 0 }, true, 'To download, select files on the instance.'],
  [{ local: 1, remote: 1 }, true, null],
])('why Upload or Download is off with %j selected (connected: %j): %s', (selected, isConnected, text) => {
  expect(copyHint(selected, isConnected)).toBe(text)
})

test.each([
  [0, 'Select to rename or delete'],
  [1, '1 selected'],
  [2, '2 selected. Rename takes 1.'],
])('beside Rename and Delete, with %i selected: %s', (count, text) => {
  expect(toolsText(count)).toBe(text)
})
