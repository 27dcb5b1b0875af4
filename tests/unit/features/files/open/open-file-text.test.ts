import { expect, test } from 'vitest'
import {
  conflictText,
  onlyUnsavedText,
  unsavedReason,
} from '../../../../../src-renderer/features/files/open/open-file-text.ts'

const failed = { kind: 'failed', left: null, isIncomplete: false } as const

test('a failed save says what is at the name now, and what it has left', () => {
  expect(unsavedReason({ kind: 'saved', version: 'a' })).toBeNull()
  const appeared = { kind: 'appeared', side: 'remote', path: '/root/a' } as const
  expect(unsavedReason({ ...failed, problem: appeared })).toMatch(/^Something else is at \/root\/a now/)
  const broken = { ...failed, problem: { kind: 'silent' }, isIncomplete: true } as const
  expect(unsavedReason(broken)).toContain('The file on the instance may be incomplete. Save again')
})

test('security: the path of what a save has left hides and reorders nothing', () => {
  const text = unsavedReason({ ...failed, problem: { kind: 'silent' }, left: '/root/.\u202Egpj.part' })
  expect(text).toContain('An incomplete copy is at /root/.')
  expect(text).not.toContain('\u202E')
})

test('what a save that broke off has left is nobody’s change', () => {
  const theirs = { version: 'a', text: 'half' }
  expect(conflictText(theirs, false).text).toContain('Someone changed this file')
  expect(conflictText(theirs, true).text).not.toContain('Someone')
})

test('unsaved text is shown alone with the reason, unless the file can be edited', () => {
  const text = { path: '/a', text: '', version: 'a', mode: null, readOnly: null }
  expect(onlyUnsavedText({ kind: 'text', text })).toBeNull()
  expect(onlyUnsavedText({ kind: 'refused', why: 'binary' })).toContain('Not a text file.')
  expect(onlyUnsavedText({ kind: 'failed', problem: { kind: 'silent' } })).toMatch(
    /^Couldn’t open the file\. /,
  )
})
