import { describe, expect, test } from 'vitest'
import { stepAt, type OtpParameters } from '#domain/vault/otp.ts'
import { codeOfStep, stepOfCode } from '#services/vault/codes/one-time-code.ts'

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
