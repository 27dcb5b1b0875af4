import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepLinksAmong, parseDeepLink } from '../../../src-main/desktop/deep-link.ts'

describe('links', () => {
  test('an instance by its number is the one thing that a link can name', () => {
    expect(parseDeepLink('slipway://instance/4711')).toEqual({ instanceId: 4711 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
        expect(parseDeepLink(`slipway://instance/${id}`)).toEqual({ instanceId: id })
      }),
    )
  })

  test.each([
    '',
    'slipway:',
    'slipway://',
    'slipway://instance',
    'slipway://instance/',
    'slipway://instance/0',
    'slipway://instance/007',
    'slipway://instance/-1',
    'slipway://instance/1.5',
    'slipway://instance/1e3',
    'slipway://instance/0x10',
    'slipway://instance/٤٢',
    'slipway://instance/４２',
    'slipway://instance/9999999999999999',
    'slipway://instance/1/',
    'slipway://instance/1/files',
    'slipway://instance/1?do=destroy',
    'slipway://instance/1#/instances/1?do=destroy',
    'slipway://instance/1%2F..',
    'slipway://instance/../settings',
    'slipway://instance//1',
    'slipway://instance/1 --no-sandbox',
    'slipway://instance/1\n',
    '\nslipway://instance/1',
    ' slipway://instance/1',
    'slipway://INSTANCE/1',
    'SLIPWAY://instance/1',
    'slipway:instance/1',
    'slipway:///instance/1',
    'slipway://user:password@instance/1',
    'slipway://instance:22/1',
    'slipway://offers/1',
    'slipway://instance.evil.example/1',
    'https://instance/1',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('%j is none', (link) => {
    expect(parseDeepLink(link)).toBeNull()
  })

  test('whatever is around it, nothing else passes for one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const link = `${before}slipway://instance/1${after}`
        const isOne = before === '' && /^\d*$/.test(after) && after.length < 15
        expect(parseDeepLink(link) !== null).toBe(isOne)
      }),
    )
  })

  test('of the arguments of a start those count that have the scheme, in whatever case', () => {
    expect(deepLinksAmong(['/usr/bin/slipway', '--flag', 'slipway://instance/1', 'Slipway:x'])).toEqual([
      'slipway://instance/1',
      'Slipway:x',
    ])
    expect(deepLinksAmong(['--x=slipway://instance/1', 'out/slipway:1'])).toEqual([])
  })
})
