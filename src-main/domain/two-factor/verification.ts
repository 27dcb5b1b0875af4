import { z } from 'zod'

/** Why a way to verify cannot be chosen now. */
const choiceBlock = z.discriminatedUnion('kind', [
  /** Until a time of this machine's clock; only this method is locked. */
  z.object({ kind: z.literal('locked'), until: z.number(), failCount: z.number() }),
  /** SMS is switched off for the account until the service's support clears it. */
  z.object({ kind: z.literal('sms-disabled') }),
  z.object({ kind: z.literal('email-not-verified') }),
  z.object({ kind: z.literal('missing-email') }),
  /** The service lost what it needs for this method: remove it and set it up again. */
  z.object({ kind: z.literal('not-configured') }),
  /** The service sends nothing to its number; it is not asked again during this run. */
  z.object({ kind: z.literal('number-refused') }),
  z.object({ kind: z.literal('no-codes-left') }),
])
export type ChoiceBlock = z.infer<typeof choiceBlock>

/** One way to verify. */
const verifyChoice = z.object({
  /** `method:<id>`, `legacy-sms`, `email` or `backup-code`. */
  id: z.string(),
  channel: z.enum(['totp', 'sms', 'email', 'backup-code']),
  label: z.string(),
  /** Where a code would be sent, as far as it may be shown. */
  maskedTarget: z.string().nullable(),
  isPrimary: z.boolean(),
  /** `send` comes before `submit`. */
  needsSending: z.boolean(),
  /** The vault can give a code (`submitStored`). Of backup codes, how many are certainly unused: 0 if each may be used. */
  stored: z.object({ codesLeft: z.number().nullable() }).nullable(),
  block: choiceBlock.nullable(),
})
export type VerifyChoice = z.infer<typeof verifyChoice>

/**
 * The one way to prove who one is, for logging in, for permission to add a method, for removing one and for new
 * backup codes: `choose`, `send` where the choice needs it, `submit` or `submitStored`.
 */
export const verification = z.object({
  kind: z.literal('verify'),
  purpose: z.enum(['log-in', 'authorise', 'remove', 'regenerate']),
  /** The primary method first, email and backup code last. */
  choices: z.array(verifyChoice).readonly(),
  /** Id of the choice; `null` when none can be used. */
  chosen: z.string().nullable(),
  /** The code that was sent for the choice, and until when it is good; both on this machine's clock. */
  sent: z.object({ at: z.number(), expiresAt: z.number() }).nullable(),
  /** Before this, sending again is refused; `null`: it may be sent. */
  resendAt: z.number().nullable(),
  /** The service knows no number: it has to be entered in full (`setNumber`) before `send`. */
  needsNumber: z.boolean(),
  /** Failed attempts with this choice in this procedure. How many are left is not known. */
  failures: z.number(),
  /** After two failures another way is the better one. */
  suggestSwitch: z.boolean(),
})
export type Verification = z.infer<typeof verification>
export type VerificationPurpose = Verification['purpose']
