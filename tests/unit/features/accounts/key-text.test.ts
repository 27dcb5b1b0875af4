import { expect, test } from 'vitest'
import { newKeyText, replacementText } from '../../../../src-renderer/features/accounts/key-text.ts'

const refused = {
  kind: 'not-allowed',
  code: 'forbidden',
  message: 'the API key lacks the permission user_read',
} as const

test('a key that is let through for nothing learns which permissions it lacks, and what it can’t do', () => {
  const { meaning, nextStep } = newKeyText(refused)
  expect(meaning).toContain('The service said: “the API key lacks the permission user_read”.')
  expect(meaning).toContain(
    'lacks the permissions user_read and instance_read: it can’t read the account, find templates, or list instances',
  )
  expect(meaning).toContain('has only misc or instance_write')
  expect(nextStep).toContain('one with user_read, instance_read, or both')
  expect(replacementText(refused).meaning).toBe(`${meaning} Slipway still uses the current key.`)
})

test('a refused key may be wrong, deleted, or limited: none of these is told as what the service says', () => {
  const wrong = { kind: 'key-refused', message: 'Invalid key' } as const
  const { title, meaning, nextStep } = newKeyText(wrong)
  expect(title).toBe('The service doesn’t accept this key')
  expect(meaning).toBe(
    'The service said: “Invalid key”. The key is wrong or was deleted, or it lacks the permissions user_read and instance_read: the API doesn’t say which.',
  )
  expect(nextStep).toContain('Copy the whole key again.')
  expect(replacementText(wrong).meaning).toBe(`${meaning} Slipway still uses the current key.`)
})
