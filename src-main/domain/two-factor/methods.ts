import { z } from 'zod'
import { saying } from '../base/input-fault.ts'
import type { UnreadableRecord } from '../rental-api/unreadable-record.ts'

/** By what a code comes: `email` only verifies and is never a method (service API 2.6, 4.7). */
export type CodeChannel = 'sms' | 'totp' | 'email'

/** The kinds of method that can be added (service API 4.7, confirm-new). */
export const methodKind = z.enum(['totp', 'sms'])
export type MethodKind = z.infer<typeof methodKind>

/**
 * A 2FA method as the service describes it (service API 2.6). Only what is needed to act on it is required, and the rest isn't known if it's of another type; a
 * kind that is not known is kept, and cannot be verified with. Times are seconds of the service's clock.
 */
export const methodRecord = z.looseObject({
  id: z.number().int(),
  method: z.string(),
  label: z.string().nullish().catch(null),
  /** Masked by the service. */
  phone_number: z.string().nullish().catch(null),
  is_primary: z.boolean().nullish().catch(null),
  fail_count: z.number().nullish().catch(null),
  locked_until: z.number().nullish().catch(null),
  created_at: z.number().nullish().catch(null),
  last_used: z.number().nullish().catch(null),
})
export type MethodRecord = z.infer<typeof methodRecord>

/** The account's 2FA (service API 4.6). */
export interface TwoFactorRecord {
  readonly tfa_enabled: boolean
  readonly methods: readonly MethodRecord[]
  /** Methods that couldn't be read: one that isn't among `methods` may be one of them. */
  readonly unreadable: readonly UnreadableRecord[]
  readonly backup_codes_remaining?: number | null | undefined
  readonly new_method_authorized?: boolean | null | undefined
}

/** Service API 8. */
export const challengeMs = 10 * 60_000
export const addWindowMs = 30 * 60_000
export const lockoutMs = 15 * 60_000
export const backupCodeCount = 10
export const longestLabel = 30

/** A method's label as the service takes it: at most 30 characters, counted as a person does. */
export const methodLabel = z
  .string()
  .trim()
  .refine((text) => Array.from(text).length <= longestLabel, saying({ code: 'too-long', most: longestLabel }))

/**
 * A phone number as the service takes it (E.164), from what a person types: spaces, dots, dashes and brackets
 * between the digits, `00` for the plus sign. `null` when it cannot be one.
 */
export function parsePhoneNumber(typed: string): string | null {
  const bare = typed.trim().replace(/[\s().\-/\u2010-\u2015]/g, '')
  const international = bare.replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(international) ? international : null
}
