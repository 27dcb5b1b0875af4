import { expect, test } from 'vitest'
import { localeVariables } from '../../../src-main/desktop/locale-variables.ts'

test('the user’s language goes along, and nothing else of their environment', () => {
  const locale = { LANG: 'de_DE.UTF-8', LC_TIME: 'en_GB.UTF-8', LC_ALL: 'eo.UTF-8' }
  const others = { PATH: '/bin', LANGUAGE: 'de:en', LC_: 'x', MY_LANG: 'x', LC_SLIPWAY_RUN: 'x' }
  expect(localeVariables({ ...others, ...locale })).toEqual(locale)
})

test.each([{}, { LANG: undefined }, { LANG: '' }, { LANG: 'x'.repeat(101) }, { LC_CTYPE: 'UTF-8' }])(
  'without one (%j), what is shown still is UTF-8',
  (env) => {
    expect(localeVariables(env)).toEqual({ LANG: 'C.UTF-8' })
  },
)
