import { z } from 'zod'
import { LONGEST_LABEL } from './limits.ts'

/** A `tfa_method`: sms and totp are methods, email only verifies (service API 2.6 and 4.7). */
export const channel = z.enum(['sms', 'totp', 'email'])
export const sixDigits = z.string().regex(/^\d{6}$/, 'expected a code of 6 digits')
export const secret = z.string().min(1)
export const backupCode = z.string().min(1)
export const methodId = z.int().positive()

/** A method's label (service API 8). */
export const label = z.string().refine((text) => Array.from(text).length <= LONGEST_LABEL, {
  error: `longer than ${String(LONGEST_LABEL)} characters`,
})
