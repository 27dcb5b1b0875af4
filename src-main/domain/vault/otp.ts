import { z } from 'zod'

/** The hash of RFC 6238; every authenticator knows SHA-1, few the others. */
export const otpAlgorithm = z.enum(['sha1', 'sha256', 'sha512'])

/** How a one-time password is made of its secret and the time (RFC 6238). */
export const otpParameters = z.object({
  algorithm: otpAlgorithm,
  digits: z.union([z.literal(6), z.literal(7), z.literal(8)]),
  /** How long one code is good, in seconds. */
  period: z.number().int().min(5).max(300),
})
export type OtpParameters = z.infer<typeof otpParameters>

/** What everybody means who says nothing else. */
export const defaultOtpParameters: OtpParameters = { algorithm: 'sha1', digits: 6, period: 30 }

/** A code that has less than this left may have ended by the time it arrives. */
const leastLeftMs = 3_000

/** The time step that a moment (ms since the epoch, true time) is in: each step has one code. */
export function stepAt(timeMs: number, period: number): number {
  return Math.floor(timeMs / (period * 1000))
}

/** When a step begins and ends, in ms since the epoch, true time. */
export function timesOfStep(
  step: number,
  period: number,
): { readonly startMs: number; readonly endMs: number } {
  return { startMs: step * period * 1000, endMs: (step + 1) * period * 1000 }
}

/** A step that lies farther ahead was made by a wrong clock: no service can have taken its code. */
const farthestAheadSteps = 2

/**
 * The first step whose code may be sent, now or soon: one that was not used, with time left to arrive.
 *
 * @param lastStep the step whose code was sent last; waiting for one that lies far ahead could take hours
 */
export function nextUsableStep(timeMs: number, period: number, lastStep: number | null): number {
  const now = stepAt(timeMs, period)
  const fresh = timesOfStep(now, period).endMs - timeMs < leastLeftMs ? now + 1 : now
  if (lastStep === null || lastStep > now + farthestAheadSteps) return fresh
  return Math.max(fresh, lastStep + 1)
}

/** The step to remember as the last one, once the code of another was sent, too. */
export function lastStepOf(known: number | null, sent: number): number {
  return known === null || known > sent + farthestAheadSteps ? sent : Math.max(known, sent)
}

/**
 * A secret as base32 without what people and services put between: spaces, dashes, padding, lower case
 * (RFC 4648 section 6). `null` when it is none, or shorter than the 10 bytes that some services still give.
 */
export function normalizeSecret(typed: string): string | null {
  const secret = typed
    .replaceAll(/[\s-]/g, '')
    .replace(/(?<!=)=+$/, '')
    .toUpperCase()
  const isBase32 = /^[A-Z2-7]+$/.test(secret) && ![1, 3, 6].includes(secret.length % 8)
  return isBase32 && secret.length >= 16 && secret.length <= longestSecret ? secret : null
}

/** 128 bytes: no algorithm gains by more, and an entry of the keychain has its limit. */
const longestSecret = 205

/** The same for two secrets that make the same codes, however they were written. */
export function otpIdentity({
  secret,
  parameters: { algorithm, digits, period },
}: {
  readonly secret: string
  readonly parameters: OtpParameters
}): string {
  return `${normalizeSecret(secret) ?? secret} ${algorithm} ${digits} ${period}`
}
