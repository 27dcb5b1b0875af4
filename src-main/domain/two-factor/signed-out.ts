import { z } from 'zod'

/** By what a login of somebody without a key can be completed (service API 4.7, `POST /api/v0/tfa/`). */
export const signedOutChannel = z.enum(['email', 'sms', 'totp', 'backup-code'])
export type SignedOutChannel = z.infer<typeof signedOutChannel>

/** By what a code can be sent to somebody without a key (service API 5, the table). */
export const sentChannel = z.enum(['email', 'sms'])
export type SentChannel = z.infer<typeof sentChannel>

/** Of the newest code that was sent one way; times are this computer's, in ms. */
const sentCode = z.object({
  /** `null`: none was sent from here. */
  sent: z.object({ at: z.number(), expiresAt: z.number() }).nullable(),
  /** Before this, sending again is refused; `null`: it may be sent. */
  resendAt: z.number().nullable(),
  /** The reply never came: a code may be on its way. The next one is sent only if that's meant (`again`). */
  isLost: z.boolean(),
})
export type SentCode = z.infer<typeof sentCode>

/** A login at the service that waits for its second step, by the secret of its challenge. The secret is in main. */
export const signedOutLogin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('waiting'),
    serviceAddress: z.string(),
    busy: z.enum(['sending', 'verifying']).nullable(),
    email: sentCode,
    sms: sentCode,
    /** The reply to a code never came: the login may be complete, and the code used up. */
    isCodeLost: z.boolean(),
  }),
  /** The service accepted the code, and says whose login it was. Slipway gets no session by it (service API 4.7). */
  z.object({
    kind: z.literal('accepted'),
    name: z.string(),
    email: z.string(),
    /** Told only after a backup code. */
    codesLeft: z.number().nullable(),
    isLegacy: z.boolean(),
  }),
])
export type SignedOutLoginState = z.infer<typeof signedOutLogin>
export type WaitingLogin = Extract<SignedOutLoginState, { kind: 'waiting' }>
