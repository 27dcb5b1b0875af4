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

/** Why no code can be made of what another program or a service says of a one-time password. */
export const otpObstacle = z.enum([
  /** HOTP (RFC 4226). */
  'counter-based',
  /** Kinds of single services and programs, without a standard. */
  'steam',
  'yandex',
  'motp',
  'other-kind',
  'md5',
  'other-algorithm',
  'digits',
  'period',
  /** Missing, no base32, or too short. */
  'broken-secret',
])
export type OtpObstacle = z.infer<typeof otpObstacle>

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

/** What each five bits are in base32 (RFC 4648 section 6). */
export const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * A secret as base32 without what people and services put between: spaces, dashes, padding, lower case
 * (RFC 4648 section 6), and without bits that make no whole byte. `null` when it is none, or shorter than the 10 bytes
 * that some services still give.
 */
export function normalizeSecret(typed: string): string | null {
  const letters = typed
    .replaceAll(/[\s-]/g, '')
    .replace(/(?<!=)=+$/, '')
    .toUpperCase()
  if (!/^[A-Z2-7]+$/.test(letters)) return null
  const secret = ofWholeBytes(letters)
  return secret.length >= 16 && secret.length <= longestSecret ? secret : null
}

/**
 * Some services make their secrets of random letters, of any number. Other authenticators drop the bits after the last
 * whole byte, where a strict decoder refuses the secret: only so the codes are the service's.
 */
function ofWholeBytes(letters: string): string {
  const bitsLeft = (letters.length * 5) % 8
  const isLastNeeded = bitsLeft < 5
  const needed = isLastNeeded ? letters : letters.slice(0, -1)
  const toClear = isLastNeeded ? bitsLeft : bitsLeft - 5
  const last = base32Alphabet.indexOf(needed.slice(-1))
  return needed.slice(0, -1) + base32Alphabet.charAt((last >> toClear) << toClear)
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
