import { expect, test } from 'vitest'
import { keyFault, type KeyFault } from '#domain/base/key-fault.ts'
import { keyFaultText, skippedText } from '#ui/problems/key-fault-text.ts'

const valued: readonly KeyFault[] = [
  { code: 'malformed', detail: 'bad checkints' },
  { code: 'not-listed', detail: 'no answer' },
  { code: 'not-read', detail: 'EACCES' },
  { code: 'cipher', cipher: 'chacha20' },
  { code: 'key-type', type: 'x25519' },
  { code: 'too-many', most: 6 },
]
const [plain] = keyFault.options
const all: readonly KeyFault[] = [...plain.shape.code.options.map((code) => ({ code })), ...valued]

test.each(all)('why a key can’t be used ends a sentence: $code', (fault) => {
  const text = keyFaultText(fault)
  expect(text).toMatch(/^(?:it|there|you|the|Slipway|SSH)\b|^its /)
  expect(text).not.toMatch(/\.$|undefined|\[object/)
})

test('what wasn’t tried is named with its reason, in one sentence', () => {
  expect(skippedText([])).toBe('')
  const skipped = [
    { name: '~/.ssh/id_rsa', why: { code: 'no-file' } },
    { name: 'further keys of the SSH agent', why: { code: 'too-many', most: 6 } },
  ] as const
  expect(skippedText(skipped)).toBe(
    'Not usable: ~/.ssh/id_rsa (there is no such file), further keys of the SSH agent (Slipway offers 6; choose yours by adding its public key file as an identity file).',
  )
})
