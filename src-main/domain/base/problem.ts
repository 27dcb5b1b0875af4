import { z } from 'zod'
import { guardRefusal, type GuardRefusal } from './guard-refusal.ts'
import { inputFault, type InputFault } from './input-fault.ts'
import { rentalRefusal, type RentalRefusal } from './rental-refusal.ts'
import type { NamedSchema, NamedUnion } from './named.ts'
import { twoFactorCode } from './two-factor-codes.ts'

/** What `secret-missing` names an instance's own key: nobody can enter it again (service API 4.4). */
export const instanceKeySecret = 'instance’s API key'

/**
 * Everything expected that can stop a call, as data: the window turns each kind into what happened, what it
 * means for money or access, and what to do now. An unforeseen failure crosses as `unexpected` with the id of
 * its line in the log, and nothing else.
 */
const anyProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no-account') }),
  /** 401: the key is wrong or was revoked (service API 5.3). */
  z.object({ kind: z.literal('key-refused'), message: z.string() }),
  /**
   * The admin session that a request went by was refused, so nothing was done; the next one goes by the API key.
   * `otherUserId`: it is this other user's, and Slipway refused it.
   */
  z.object({ kind: z.literal('session-ended'), otherUserId: z.number().nullable() }),
  /** 403: the key is known but its scope does not allow this (service API 2.9, 5.3). */
  z.object({
    kind: z.literal('not-allowed'),
    code: z.string(),
    message: z.string(),
    /** What the API asks for this request; it says so of few. */
    permission: z.string().optional(),
  }),
  z.object({
    kind: z.literal('unreachable'),
    cause: z.enum(['address-unknown', 'refused', 'reset', 'timeout', 'certificate', 'proxy-login', 'other']),
    origin: z.string(),
  }),
  /** The service answered with a redirect, which the API does not have; it was not followed, so the key went nowhere else. */
  z.object({ kind: z.literal('redirected'), origin: z.string() }),
  /** A reply that is no JSON, or that lacks what the API promises; `path` says where. */
  z.object({ kind: z.literal('bad-reply'), status: z.number(), path: z.string(), detail: z.string() }),
  z.object({
    kind: z.literal('rate-limited'),
    retryAfterSeconds: z.number().nullable(),
    message: z.string(),
  }),
  z.object({ kind: z.literal('service-failed'), status: z.number(), message: z.string() }),
  /** The service understood and said no: `code` and `message` are its own words (service API 7). */
  z.object({ kind: z.literal('refused'), status: z.number(), code: z.string(), message: z.string() }),
  /** One of the codes of 2FA (`two-factor-codes.ts`), which says what it means whatever its status was. */
  z.object({
    kind: z.literal('tfa-refused'),
    code: twoFactorCode,
    message: z.string(),
    /** Failed attempts so far. How many are left is not known (service API 8). */
    failCount: z.number().nullable(),
    /** When the method's lockout ends, in seconds of the service's clock. */
    lockedUntilSeconds: z.number().nullable(),
  }),
  z.object({ kind: z.literal('keychain-locked'), detail: z.string() }),
  z.object({ kind: z.literal('keychain-unavailable'), detail: z.string() }),
  /** A keychain entry that the index names is gone: it must be entered again, unless it is {@link instanceKeySecret}. */
  z.object({ kind: z.literal('secret-missing'), what: z.string() }),
  /**
   * The service's address is not the one that the API key is for, so the key was not sent; `keyIsFor` is `null` where
   * the address could not be that of any service.
   */
  z.object({ kind: z.literal('address-changed'), address: z.string(), keyIsFor: z.string().nullable() }),
  /** What was typed or asked for cannot be used; `field` names it. */
  z.object({ kind: z.literal('invalid-input'), field: z.string(), fault: inputFault }),
  /** Slipway itself rents nothing; what the service refuses is `refused`. */
  z.object({ kind: z.literal('rental-refused'), reason: rentalRefusal }),
  /** An auto-stop rule that could never act, or would act at once. */
  z.object({ kind: z.literal('guard-refused'), reason: guardRefusal }),
  /** No new list of instances could be had, without which nothing is rented: nothing was sent. */
  z.object({ kind: z.literal('list-unavailable') }),
  /** Slipway's own files cannot be written, so nothing was begun. */
  z.object({ kind: z.literal('storage-failed'), file: z.string(), detail: z.string() }),
  /** A newer Slipway wrote this file of Slipway's own: it stays as it is, so nothing was begun. */
  z.object({ kind: z.literal('newer-file'), file: z.string() }),
  /**
   * A new version of Slipway that cannot be had, was not signed by who makes Slipway for this kind of computer, cannot be
   * installed on it, is not what was signed, or was not installed by the system.
   */
  z.object({
    kind: z.literal('update-failed'),
    cause: z.enum(['unreachable', 'unsigned', 'unfit', 'damaged', 'not-installed']),
  }),
  /** Made in the window: main has ended before it answered, so what was asked may have been done. */
  z.object({ kind: z.literal('ended') }),
  z.object({ kind: z.literal('unexpected'), id: z.string() }),
])
export type Problem = NamedUnion<z.infer<typeof anyProblem>>
export const problem: NamedSchema<Problem> = anyProblem

/** Carries a {@link Problem} up to the edge, where ipc/ turns it into the contract's typed error. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(value: Problem, options?: ErrorOptions) {
    super(value.kind, options)
    this.name = 'ProblemError'
    this.problem = value
  }
}

/** Slipway rents nothing, and says why. */
export function rentalRefused(reason: RentalRefusal): ProblemError {
  return new ProblemError({ kind: 'rental-refused', reason })
}

/** An auto-stop rule isn't added, and why. */
export function guardRefused(reason: GuardRefusal): ProblemError {
  return new ProblemError({ kind: 'guard-refused', reason })
}

/** What was typed or asked for cannot be used. @param field where it was typed, as the contract names it */
export function invalidInput(field: string, fault: InputFault): ProblemError {
  return new ProblemError({ kind: 'invalid-input', field, fault })
}
