import { createGuardrails, generateSync } from 'otplib'
import { stepAt, type OtpParameters } from '../../../domain/vault/otp.ts'

/** What makes the codes of an entry. */
export interface CodeMaker {
  /** Base32, as `normalizeSecret` gives it. */
  readonly secret: string
  readonly parameters: OtpParameters
}

/** Real services give as few as 10 bytes; the library's own least is 16. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10, MAX_SECRET_BYTES: 128 })

/** The code of a time step (RFC 6238). */
export function codeOfStep({ secret, parameters }: CodeMaker, step: number): string {
  const { algorithm, digits, period } = parameters
  // Seconds: with milliseconds the library gives a wrong code without a word.
  return generateSync({ secret, algorithm, digits, period, epoch: step * period, guardrails })
}

/** How far off a clock may be for its codes to be recognized. Farther, chance would find one too often. */
const farthestMs = 3 * 3_600_000

/**
 * The step nearest to a moment whose code this is; `null` when it is none within three hours.
 *
 * @param timeMs true time, ms since the epoch
 */
export function stepOfCode(maker: CodeMaker, code: string, timeMs: number): number | null {
  const { period } = maker.parameters
  const now = stepAt(timeMs, period)
  const farthest = Math.ceil(farthestMs / (period * 1000))
  for (let distance = 0; distance <= farthest; distance += 1)
    for (const step of distance === 0 ? [now] : [now - distance, now + distance])
      if (codeOfStep(maker, step) === code) return step
  return null
}
