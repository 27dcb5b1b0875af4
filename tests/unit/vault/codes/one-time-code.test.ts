import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { base32Alphabet, normalizeSecret, stepAt, type OtpParameters } from '#domain/vault/otp.ts'
import { codeOfStep, stepOfCode } from '#services/vault/codes/one-time-code.ts'
import { parseOtpUri } from '#services/vault/codes/otp-uri.ts'

/** RFC 6238 appendix B: the seed is these digits, as long as the hash; here in base32. */
const seeds: Readonly<Record<OtpParameters['algorithm'], string>> = {
  sha1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  sha256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
  sha512:
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA',
}

/** Seconds since the epoch, and the codes of SHA-1, SHA-256 and SHA-512. */
const vectors = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
] as const

describe.each(['sha1', 'sha256', 'sha512'] as const)('RFC 6238 appendix B, %s', (algorithm) => {
  const column = { sha1: 1, sha256: 2, sha512: 3 } as const
  test.each(vectors.map((vector) => [vector[0], vector[column[algorithm]]] as const))(
    'at %i s',
    (seconds, code) => {
      const step = stepAt(seconds * 1000, 30)
      const make = (digits: 6 | 7 | 8) =>
        codeOfStep({ secret: seeds[algorithm], parameters: { algorithm, digits, period: 30 } }, step)
      expect(make(8)).toBe(code)
      // Fewer digits are the last ones of the same number, leading zeros kept.
      expect(make(7)).toBe(code.slice(1))
      expect(make(6)).toBe(code.slice(2))
    },
  )
})

/** RFC 6238 and RFC 4226, of the whole bytes that base32 letters hold. */
function independentCode(letters: string, step: number): string {
  const bits = Array.from(letters, (letter) =>
    base32Alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  const bytes = (bits.match(/[01]{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff
  return `${number % 1_000_000}`.padStart(6, '0')
}

describe('a secret whose letters end within a byte', () => {
  const letters = 'JBSWY3DPEHPK3PXP77777777'
  // Those of the lengths that no encoder makes, and those with bits left over.
  test.each([17, 19, 22, 18, 20, 21, 23, 24])('makes the codes of its whole bytes: %i letters', (length) => {
    const typed = letters.slice(0, length)
    const parsed = parseOtpUri(`otpauth://totp/a?secret=${typed}`)
    if (!parsed.ok) throw new Error(parsed.fault.code)
    const { secret, parameters } = parsed.value
    for (const step of [1, 37_037_036, 2 ** 33])
      expect(codeOfStep({ secret, parameters }, step)).toBe(independentCode(typed, step))
  })

  test('makes those of RFC 6238, with a letter behind its seed', () => {
    const secret = normalizeSecret(`${seeds.sha1}7`) ?? ''
    const parameters = { algorithm: 'sha1', digits: 8, period: 30 } as const
    expect(codeOfStep({ secret, parameters }, stepAt(59_000, 30))).toBe('94287082')
  })
})

describe('the step of a code', () => {
  const maker = { secret: seeds.sha1, parameters: { algorithm: 'sha1', digits: 6, period: 30 } } as const
  const nowMs = 1_111_111_111_000
  const now = stepAt(nowMs, 30)

  test.each([0, 1, -1, 240, -240])('is found %i steps away', (distance) => {
    expect(stepOfCode(maker, codeOfStep(maker, now + distance), nowMs)).toBe(now + distance)
  })

  test('of a day ago is not looked for', () => {
    expect(stepOfCode(maker, codeOfStep(maker, now - 2880), nowMs)).toBeNull()
  })

  test.each(['', '12345', 'abcdef', '0000000'])('is none for what is no code: %s', (code) => {
    expect(stepOfCode(maker, code, nowMs)).toBeNull()
  })
})
