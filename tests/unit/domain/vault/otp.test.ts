import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base32Alphabet, nextUsableStep, normalizeSecret, stepAt, timesOfStep } from '#domain/vault/otp.ts'

const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
const period = fc.constantFrom(15, 30, 60, 300)

test('a moment is in the step that begins before it and ends after it', () => {
  fc.assert(
    fc.property(time, period, (timeMs, seconds) => {
      const { startMs, endMs } = timesOfStep(stepAt(timeMs, seconds), seconds)
      expect(startMs).toBeLessThanOrEqual(timeMs)
      expect(endMs).toBeGreaterThan(timeMs)
      expect(endMs - startMs).toBe(seconds * 1000)
    }),
  )
})

describe('the step whose code is sent', () => {
  test('is the current one, unless it is about to end', () => {
    expect(nextUsableStep(27_000, 30, null)).toBe(0)
    expect(nextUsableStep(27_001, 30, null)).toBe(1)
  })

  test('is never one that was used', () => {
    fc.assert(
      fc.property(time, period, fc.integer({ min: 0, max: 2 }), (timeMs, seconds, ahead) => {
        const used = stepAt(timeMs, seconds) + ahead
        expect(nextUsableStep(timeMs, seconds, used)).toBe(used + 1)
      }),
    )
  })

  test('comes once each, however often codes are asked for while time goes on', () => {
    fc.assert(
      fc.property(time, fc.array(fc.integer({ min: 0, max: 40_000 })), (startMs, pauses) => {
        let timeMs = startMs
        let last: number | null = null
        const given: number[] = []
        for (const pauseMs of pauses) {
          last = nextUsableStep(timeMs, 30, last)
          given.push(last)
          // Whoever gets a later step waits for it.
          timeMs = Math.max(timeMs, timesOfStep(last, 30).startMs) + pauseMs
        }
        expect(new Set(given).size).toBe(given.length)
      }),
    )
  })

  test('does not wait for hours for one that a wrong clock has made', () => {
    expect(nextUsableStep(0, 30, 240)).toBe(0)
  })
})

describe('a secret', () => {
  test.each([
    ['JBSWY3DPEHPK3PXP', 'JBSWY3DPEHPK3PXP'],
    ['jbsw y3dp-ehpk 3pxp', 'JBSWY3DPEHPK3PXP'],
    [
      'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA====',
      'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
    ],
  ])('is taken as it is typed: %s', (typed, secret) => {
    expect(normalizeSecret(typed)).toBe(secret)
  })

  test.each([
    '',
    'JBSWY3DPEHPK3PX',
    'JBSWY3DPEHPK3PX0',
    'JBSWY3DPEHPK3PX1',
    // 17, of which the last one would be dropped.
    'JBSWY3DPEHPK3PXP0',
    'ÄBSWY3DPEHPK3PXP',
  ])('that is none is refused: %s', (typed) => {
    expect(normalizeSecret(typed)).toBeNull()
  })

  test('of any number of letters is as long as its whole bytes are, and ends with no bits of another', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...Array.from(base32Alphabet)),
      minLength: 17,
      maxLength: 100,
    })
    fc.assert(
      fc.property(letters, (typed) => {
        const secret = normalizeSecret(typed) ?? ''
        const bits = (text: string): string =>
          Array.from(text, (letter) => base32Alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
        const whole = bits(typed).length - (bits(typed).length % 8)
        expect(bits(secret).slice(0, whole)).toBe(bits(typed).slice(0, whole))
        expect(bits(secret).slice(whole)).toMatch(/^0{0,4}$/)
      }),
    )
  })
})
