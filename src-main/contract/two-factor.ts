import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { flowGoal } from '../domain/two-factor/flow.ts'
import { sentChannel, signedOutChannel, signedOutLogin } from '../domain/two-factor/signed-out.ts'
import { twoFactorState } from '../domain/two-factor/two-factor.ts'
import { methodLabel } from '../domain/two-factor/methods.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const ofFlow = z.object({ flowId: z.string() })
/** What a person may paste: main takes spaces and dashes away. */
const typedCode = z.string().max(64)

/**
 * Two-factor authentication of the account. Everything is in the state: calls resolve when their work is
 * done, and what the service refused is the flow's `refusal` (or its next step), not an error of the call. A call
 * for a flow or a step that is no longer there is `invalid-input` with the field `flowId`.
 */
export const twoFactor = {
  /** Account and flow, the newest state only. */
  watch: procedure.output(eventIterator(twoFactorState)),
  /**
   * Asks the service for the account's state again, and the keychain whether it is open: when the page is opened, and
   * as "Recheck" after verifying the email address.
   */
  refresh: procedure.output(nothing),

  /**
   * Begins a procedure. It takes the place of one that waits, but of none that is at work or has codes to save
   * (`invalid-input` with the field `flow`). A keychain that cannot keep what the service would show once is
   * `keychain-locked` or, unless `keepIn` is memory, `keychain-unavailable`, before anything was asked of the service.
   */
  begin: procedure
    .input(z.object({ goal: flowGoal, keepIn: z.enum(['keychain', 'memory']) }))
    .output(z.object({ flowId: z.string() })),
  /** Leaves the procedure. Not while codes are to be saved. A secret that was not confirmed stays in the vault. */
  cancel: procedure.input(ofFlow).output(nothing),
  /** Ends the waiting before an automatic retry, or for the vault's next code. */
  cancelRetry: procedure.input(ofFlow).output(nothing),

  /** Passes the step `warn`; `words` are `turnOffWords` where it asks for them. */
  proceed: procedure.input(ofFlow.extend({ words: z.string().max(64) })).output(nothing),

  /** Takes another way to verify. The code that was sent before stays good for its own choice. */
  choose: procedure.input(ofFlow.extend({ choiceId: z.string().max(64) })).output(nothing),
  /** The number in full, where a step asks for it. Cannot be used: a refusal, and the one from before stays. */
  setNumber: procedure
    .input(ofFlow.extend({ phoneNumber: z.string().max(64) }))
    .output(z.object({ isAccepted: z.boolean() })),
  /** Sends a code, or sends it again: the state says which it will be (`sent`). */
  send: procedure.input(ofFlow).output(nothing),
  /**
   * Verifies by what was typed: six digits or, with that choice, a backup code. One that may be used is sent again only
   * with `anyway`.
   */
  submit: procedure
    .input(ofFlow.extend({ code: typedCode, anyway: z.boolean().default(false) }))
    .output(nothing),
  /** "Use stored code": the vault's next code of this method, or its next unused backup code. */
  submitStored: procedure.input(ofFlow).output(nothing),

  /**
   * The new TOTP secret to be shown in the step `enrol-totp`, and only there: base32, the URI as the service gave
   * it, and its QR code as a picture (a `data:` address). Forget it when the step is left or hidden.
   */
  enrolment: procedure
    .input(ofFlow)
    .output(z.object({ secret: z.string(), uri: z.string(), picture: z.string() })),
  /** Confirms the new method by its first code. A TOTP code is checked here first, unless `anyway`. */
  confirm: procedure
    .input(ofFlow.extend({ code: typedCode, label: methodLabel, anyway: z.boolean() }))
    .output(nothing),

  /**
   * The new backup codes to be shown in the step `save-codes`, and only there; without a time limit. They are saved
   * by the vault's own calls for their set: `saveBackupCodes`, `copyBackupCodes`, `markBackupCodesSaved` (print).
   */
  newCodes: procedure.input(ofFlow).output(z.object({ codes: z.array(z.string()).readonly() })),
  /** Ends the step `save-codes`: once the set is `saved` in the vault, or with `declineWords` typed. */
  finishSaving: procedure.input(ofFlow.extend({ words: z.string().max(64) })).output(nothing),
  /** Opens the step `save-codes` again for codes of the vault that were never saved elsewhere. */
  resumeSaving: procedure.output(z.object({ flowId: z.string() })),

  /** Changes a method's label, or makes it the primary one. */
  updateMethod: procedure
    .input(
      z.object({
        methodId: z.number().int(),
        label: methodLabel.optional(),
        isPrimary: z.literal(true).optional(),
      }),
    )
    .output(nothing),
  /**
   * What the account's requests go by from here on, until the session ends: the account's `bearer` says it. A session
   * that is over, or another user's, is dropped: `session-ended`.
   */
  chooseBearer: accountProcedure
    .input(z.object({ bearer: z.enum(['api-key', 'admin-session']) }))
    .output(nothing),
  /**
   * Ends the session for good; the API key is used again. A keychain that is closed has its key until it opens
   * (`isSessionLeft`).
   */
  endSession: procedure.output(nothing),
  /** Offers SMS again, after the service's support has cleared the account. */
  allowSms: accountProcedure.output(nothing),
  /** Takes a notice of what was left undone away. */
  dismissUnfinished: accountProcedure.input(z.object({ id: z.string() })).output(nothing),

  /**
   * A login at the service that waits for its second step, of somebody without a key here: as far as the challenge's
   * secret goes (service API 5). It opens no session in Slipway. Refusals are errors of the call.
   */
  signedOut: {
    watch: procedure.output(eventIterator(signedOutLogin)),
    /** The secret goes in and never comes back. Nothing is sent. */
    begin: procedure
      .input(z.object({ serviceAddress: z.string().max(2048), secret: z.string().trim().min(1).max(2000) }))
      .output(nothing),
    /** `phoneNumber` as typed, empty for the one on the account. */
    send: procedure
      .input(
        z.object({
          channel: sentChannel,
          phoneNumber: z.string().max(64),
          methodId: z.number().int().nullable(),
          again: z.boolean(),
        }),
      )
      .output(nothing),
    submit: procedure
      .input(
        z.object({
          channel: signedOutChannel,
          code: typedCode,
          methodId: z.number().int().nullable(),
          again: z.boolean(),
        }),
      )
      .output(nothing),
    /** Forgets the secret. */
    end: procedure.output(nothing),
  },
}
