import { expect, test } from 'vitest'
import { failedResetText, resetTexts } from '../../../../src-renderer/features/diagnostics/reset-text.ts'

test('a reset that failed says of what, where the rest is, and what to do', () => {
  const text = failedResetText({
    part: 'secrets',
    why: { kind: 'index-unreadable', keptAs: '/data/vault-index.json.corrupt-1' },
  })
  expect(text).toContain(resetTexts.secrets.title)
  expect(text).toContain('/data/vault-index.json.corrupt-1')
  expect(text).toContain('reset again')
})

test('who forgets all of an account is told of changes of 2FA', () => {
  expect(resetTexts.account.lost).toContain('2FA')
})

test('who forgets all of an account is told of edited files that aren’t uploaded', () => {
  expect(resetTexts.account.lost).toContain('aren’t uploaded')
})
