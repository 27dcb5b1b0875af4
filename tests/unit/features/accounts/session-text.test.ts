import { expect, test } from 'vitest'
import { sessionText } from '../../../../src-renderer/features/accounts/session-text.ts'

test('only an admin is told that the session can be used for all requests', () => {
  expect(sessionText({ isAdmin: true })).toContain('unless you choose the admin session')
  expect(sessionText({ isAdmin: false })).not.toContain('admin')
})
