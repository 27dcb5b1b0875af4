import { describe, expect, test } from 'vitest'
import { migrationLink } from '../../../support/vault/authenticator-exports.ts'
import { leftOut, read, recognized } from './read.ts'

const secret = Buffer.from('12345678901234567890')
/** The secret of RFC 6238's vectors. */
const base32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const plain = { algorithm: 'sha1', digits: 6, period: 30 }

describe('an export of Google Authenticator', () => {
  test('that is published as an example is read', async () => {
    const link =
      'otpauth-migration://offline?data=CjEKCkhlbGxvId6tvu8SGEV4YW1wbGU6YWxpY2VAZ29vZ2xlLmNvbRoHRXhhbXBsZTAC'
    expect(recognized(link)).toEqual({ source: 'google-authenticator', needsPassword: false })
    const content = await read(link)
    expect(content.otps).toEqual([
      {
        issuer: 'Example',
        label: 'alice@google.com',
        secret: 'JBSWY3DPEHPK3PXP',
        parameters: plain,
        uri: null,
      },
    ])
  })

  test('says how codes are made, and names issuer and account', async () => {
    const { otps } = await read(
      migrationLink([
        { secret, name: 'ada', issuer: 'Git', algorithm: 2, digits: 2 },
        { secret, name: 'Mail:bob', algorithm: 3 },
        { secret, name: 'a:b', issuer: 'Other', algorithm: 0, digits: 0, type: 0 },
      ]),
    )
    expect(otps).toMatchObject([
      { issuer: 'Git', label: 'ada', parameters: { algorithm: 'sha256', digits: 8, period: 30 } },
      { issuer: 'Mail', label: 'bob', parameters: { algorithm: 'sha512', digits: 6, period: 30 } },
      { issuer: 'Other', label: 'a:b', parameters: plain },
    ])
    for (const otp of otps) expect(otp.secret).toBe(base32)
  })

  test('leaves out by name what Slipway makes no codes of', async () => {
    const content = await read(
      migrationLink([
        { secret, name: 'counter', issuer: 'Bank', type: 1 },
        { secret, name: 'old', algorithm: 4 },
        { secret, name: 'odd', algorithm: 9 },
        { secret, name: 'digits', digits: 7 },
        { secret, name: 'kind', type: 5 },
        { secret: Buffer.from('short'), name: 'short' },
      ]),
    )
    expect(content.otps).toEqual([])
    expect(leftOut(content)).toEqual({
      'counter-based': ['Bank: counter'],
      md5: ['old'],
      'other-algorithm': ['odd'],
      digits: ['digits'],
      'other-kind': ['kind'],
      'broken-secret': ['short'],
    })
  })

  test('of several codes says which of them are missing, each batch by itself', async () => {
    const part = (index: number, size: number, id: number) =>
      migrationLink([{ secret, name: `${id} ${index}` }], { index, size, id })
    const content = await read([part(2, 4, -7), part(0, 4, -7), part(0, 1, 8), part(2, 4, -7)].join('\r\n'))
    expect(content.otps).toHaveLength(4)
    expect(content.missingParts).toEqual([
      { part: 2, of: 4 },
      { part: 4, of: 4 },
    ])
    const one = await read(part(1, 3, 5))
    expect(one.missingParts).toEqual([
      { part: 1, of: 3 },
      { part: 3, of: 3 },
    ])
    const whole = await read([part(1, 2, 3), part(0, 2, 3)].join('\n'))
    expect(whole.missingParts).toEqual([])
  })

  test('that claims a batch of any size misses no parts without end', async () => {
    const links = Array.from({ length: 500 }, (_, id) => migrationLink([], { id, size: 100, index: 0 }))
    links.push(migrationLink([], { id: 9000, size: 2 ** 31 - 1, index: 1 }))
    const { missingParts } = await read(links.join('\n'))
    expect(missingParts).toHaveLength(10 * 99)
  })

  test('may lie among otpauth addresses and comments; a broken link is named by its line', async () => {
    const link = migrationLink([{ secret, name: 'ada', issuer: 'Git' }])
    const content = await read(
      [
        '# from my phone',
        '',
        link.replaceAll('%2B', '+').replaceAll('%2F', '/').replaceAll('%3D', '='),
        `otpauth://totp/Mail:bob?secret=${base32}&issuer=Mail`,
        link.slice(0, -9),
        'otpauth-migration://offline?data=%%%',
        'otpauth-migration://offline',
        'otpauth-migration://offline?data=',
      ].join('\n'),
    )
    expect(content.otps.map(({ issuer }) => issuer)).toEqual(['Git', 'Mail'])
    expect(leftOut(content)).toEqual({ unreadable: [5, 6, 7, 8] })
  })
})
