import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { verification } from './verification.ts'
import { methodKind } from './methods.ts'

/** What a guided procedure is for. */
export const flowGoal = z.discriminatedUnion('kind', [
  /** A session beside the API key; `admin` is for admins only. */
  z.object({ kind: z.literal('log-in'), admin: z.boolean() }),
  z.object({ kind: z.literal('add'), method: methodKind }),
  /** `methodId` is `null` for a legacy account without methods. `thenAdd`: to set it up anew. */
  z.object({
    kind: z.literal('remove'),
    methodId: z.number().int().nullable(),
    thenAdd: methodKind.nullable(),
  }),
  /** New backup codes; for a legacy account also the upgrade, which makes its phone number a method. */
  z.object({ kind: z.literal('regenerate') }),
])
export type FlowGoal = z.infer<typeof flowGoal>

/** What to type so that a warning or the saving of codes is passed over on purpose. */
export const turnOffWords = 'turn off'
export const declineWords = 'not saved'

const keptIn = z.enum(['keychain', 'memory'])

/** Where a procedure stands. Each step is one screen. */
const flowStep = z.discriminatedUnion('kind', [
  /** Nothing is to be done here; `busy` says what is. */
  z.object({ kind: z.literal('preparing') }),
  /** What it means, before anything is asked. Removals but `remove` want `turnOffWords` typed. */
  z.object({
    kind: z.literal('warn'),
    about: z.enum([
      'remove',
      'remove-last',
      'remove-legacy',
      /** Whether the account is legacy isn't known, so 2FA may be off after it. */
      'remove-maybe-legacy',
      'regenerate',
      'upgrade-legacy',
    ]),
  }),
  verification,
  /**
   * The secret is in the vault (pending). `enrolment` gives it to be shown; `confirm` takes the first code of
   * the authenticator.
   */
  z.object({
    kind: z.literal('enrol-totp'),
    entryId: z.string(),
    keptIn,
    /** It is the account's first method, so backup codes will follow. */
    isFirst: z.boolean(),
    label: z.string(),
  }),
  /** `setNumber`, then `send`, then `confirm`. */
  z.object({
    kind: z.literal('enrol-sms'),
    isFirst: z.boolean(),
    label: z.string(),
    /** As it was accepted, in E.164; `null` before. */
    phoneNumber: z.string().nullable(),
    /** The code that is under way, and until when it is good. */
    sent: z.object({ at: z.number(), expiresAt: z.number() }).nullable(),
    /** Before this, sending again is refused; `null`: it may be sent. */
    resendAt: z.number().nullable(),
  }),
  /**
   * New backup codes are in the vault, and are shown (`newCodes`) until the vault says that the set was saved off
   * this machine, or that was declined by `declineWords`. Nothing else leaves this step.
   */
  z.object({
    kind: z.literal('save-codes'),
    /** The set in the vault's view, which says where it is kept (`keepBackupCodes` moves it) and how it was saved. */
    setId: z.string(),
    reason: z.enum(['first-method', 'regenerate', 'upgrade-legacy', 'left-unsaved']),
    count: z.number(),
  }),
  z.object({
    kind: z.literal('done'),
    outcome: z.discriminatedUnion('kind', [
      /** `codesLeft` is `null` when no backup code was used. */
      z.object({
        kind: z.literal('logged-in'),
        isAdmin: z.boolean(),
        keptIn,
        codesLeft: z.number().nullable(),
      }),
      z.object({ kind: z.literal('added'), method: methodKind, label: z.string() }),
      /** `off`: it was the last one, and the backup codes went with it. */
      z.object({ kind: z.literal('removed'), off: z.boolean() }),
      z.object({ kind: z.literal('codes-replaced'), upgraded: z.boolean(), declined: z.boolean() }),
    ]),
  }),
  /** It cannot go on. `suggestions` of the flow say what can be begun instead. */
  z.object({
    kind: z.literal('stopped'),
    why: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('problem'), problem }),
      /**
       * The reply never came. `happened`: what the account shows now; `null` while that cannot be asked.
       * Nothing was sent a second time.
       */
      z.object({
        kind: z.literal('reply-lost'),
        what: z.enum(['confirm', 'remove', 'regenerate']),
        happened: z.boolean().nullable(),
        problem,
      }),
    ]),
  }),
])
export type FlowStep = z.infer<typeof flowStep>

/** Why the last attempt in this step came to nothing. What was typed stays in its field. */
const flowRefusal = z.discriminatedUnion('kind', [
  /** `isAfterLoss`: the reply to an earlier try with this method was lost, so what became of that one isn't known. */
  z.object({ kind: z.literal('problem'), problem, isAfterLoss: z.boolean() }),
  /** Not sent: the code does not come from the secret that was just shown. */
  z.object({ kind: z.literal('typed-code') }),
  /**
   * Not sent: the code is right for a time that is `skewSeconds` ahead of (or behind) the true one, so the
   * clock of the authenticator is wrong. `confirm` with `anyway` sends it.
   */
  z.object({ kind: z.literal('typed-code-clock'), skewSeconds: z.number() }),
  /** Not sent: this very code was sent before, and a code is good once. */
  z.object({ kind: z.literal('same-code') }),
  /** Not sent: it was sent before, and the reply was lost, so it may be used. `submit` with `anyway` sends it. */
  z.object({ kind: z.literal('maybe-used-code') }),
  /** Not sent: it has not the shape of a code. */
  z.object({ kind: z.literal('shape'), expected: z.enum(['six-digits', 'backup-code', 'phone-number']) }),
  /** Not sent: the service refused this number during this run. */
  z.object({ kind: z.literal('number-refused') }),
  /** The vault has no code to use. */
  z.object({ kind: z.literal('no-stored-code') }),
])
export type FlowRefusal = z.infer<typeof flowRefusal>

/** What is being done; the form stays, and takes nothing meanwhile. */
const flowBusy = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('working'),
    what: z.enum(['preparing', 'sending', 'verifying', 'confirming', 'checking', 'keeping']),
  }),
  /** The vault's next code is waited for, as the present one was used or is about to end. */
  z.object({ kind: z.literal('waiting-for-code'), until: z.number() }),
  /** The service asked for patience (`code` of its table); `cancelRetry` ends the waiting. */
  z.object({
    kind: z.literal('retrying'),
    code: z.string(),
    attempt: z.number(),
    of: z.number(),
    at: z.number(),
  }),
])
export type FlowBusy = z.infer<typeof flowBusy>

/** A guided procedure. It lives in main: a page that is loaded anew finds it as it was. */
export const twoFactorFlow = z.object({
  id: z.string(),
  goal: flowGoal,
  /** What comes before and after, for the list of steps; `at` is the place of the present one. */
  path: z.array(z.enum(['warn', 'verify', 'enrol', 'save-codes', 'done'])).readonly(),
  at: z.number(),
  step: flowStep,
  busy: flowBusy.nullable(),
  refusal: flowRefusal.nullable(),
  /** Grows with each attempt, so that the same refusal twice is told twice. */
  attempt: z.number(),
  /** How far this machine's clock is off (positive: ahead), where that may be why a code was refused; else `null`. */
  clockOffMs: z.number().nullable(),
  /** What may be begun instead, most sensible first. */
  suggestions: z.array(flowGoal).readonly(),
})
export type TwoFactorFlow = z.infer<typeof twoFactorFlow>
