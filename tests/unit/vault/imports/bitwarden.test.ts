import { describe, expect, test } from 'vitest'
import {
  bitwardenLogin,
  plainBitwarden,
  sealBitwarden,
} from '../../../support/vault/authenticator-exports.ts'
import { fault, leftOut, read, recognized } from './read.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const uri = `otpauth://totp/Git:ada?secret=${secret}&issuer=Git&algorithm=SHA256&digits=8&period=60`
const items = [
  bitwardenLogin('Bare', 'jbsw y3dp ehpk 3pxp'),
  bitwardenLogin('Named by its address', uri),
  bitwardenLogin('Named by its item', `otpauth://totp/?secret=${secret}`),
  bitwardenLogin('Shop', `steam://${secret}`),
  bitwardenLogin('Other shop', `otpauth://totp/dave?secret=${secret}&encoder=steam`),
  bitwardenLogin('Bank', `otpauth://hotp/a?secret=${secret}&counter=1`),
  bitwardenLogin('Without', null),
  bitwardenLogin('Empty', '  '),
  bitwardenLogin('Gone', secret, { deletedDate: '2026-01-01T00:00:00.000Z' }),
  bitwardenLogin('Broken', 'hunter2'),
  bitwardenLogin('Typed', 7 as never),
  { type: 2, name: 'A note', notes: 'CANARY', secureNote: { type: 0 } },
  { type: 3, name: 'A card', card: { number: 'CANARY' } },
  'no item',
]
const csv = [
  'folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp',
  `,,login,Bare,,,0,https://a.example,CANARY,CANARY,${secret}`,
  `,1,login,"Quoted, ""so""","CANARY,\nof ""two"" lines\n",,0,,CANARY,"CANARY,",${uri}`,
  `,,note,A note,CANARY,,0,,,,`,
  ',,login,Without,,,0,,CANARY,CANARY,',
  '',
  ',,passkey,Of a kind to come,CANARY,,0,,,,',
  `otpauth://totp/Git:ada?secret=${secret}`,
  '',
].join('\r\n')

describe('an export of Bitwarden', () => {
  test.each([
    ['in plain text', plainBitwarden(items), ''],
    [
      'of a version that says nothing of encryption',
      plainBitwarden(items).replace('"encrypted": false,', ''),
      '',
    ],
    ['that is encrypted', sealBitwarden(plainBitwarden(items), 'pässword'), 'pässword'],
  ])('%s is read for its codes', async (_, text, password) => {
    expect(recognized(text)).toEqual({ source: 'bitwarden', needsPassword: password !== '' })
    const content = await read(text, password)
    const plain = { algorithm: 'sha1', digits: 6, period: 30 }
    const ofItem = { label: '', secret, parameters: plain }
    expect(content.otps).toEqual([
      { ...ofItem, issuer: 'Bare', uri: null },
      {
        issuer: 'Git',
        label: 'ada',
        secret,
        parameters: { algorithm: 'sha256', digits: 8, period: 60 },
        uri,
      },
      { ...ofItem, issuer: 'Named by its item', uri: `otpauth://totp/?secret=${secret}` },
    ])
    expect(leftOut(content)).toEqual({
      steam: ['Shop', 'Other shop: dave'],
      'counter-based': ['Bank: a'],
      // Hundreds have none, so they are counted, and their names tell nothing.
      'no-code': [],
      deleted: ['Gone'],
      'broken-secret': ['Broken'],
      unreadable: [null],
    })
    expect(content.leftOut.find(({ why }) => why === 'no-code')?.count).toBe(3)
    // Nothing else of it is read on, so nothing else can be kept or logged.
    expect(JSON.stringify([content.otps, content.leftOut])).not.toMatch(/canary/i)
  })

  test('as CSV is read for its codes, past quotes and lines', async () => {
    expect(recognized(csv)).toEqual({ source: 'bitwarden', needsPassword: false })
    const content = await read(csv)
    expect(content.otps).toMatchObject([{ issuer: 'Bare' }, { issuer: 'Git', label: 'ada' }])
    expect(leftOut(content)).toEqual({ unreadable: ['Of a kind to come', null], 'no-code': [] })
    expect(content.leftOut.map(({ count }) => count)).toEqual([2, 1])
    expect(JSON.stringify([content.otps, content.leftOut])).not.toMatch(/canary/i)
  })

  test('stays closed for another password', async () => {
    await expect(read(sealBitwarden(plainBitwarden(items), 'right'), 'wrong')).rejects.toMatchObject(
      fault('passphrase', 'wrong-password'),
    )
  })

  const sealed = (more: Record<string, unknown>) => sealBitwarden(plainBitwarden([]), 'p', more)
  test.each([
    ['only its account can open', sealed({ passwordProtected: undefined }), 'account-restricted'],
    ['was encrypted with Argon2id', sealed({ kdfType: 1, kdfMemory: 64, kdfParallelism: 4 }), 'argon2'],
    ['nobody knows to derive', sealed({ kdfType: 2 }), 'damaged'],
    ['asks for endless iterations', sealed({ kdfIterations: 2_000_001 }), 'too-costly'],
    ['asks for more than a number holds', sealed({ kdfIterations: 1e300 }), 'too-costly'],
    ['asks for no iteration', sealed({ kdfIterations: 0 }), 'damaged'],
    ['asks for half of one', sealed({ kdfIterations: 5000.5 }), 'damaged'],
    ['has another cipher', sealed({ data: '0.AAAA|AAAA|AAAA' }), 'damaged'],
    ['was cut', sealed({ data: '2.AAAAAAAAAAAAAAAAAAAAAA==|AAAA' }), 'damaged'],
  ])('that %s is refused', async (_, text, code) => {
    await expect(read(text, 'p')).rejects.toMatchObject(fault('text', code))
  })

  test('whose data was exchanged opens its check, and is refused', async () => {
    const [one, other] = [sealed({}), sealed({})].map((text) => JSON.parse(text) as Record<string, unknown>)
    await expect(read(JSON.stringify({ ...one, data: other?.['data'] }), 'p')).rejects.toMatchObject(
      fault('text', 'damaged'),
    )
  })
})
