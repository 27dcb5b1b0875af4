import { expect, test } from 'vitest'
import { ownEditorTrouble } from '../../../../../src-renderer/features/files/open/edited-copy-text.ts'

test.each([
  [[7], 'On the Files page of instance 7, press'],
  [[7, 9], 'On the Files page of instance 7 or 9, press'],
  [[1, 2, 3, 4, 5, 6, 7], 'On the Files page of instance 1, 2, 3, 4, 5, or 2 other instances, press'],
])('when too many files are open, the instances %j are named', (instanceIds, expected) => {
  expect(ownEditorTrouble({ kind: 'too-many', instanceIds })).toContain(expected)
})
