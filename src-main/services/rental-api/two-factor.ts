import { z } from 'zod'
import { ProblemError } from '../../domain/base/problem.ts'
import { twoFactorProblemOf } from '../../domain/rental-api/service-errors.ts'
import {
  methodRecord,
  type MethodKind,
  type CodeChannel,
  type TwoFactorRecord,
} from '../../domain/two-factor/methods.ts'
import { user } from '../../domain/accounts/account.ts'
import type { Http } from './http.ts'
import { recordList } from './record-list.ts'

/** What proves who somebody is (service API 4.7). `methodId` is `null` where the account has no method records. */
export type Proof =
  | { readonly kind: 'totp'; readonly code: string; readonly methodId: number | null }
  /** `secret`: of the challenge that sent the code. */
  | { readonly kind: 'sms'; readonly code: string; readonly secret: string; readonly methodId: number | null }
  | { readonly kind: 'email'; readonly code: string; readonly secret: string }
  | { readonly kind: 'backup-code'; readonly backupCode: string }

/** Six digits out of what was typed or pasted (`123 456`); `null` when it is no code. */
export function parseSixDigits(typed: string): string | null {
  const bare = typed.replaceAll(/[\s\-\u2010-\u2015]/gu, '')
  return /^[0-9]{6}$/.test(bare) ? bare : null
}

const said = z.looseObject({ success: z.boolean().nullish() })
const withSecret = z.looseObject({ secret: z.string().min(1) })
const backupCodes = z.array(z.string().min(1)).min(1).readonly()

/** The end of a login. The codes left are told only after a backup code; absent then means none (service API 4.7). */
const loggedIn = user.extend({
  session_key: z.string().min(1).nullish(),
  backup_codes_remaining: z.number().nullish(),
  legacy_tfa_user: z.boolean().nullish(),
})
const statusReply = z
  .looseObject({
    tfa_enabled: z.boolean(),
    methods: recordList(methodRecord),
    backup_codes_remaining: z.number().nullish(),
    new_method_authorized: z.boolean().nullish(),
  })
  .transform(({ methods, ...rest }): TwoFactorRecord => ({
    ...rest,
    methods: methods.records,
    unreadable: methods.unreadable,
  }))
const setUp = z.looseObject({ secret: z.string().min(1), provisioning_uri: z.string().min(1) })
const removed = z.looseObject({ remaining_methods: z.number().nullish() })
const confirmed = said.extend({ backup_codes: backupCodes.nullish() })
const regenerated = z.looseObject({ backup_codes: backupCodes })
const updated = said.extend({ method: methodRecord.nullish() })

/** Where an SMS goes: to a method's number, to this one, or to the one on the account. */
export interface SmsTarget {
  readonly methodId?: number
  /** E.164. */
  readonly phoneNumber?: string
}

export interface NewMethod {
  readonly method: MethodKind
  readonly code: string
  /** Of the SMS challenge, or the base32 secret of the TOTP setup. */
  readonly secret: string
  /** E.164, for SMS. */
  readonly phoneNumber: string | null
  readonly label: string
}

/** What is left out stays as it is. */
export interface MethodChange {
  readonly label?: string | undefined
  readonly isPrimary?: true | undefined
}

/** The secret of the challenge by which a code was sent; one that comes later takes the place of one before. */
export type Sent = Promise<{ readonly secret: string }>

/**
 * The 2FA endpoints for the holder of a key or a session (service API 4.6, 4.7, 5; columns "Bearer" and "Bearer
 * plus secret"). The deprecated paths are not used. Everything that spends or sends a code is sent once.
 *
 * @param refusal what an error reply means; `sessionProblemOf` for a session's key
 */
