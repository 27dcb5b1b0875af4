import { expect, test } from 'vitest'
import { z } from 'zod'
import { faultOfIssue } from '#domain/base/fault-of-issue.ts'
import { saying } from '#domain/base/input-fault.ts'

test.each([
  [z.string().min(1), '', { code: 'missing' }],
  [z.string().min(8), 'short', { code: 'too-short', least: 8 }],
  [z.string().max(3), 'long', { code: 'too-long', most: 3 }],
  [z.number().min(5), 4, { code: 'too-small', least: 5 }],
  [z.number().max(300), 301, { code: 'too-large', most: 300 }],
  [z.array(z.string()).max(1), ['a', 'b'], { code: 'too-many', most: 1 }],
  [z.string().regex(/^a$/, 'Only an a.'), 'b', { code: 'wrong-form' }],
  [z.string(), 7, { code: 'wrong-value' }],
  [z.enum(['a']), 'b', { code: 'wrong-value' }],
  [z.string().refine(() => false, 'Zod says this.'), 'a', { code: 'wrong-value' }],
  [z.string().refine(() => false, saying({ code: 'not-backup-code' })), 'a', { code: 'not-backup-code' }],
  [
    z.string().superRefine((_text, context) => {
      context.addIssue({ code: 'custom', ...saying({ code: 'type-word', word: 'reset' }) })
    }),
    'a',
    { code: 'type-word', word: 'reset' },
  ],
])('a failed check of a schema is a fault, without the words of zod (%#)', (schema, typed, fault) => {
  const [issue] = schema.safeParse(typed).error?.issues ?? []
  expect(faultOfIssue(issue ?? {})).toEqual(fault)
})
