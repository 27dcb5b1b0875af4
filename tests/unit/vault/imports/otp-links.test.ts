import { expect, test } from 'vitest'
import { readOtpLinks } from '#services/vault/imports/otp-links.ts'
import { leftOut } from './read.ts'

const secret = 'JBSWY3DPEHPK3PXP'

test('otpauth addresses are kept as they stand, and what is none is named by its name or its line', () => {
  const uri = `otpauth://totp/Git:ada?secret=${secret}&issuer=Git&image=https%3A%2F%2Fa.example`
  const content = readOtpLinks(
    [
      `\uFEFF${uri}`,
      '# a comment',
      '   ',
      `  ${uri}  `,
      'nonsense',
      `otpauth://hotp/Bank:carol?secret=${secret}`,
      `otpauth://steam/Games:dave?secret=${secret}`,
      `otpauth://totp/Steam:erin?secret=${secret}&period=30&digits=6&issuer=Steam&encoder=steam`,
      'otpauth://totp/',
      `otpauth://totp/five?secret=${secret}&digits=5`,
    ].join('\r\n'),
  )
  expect(content.otps).toMatchObject([
    { issuer: 'Git', label: 'ada', secret, uri },
    { issuer: 'Git', label: 'ada', secret, uri },
  ])
  expect(leftOut(content)).toEqual({
    'counter-based': ['Bank: carol'],
    steam: ['Games: dave', 'Steam: erin'],
    digits: ['five'],
    'broken-secret': [9],
    unreadable: [5],
  })
})