export function createTwoFactorClient(http: Http, refusal: Refusal = twoFactorProblemOf) {
  const call = caller(http, refusal)
  return {
    status: (signal?: AbortSignal): Promise<TwoFactorRecord> =>
      http.send({
        method: 'GET',
        path: '/api/v0/tfa/status/',
        reply: statusReply,
        refusal,
        repeatable: true,
        ...(signal && { signal }),
      }),

    logIn: async (proof: Proof, admin: boolean) => {
      const reply = await call('POST', '', { ...proofFields(proof), ...(admin && { admin }) }, loggedIn)
      return {
        userId: reply.id,
        sessionKey: reply.session_key ?? null,
        codesLeft: reply.backup_codes_remaining ?? null,
        isLegacy: reply.legacy_tfa_user === true,
      }
    },

    /** `targetId` is `null` for a legacy account without methods only. How many are left: 0 means 2FA is off. */
    remove: async (proof: Proof, targetId: number | null): Promise<number> => {
      const target = targetId === null ? {} : { target_id: targetId }
      const reply = await call('DELETE', '', { ...proofFields(proof), ...target }, removed)
      return reply.remaining_methods ?? 0
    },

    /** Makes a new challenge each time. */
    sendEmail: (): Sent => call('POST', 'email/', {}, withSecret),
    sendSms: (target: SmsTarget): Sent => call('POST', 'sms/', smsFields(target), withSecret),
    /** Without a secret the service finds the newest challenge, and gives it a new one. */
    resendSms: (target: SmsTarget, secret: string | null): Sent =>
      call('POST', 'sms/resend/', { ...smsFields(target), ...(secret !== null && { secret }) }, withSecret),

    /** A new secret each time; no method is added by it. */
    setUpTotp: async () => {
      const { secret, provisioning_uri: uri } = await call('POST', 'totp-setup/', undefined, setUp)
      return { secret, uri }
    },

    /** Step 1 of the permission to add a method; it sends the code itself. */
    beginAuthorization: (channel: CodeChannel, methodId: number | null): Sent =>
      call(
        'POST',
        'authorize-new-method/',
        { tfa_method: channel, ...(methodId !== null && { tfa_method_id: methodId }) },
        withSecret,
      ),
    authorizeByBackupCode: async (backupCode: string): Promise<void> => {
      await done(call('POST', 'authorize-new-method/', { backup_code: backupCode }, said))
    },
    /** Step 2: opens the window of 30 minutes. */
    finishAuthorization: async (code: string, secret: string): Promise<void> => {
      await done(call('PUT', 'authorize-new-method/', { code, secret }, said))
    },

    /** Adds the method. Backup codes come with the first one only, and this once. */
    confirm: async ({ method, code, secret, phoneNumber, label }: NewMethod) => {
      const body = {
        tfa_method: method,
        code,
        secret,
        ...(phoneNumber !== null && { phone_number: phoneNumber }),
        ...(label !== '' && { label }),
      }
      const reply = await done(call('POST', 'confirm-new/', body, confirmed))
      return { backupCodes: reply.backup_codes ?? null }
    },

    update: async (methodId: number, change: MethodChange): Promise<void> => {
      const { label, isPrimary } = change
      const body = {
        tfa_method_id: methodId,
        ...(label !== undefined && { label }),
        ...(isPrimary && { is_primary: true }),
      }
      await done(call('PUT', 'update/', body, updated))
    },

    /** Replaces all backup codes; the new ones come this once. */
    regenerate: async (proof: Proof): Promise<readonly string[]> =>
      (await call('PUT', 'regen-backup-codes/', proofFields(proof), regenerated)).backup_codes,
  }
}
export type TwoFactorClient = ReturnType<typeof createTwoFactorClient>

/**
 * The 2FA endpoints for somebody logged out, by the secret of the login's challenge alone (service API 5, column "Logged
 * out"). Each request is sent once.
 */
export function createSignedOutClient(http: Http) {
  const call = caller(http, twoFactorProblemOf)
  return {
    sendEmail: (secret: string): Sent => call('POST', 'email/', { secret }, withSecret),
    sendSms: (target: SmsTarget, secret: string): Sent =>
      call('POST', 'sms/', { ...smsFields(target), secret }, withSecret),
    resendSms: (target: SmsTarget, secret: string): Sent =>
      call('POST', 'sms/resend/', { ...smsFields(target), secret }, withSecret),
    /** `secret` says whose login it is where the proof has none. A session comes by cookie, and isn't kept. */
    logIn: async (proof: Proof, secret: string) => {
      const reply = await call('POST', '', { secret, ...proofFields(proof) }, loggedIn)
      return {
        name: reply.full_name ?? '',
        email: reply.email ?? '',
        codesLeft: reply.backup_codes_remaining ?? null,
        isLegacy: reply.legacy_tfa_user === true,
      }
    },
  }
}
export type SignedOutClient = ReturnType<typeof createSignedOutClient>

type Refusal = typeof twoFactorProblemOf

function caller(http: Http, refusal: Refusal) {
  return <T>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    reply: z.ZodType<T>,
  ): Promise<T> =>
    http.send({
      method,
      path: `/api/v0/tfa/${path}`,
      reply,
      refusal,
      repeatable: false,
      ...(body !== undefined && { body }),
    })
}

async function done<T extends { readonly success?: boolean | null | undefined }>(
  reply: Promise<T>,
): Promise<T> {
  const value = await reply
  if (value.success === false)
    throw new ProblemError({ kind: 'refused', status: 200, code: '', message: 'success: false' })
  return value
}

function smsFields({ methodId, phoneNumber }: SmsTarget): object {
  return {
    ...(methodId !== undefined && { tfa_method_id: methodId }),
    ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
  }
}

function proofFields(proof: Proof): object {
  if (proof.kind === 'backup-code') return { backup_code: proof.backupCode }
  return {
    tfa_method: proof.kind,
    code: proof.code,
    ...(proof.kind !== 'totp' && { secret: proof.secret }),
    ...(proof.kind !== 'email' && proof.methodId !== null && { tfa_method_id: proof.methodId }),
  }
}
