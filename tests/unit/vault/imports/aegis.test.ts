import { describe, expect, test } from 'vitest'
import { aegisEntry, plainAegis, sealAegis } from '../../../support/vault/authenticator-exports.ts'
import { fault, leftOut, read, recognized } from './read.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const entries = [
  aegisEntry('ada', 'Git', secret),
  aegisEntry('bob', 'Mail', secret, { info: { algo: 'SHA256', digits: 8, period: 60 } }),
  aegisEntry('counter', 'Bank', secret, { type: 'hotp', info: { counter: 1 } }),
  aegisEntry('gamer', 'Shop', secret, { type: 'steam', info: { digits: 5 } }),
  aegisEntry('eve', 'Mail', secret, { type: 'yandex', info: { pin: '1234' } }),
  aegisEntry('old', '', 'aabbccddeeff0011', { type: 'motp', info: { algo: 'MD5' } }),
  aegisEntry('five', '', secret, { info: { digits: 5 } }),
  aegisEntry('hourly', '', secret, { info: { period: 3600 } }),
  aegisEntry('broken', '', 'nonsense'),
  { type: 'totp', name: 'empty', issuer: 'No info' },
  null,
]

describe('an export of Aegis', () => {
  test.each([
    ['in plain text', plainAegis(entries), ''],
    ['that is encrypted', sealAegis(entries, 'crème brûlée'), 'crème brûlée'],
    [
      'with several passwords and a fingerprint',
      sealAegis(entries, 'p', { slots: 2, otherSlots: [{ type: 2, key: 'of the phone' }] }),
      'p',
    ],
  ])('%s is read', async (_, text, password) => {
    expect(recognized(text)).toEqual({ source: 'aegis', needsPassword: password !== '' })
    const content = await read(text, password)
    expect(content.otps).toEqual([
      {
        issuer: 'Git',
        label: 'ada',
        secret,
        parameters: { algorithm: 'sha1', digits: 6, period: 30 },
        uri: null,
      },
      {
        issuer: 'Mail',
        label: 'bob',
        secret,
        parameters: { algorithm: 'sha256', digits: 8, period: 60 },
        uri: null,
      },
    ])
    expect(leftOut(content)).toEqual({
      'counter-based': ['Bank: counter'],
      steam: ['Shop: gamer'],
      yandex: ['Mail: eve'],
      motp: ['old'],
      digits: ['five'],
      period: ['hourly'],
      'broken-secret': ['broken'],
      unreadable: ['No info: empty', null],
    })
  })

  test('stays closed for another password', async () => {
    await expect(read(sealAegis(entries, 'right'), 'wrong')).rejects.toMatchObject(
      fault('passphrase', 'wrong-password'),
    )
  })

  test.each([
    ['N', { n: 2 ** 18, r: 8, p: 1 }],
    ['N beyond all numbers', { n: 2 ** 40, r: 8, p: 1 }],
    ['N that is no power of two', { n: 40_000, r: 8, p: 1 }],
    ['N of 1', { n: 1, r: 8, p: 1 }],
    ['r', { n: 2 ** 15, r: 2 ** 20, p: 1 }],
    ['r of 0', { n: 2 ** 15, r: 0, p: 1 }],
    ['p', { n: 2 ** 15, r: 8, p: 2 ** 20 }],
    ['p of 0', { n: 2 ** 15, r: 8, p: 0 }],
  ])('that asks scrypt for an absurd %s is refused before anything is tried', async (_, cost) => {
    const text = sealAegis(entries, 'right', { cost, slots: 0 }).replace(
      '"slots":[]',
      `"slots":[${JSON.stringify(slotAt(cost))}]`,
    )
    await expect(read(text, 'right')).rejects.toMatchObject(fault('text', 'too-costly'))
  })

  test('with more passwords than anybody sets is refused, too', async () => {
    const slots = Array.from({ length: 6 }, () => slotAt({ n: 2 ** 17, r: 8, p: 1 }))
    const text = sealAegis(entries, 'right', { slots: 0, otherSlots: slots })
    await expect(read(text, 'right')).rejects.toMatchObject(fault('text', 'too-costly'))
  })

  test.each([
    ['a newer version of the file', plainAegis([]).replace('"version": 1', '"version": 2'), 'newer'],
    ['a newer version of the content', plainAegis([], 4), 'newer'],
    ['entries that are no list', plainAegis([]).replace('"entries": []', '"entries": {}'), 'damaged'],
    ['no slot for a password', sealAegis([], 'p', { slots: 0 }), 'damaged'],
    ['a content that was cut', sealAegis([], 'p').replace(/(?<="db":"[^"]{20})[^"]*/, ''), 'damaged'],
    ['a content that is no base64', sealAegis([], 'p').replace('"db":"', '"db":"*'), 'damaged'],
  ])('with %s is refused', async (_, text, code) => {
    await expect(read(text, 'p')).rejects.toMatchObject(fault('text', code))
  })
})

function slotAt(cost: object): object {
  const key_params = { nonce: '00'.repeat(12), tag: '00'.repeat(16) }
  return { type: 1, key: '00'.repeat(32), key_params, salt: '00'.repeat(32), ...cost }
}
