import { expect, test } from 'vitest'
import { startFailureText } from '../../../src-main/desktop/start-failure.ts'
import { ProblemError } from '#domain/base/problem.ts'

test('a file of its own that Slipway cannot use is named, with what to do', () => {
  const error = new ProblemError({ kind: 'storage-failed', file: '/data/account.json', detail: 'EACCES' })
  expect(startFailureText(error)).toMatch(
    /^Slipway can’t use \/data\/account\.json: EACCES\n\nNothing was changed/,
  )
})

test('anything else is told in its own words', () => {
  expect(startFailureText(new Error('no display'))).toBe('no display')
})
