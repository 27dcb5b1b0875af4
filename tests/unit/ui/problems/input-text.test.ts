import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputFault, type InputFault } from '#domain/base/input-fault.ts'
import { inputProblemText, inputText } from '#ui/problems/input-text.ts'

const valued: readonly InputFault[] = [
  { code: 'too-long', most: 30 },
  { code: 'too-large', most: 1024 },
  { code: 'too-many', most: 10 },
  { code: 'too-short', least: 1 },
  { code: 'too-small', least: 0 },
  { code: 'type-word', word: 'reset' },
  { code: 'in-vault', name: null },
  { code: 'other-account', id: 7, email: '' },
  { code: 'access-denied', said: 'access_denied' },
  { code: 'unusable-key', why: { code: 'no-file' } },
]
const codes = inputFault.options.flatMap((option): readonly string[] => {
  const { code } = option.shape
  return code instanceof z.ZodEnum ? code.options : [...code.values]
})
const all = codes.map((code) => valued.find((fault) => fault.code === code) ?? inputFault.parse({ code }))
const fields = ['', 'code', 'path', 'plan.entrance.port']

test.each(all)('“$code” is a sentence at its field, with a next step', (fault) => {
  for (const field of fields) {
    const { title, meaning, nextStep } = inputProblemText(field, fault, 'save')
    for (const part of [inputText(field, fault), meaning, nextStep]) {
      expect(part).toMatch(/^[A-Z].*\.$/)
      expect(part).not.toMatch(/undefined|null|\[object|NaN|!|\.\.|“”|\s\s/)
    }
    expect(title).not.toMatch(/\.$/)
    expect(meaning).toMatch(/Nothing was changed\.$/)
  }
})

test('a sentence has the values of its fault', () => {
  expect(inputText('label', { code: 'too-long', most: 30 })).toBe('Enter at most 30 characters.')
  expect(inputText('passphrase', { code: 'too-short', least: 1 })).toBe('Enter at least 1 character.')
  expect(inputText('diskGb', { code: 'too-large', most: 1024 })).toBe('Enter at most 1,024.')
  expect(inputText('typed', { code: 'type-word', word: 'reset' })).toBe('Type “reset”.')
  expect(inputText('uri', { code: 'in-vault', name: null })).toContain('for another account')
  expect(inputText('uri', { code: 'in-vault', name: 'Example, ada' })).toContain('vault: Example, ada.')
  const other = { code: 'other-account', id: 7, email: 'ada@x.example' } as const
  expect(inputText('apiKey', other)).toContain('another account: ada@x.example (account 7).')
})

test('a sentence depends on its field where that helps, wherever the field stands in a call', () => {
  expect(inputText('code', { code: 'wrong-form' })).toBe('A code has 6 digits.')
  expect(inputText('sent.phoneNumber', { code: 'wrong-form' })).toContain('country code')
  expect(inputText('plan.entrance.port', { code: 'taken' })).toContain('port forward')
  expect(inputText('elsewhere', { code: 'wrong-form' })).toBe('This value has the wrong format.')
})
