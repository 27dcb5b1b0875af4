import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildOtpUri, parseOtpUri } from '#services/vault/codes/otp-uri.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const plain = { algorithm: 'sha1', digits: 6, period: 30 } as const

function read(uri: string) {
  const parsed = parseOtpUri(uri)
  if (!parsed.ok) throw new Error(parsed.fault.code)
  return parsed.value
}

describe('an otpauth URI', () => {
  test('of the rental service', () => {
    const uri = `otpauth://totp/GPU%20Rental:ada%40example.com?secret=${secret}&issuer=GPU%20Rental`
    expect(read(uri)).toEqual({ issuer: 'GPU Rental', label: 'ada@example.com', secret, parameters: plain })
  })

  test.each([
    [`otpauth://totp/Example%3Aada?secret=${secret}`, 'Example', 'ada'],
    [`otpauth://totp/ada?secret=${secret}&issuer=Big+Corp`, 'Big Corp', 'ada'],
    [`otpauth://totp/Old:ada?secret=${secret}&issuer=New`, 'New', 'ada'],
    [`otpauth://totp/?secret=${secret}`, '', ''],
    [`OTPAUTH://TOTP/a%zz?SECRET=${secret}`, '', 'a%zz'],
    [`otpauth://totp/a%0Ab%E2%80%AEc?secret=${secret}`, '', 'a b c'],
  ])('names issuer and account: %s', (uri, issuer, label) => {
    expect(read(uri)).toMatchObject({ issuer, label })
  })

  test.each([
    ['algorithm=SHA256&digits=8&period=60', { algorithm: 'sha256', digits: 8, period: 60 }],
    ['algorithm=HmacSHA512', { ...plain, algorithm: 'sha512' }],
    ['algorithm=sha-1&digits=&period=', plain],
  ])('says how its codes are made: %s', (query, parameters) => {
    expect(read(`otpauth://totp/a?secret=${secret}&${query}`).parameters).toEqual(parameters)
  })

  test.each([
    ['https://example.com', 'wrong-form'],
    [`otpauth://hotp/a?secret=${secret}&counter=1`, 'counter-based'],
    [`otpauth://steam/a?secret=${secret}`, 'unsupported-otp'],
    [`otpauth://totp/Steam:a?secret=${secret}&encoder=steam`, 'unsupported-otp'],
    [`otpauth://totp/Steam:a?encoder=Steam&secret=${secret}&digits=5`, 'unsupported-otp'],
    [' otpauth-migration://offline?data=AAAA', 'otp-export'],
    [`otpauth://totp/a?secret=${secret}&image=${'a'.repeat(4096)}`, 'wrong-form'],
    ['otpauth://totp/a', 'not-otp-key'],
    ['otpauth://totp/a?secret=short', 'not-otp-key'],
    [`otpauth://totp/a?secret=${secret}&algorithm=MD5`, 'unsupported-otp'],
    [`otpauth://totp/a?secret=${secret}&digits=5`, 'unsupported-otp'],
    [`otpauth://totp/a?secret=${secret}&period=1e9`, 'unsupported-otp'],
    [`otpauth://totp/a?secret=${secret}&period=0`, 'unsupported-otp'],
  ])('that cannot be used is refused with a reason: %s', (uri, code) => {
    expect(parseOtpUri(uri)).toEqual({ ok: false, fault: { code } })
  })

  test('is read again as it was built', () => {
    const name = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map(
        (text) =>
          read(`otpauth://totp/${encodeURIComponent(text.replaceAll(':', ''))}?secret=${secret}`).label,
      )
    const parameters = fc.record({
      algorithm: fc.constantFrom('sha1' as const, 'sha256' as const, 'sha512' as const),
      digits: fc.constantFrom(6 as const, 7 as const, 8 as const),
      period: fc.integer({ min: 5, max: 300 }),
    })
    fc.assert(
      fc.property(name, name, parameters, (issuer, label, how) => {
        const entry = { issuer, label, secret, parameters: how }
        expect(read(buildOtpUri(entry))).toEqual(entry)
      }),
    )
  })

  test('of anybody never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseOtpUri(text)
        parseOtpUri(`otpauth://totp/${text}`)
        parseOtpUri(`otpauth://totp/a?${text}`)
      }),
    )
  })
})
