import { describe, expect, test } from 'vitest'
import { plainTwoFas, sealTwoFas } from '../../../support/vault/authenticator-exports.ts'
import { fault, leftOut, read, recognized } from './read.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const service = (name: string, otp: object, more: object = {}) => ({
  name,
  secret,
  updatedAt: 1_704_874_073_731,
  otp: { label: 'label', account: 'ada', issuer: name, source: 'Link', ...otp },
  order: { position: 0 },
  ...more,
})
const services = [
  service('Git', { digits: 6, period: 30, algorithm: 'SHA1', tokenType: 'TOTP' }),
  service('Mail', { digits: 8, period: 60, algorithm: 'SHA512', tokenType: 'TOTP' }),
  // The first version of its files says no more.
  service('Old', {}),
  service('', { issuer: 'Only inside' }),
  service('Bank', { digits: 6, algorithm: 'SHA1', counter: 50, tokenType: 'HOTP' }),
  service('Shop', { digits: 5, period: 30, algorithm: 'SHA1', tokenType: 'STEAM' }),
  service('Hash', { algorithm: 'MD5' }),
  service('Odd hash', { algorithm: 'SHA384' }),
  service('Typed', { digits: '6' }),
  service('Untyped', { tokenType: 7 }),
  service('Broken', {}, { secret: 5 }),
  { name: 'Empty', secret },
  [],
]

describe('a backup of 2FAS', () => {
  test.each([
    ['in plain text', plainTwoFas(services), ''],
    ['that is encrypted', sealTwoFas(services, 'pässword'), 'pässword'],
  ])('%s is read', async (_, text, password) => {
    expect(recognized(text)).toEqual({ source: '2fas', needsPassword: password !== '' })
    const content = await read(text, password)
    const plain = { algorithm: 'sha1', digits: 6, period: 30 }
    expect(content.otps).toEqual([
      { issuer: 'Git', label: 'ada', secret, parameters: plain, uri: null },
      {
        issuer: 'Mail',
        label: 'ada',
        secret,
        parameters: { algorithm: 'sha512', digits: 8, period: 60 },
        uri: null,
      },
      { issuer: 'Old', label: 'ada', secret, parameters: plain, uri: null },
      { issuer: 'Only inside', label: 'ada', secret, parameters: plain, uri: null },
    ])
    expect(leftOut(content)).toEqual({
      'counter-based': ['Bank: ada'],
      steam: ['Shop: ada'],
      md5: ['Hash: ada'],
      'other-algorithm': ['Odd hash: ada'],
      digits: ['Typed: ada'],
      'other-kind': ['Untyped: ada'],
      'broken-secret': ['Broken: ada'],
      unreadable: ['Empty', null],
    })
  })

  test('stays closed for another password', async () => {
    await expect(read(sealTwoFas(services, 'right'), 'wrong')).rejects.toMatchObject(
      fault('passphrase', 'wrong-password'),
    )
  })

  test.each([
    ['a newer version', plainTwoFas([], { schemaVersion: 5 }), 'newer'],
    ['parts that lack', plainTwoFas([], { servicesEncrypted: 'AAAA:AAAA' }), 'damaged'],
    ['too little', plainTwoFas([], { servicesEncrypted: 'AAAA:AAAA:AAAA' }), 'damaged'],
    ['no base64', plainTwoFas([], { servicesEncrypted: 'A*AA:AAAA:AAAA' }), 'damaged'],
  ])('with %s is refused', async (_, text, code) => {
    await expect(read(text, 'p')).rejects.toMatchObject(fault('text', code))
  })
})
