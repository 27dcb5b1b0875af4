import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeMeanings } from '#domain/two-factor/code-meanings.ts'
import { twoFactorCode } from '#domain/base/two-factor-codes.ts'

/** Section 7 of the service's description: its codes, in its order. */
const description = await readFile(join(import.meta.dirname, '../../../../docs/service-api.md'), 'utf8')
const described = [...description.matchAll(/^\| (\w+) \| \d{3} \| /gm)].map(([, code = '']) => code)

test('the catalogue has the codes of the description: all of them, and no other', () => {
  expect(described).toHaveLength(32)
  expect(twoFactorCode.options).toEqual(described)
  expect(Object.keys(codeMeanings)).toEqual(described)
})

describe.each(twoFactorCode.options)('%s', (code) => {
  const { title, meaning, nextStep } = codeMeanings[code]

  test('is told in three parts: what happened, what it means, what to do', () => {
    expect(title).toMatch(/^[A-Z].*[^.!]$/)
    for (const part of [meaning, nextStep]) expect(part).toMatch(/^[A-Z].*\.$/)
  })

  test('names neither its code nor how many attempts are left, which nobody knows', () => {
    const text = `${title} ${meaning} ${nextStep}`
    expect(text).not.toContain(code)
    expect(text).not.toMatch(/\bleft\b|attempts? remain/i)
  })
})

test('only three codes are repeated without being asked, after the delays that were agreed', () => {
  const automatic = twoFactorCode.options.flatMap((code) => {
    const { repeat } = codeMeanings[code]
    return repeat.kind === 'automatic' ? [[code, repeat.delaysMs]] : []
  })
  expect(Object.fromEntries(automatic)).toEqual({
    sms_provider_rate_limited: [[15_000, 30_000]],
    service_unavailable: [
      [1000, 1000],
      [3000, 3000],
      [9000, 9000],
    ],
    challenge_creation_failed: [[2000, 2000]],
  })
})
