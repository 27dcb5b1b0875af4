import { z } from 'zod'
import type { Account } from '../accounts.ts'
import { badRequest } from '../api-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { requireAuthorization } from './authorize.ts'
import { renewBackupCodes } from './backup-codes.ts'
import { bearerEndpoint } from './credentials.ts'
import { requireVerifiedEmail } from './delivery.ts'
import { channel, label, secret, sixDigits } from './fields.ts'
import { addSmsMethod, addTotpMethod, chooseMethod, smsMethods } from './methods.ts'
import { stepOfCode } from './one-time-password.ts'
import { phoneNumber } from './phone-number.ts'
import { refusal } from './refusals.ts'
import type { TwoFactorState } from './state.ts'
import type { TwoFactor } from './two-factor.ts'
import { wrongCode } from './verification.ts'

const body = z.strictObject({
  tfa_method: channel,
  code: sixDigits,
  secret,
  phone_number: phoneNumber.optional(),
  label: label.optional(),
})
type Body = z.output<typeof body>

interface ConfirmPath {
  readonly path: string
  /** The older of the two paths knows nothing of accounts whose 2FA has no method records. */
  readonly refusesLegacy: boolean
}

/** Confirms and activates a method (service API 4.7, `POST /api/v0/tfa/confirm-new/`). */
export function confirmEndpoint(twoFactor: TwoFactor, { path, refusesLegacy }: ConfirmPath): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'POST',
    path,
    body,
    answer({ account, state, body: given }) {
      if (refusesLegacy && state.isLegacy)
        throw refusal('untracked_2fa_found', '2FA is on without a method; regenerate the backup codes first')
      const isFirst = state.methods.length === 0
      const order = orderOf(given)
      if (isFirst) requireVerifiedEmail(account, 'email')
      requireAuthorization(twoFactor, state)
      if (order.kind === 'totp') addTotp(twoFactor, state, order)
      else addSms(twoFactor, account, state, order)
      state.isLegacy = false
      const msg = `${given.tfa_method.toUpperCase()} is now a 2FA method of your account.`
      return { success: true, msg, ...(isFirst ? { backup_codes: renewBackupCodes(state) } : {}) }
    },
  })
}

interface OrderBase {
  readonly code: string
  readonly secret: string
  readonly label: string
}
type SmsOrder = OrderBase & { readonly kind: 'sms'; readonly phoneNumber: string }
type TotpOrder = OrderBase & { readonly kind: 'totp' }

/** What a body asks for, once the rules that concern more than one field are applied. */
function orderOf({
  tfa_method: kind,
  phone_number: number,
  label: text,
  ...proof
}: Body): SmsOrder | TotpOrder {
  switch (kind) {
    case 'email':
      throw refusal('invalid_tfa_method', 'e-mail is never stored as a method; use sms or totp')
    case 'totp':
      if (number !== undefined) throw badRequest('body.phone_number: for sms only')
      return { kind, ...proof, label: text ?? 'Authenticator' }
    case 'sms':
      if (number === undefined) throw refusal('missing_phone_number', 'an sms method needs its phone_number')
      return { kind, ...proof, label: text ?? 'SMS', phoneNumber: number }
  }
}

function addTotp(
  twoFactor: TwoFactor,
  state: TwoFactorState,
  { secret: offered, code, label: text }: TotpOrder,
): void {
  if (chooseMethod(state, 'totp', undefined) !== null)
    throw refusal('duplicate_tfa_method', 'the account has a totp method already')
  if (!state.offeredTotpSecrets.has(offered))
    throw refusal('challenge_not_found', 'this secret does not come from the TOTP setup of this account')
  const nowMs = twoFactor.clock.now()
  const lastStep = stepOfCode(offered, code, nowMs, null)
  if (lastStep === null) throw wrongCode('change', null)
  addTotpMethod(state, { id: twoFactor.nextMethodId(), label: text, nowMs, secret: offered, lastStep })
  state.offeredTotpSecrets = new Set()
}

function addSms(twoFactor: TwoFactor, account: Account, state: TwoFactorState, order: SmsOrder): void {
  const { phoneNumber: number, label: text } = order
  if (smsMethods(state).some((method) => method.phoneNumber === number))
    throw refusal('duplicate_tfa_method', 'the account has an sms method with this number already')
  const challenge = twoFactor.challenges.find(order.secret, account)
  const sent = twoFactor.challenges.codeOf(challenge, 'sms')
  if (sent.to !== number) throw refusal('phone_number_mismatch', 'the code was sent to another number')
  if (sent.code !== order.code) throw wrongCode('change', null)
  twoFactor.challenges.finish(challenge)
  addSmsMethod(state, {
    id: twoFactor.nextMethodId(),
    label: text,
    nowMs: twoFactor.clock.now(),
    phoneNumber: number,
  })
}
