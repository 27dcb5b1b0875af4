import { z } from 'zod'
import type { Account } from '../accounts.ts'
import { badRequest } from '../api-error.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Challenge } from './challenges.ts'
import { openEndpoint, type Sender } from './credentials.ts'
import { isOwnNumber, requireVerifiedEmail } from './delivery.ts'
import { methodId, secret } from './fields.ts'
import { requireUnlocked } from './lockout.ts'
import { chooseMethod, smsMethods } from './methods.ts'
import { phoneNumber } from './phone-number.ts'
import { refusal } from './refusals.ts'
import type { TwoFactorState } from './state.ts'
import type { TwoFactor } from './two-factor.ts'

const body = z.strictObject({
  phone_number: phoneNumber.optional(),
  tfa_method_id: methodId.optional(),
  secret: secret.optional(),
})
type Body = z.output<typeof body>

interface SmsPath {
  readonly path: string
  /** Admins may do without a verified email address on the two paths that say so (service API 4.7). */
  readonly exemptsAdmins: boolean
}

/** Sends a code by SMS (service API 4.7, `POST /api/v0/tfa/sms/`). */
export function sendSmsEndpoint(twoFactor: TwoFactor, { path, exemptsAdmins }: SmsPath): Endpoint {
  const { challenges, clock, delivery } = twoFactor
  return openEndpoint(twoFactor, {
    method: 'POST',
    path,
    body,
    answer({ sender, account, state, body: given }) {
      if (sender.kind === 'account' && given.secret !== undefined)
        throw badRequest('body.secret: omitted with an API key')
      const to = numberGiven(state, given) ?? defaultNumber(state)
      requireOwnNumber(sender, state, to)
      requireUnlockedNumber(state, to, clock.now())
      if (!(exemptsAdmins && account.isAdmin)) requireVerifiedEmail(account, 'sms')
      if (hasRecentCode(sender, account, to))
        throw refusal('tfa_challenge_exists', 'a code was sent to this number; resend it instead')
      const sent = delivery.sendSms(state, to)
      const challenge = sender.kind === 'account' ? challenges.create(account, 'bearer') : sender.login
      challenges.addCode(challenge, 'sms', sent)
      return { msg: 'A code was sent by SMS.', secret: challenge.secret }
    },
  })

  function hasRecentCode(sender: Sender, account: Account, to: string): boolean {
    if (sender.kind === 'account') return challenges.newestSms(account, to) !== undefined
    return challenges.hasGoodCode(sender.login, 'sms')
  }
}

/** Sends another code for a challenge (service API 4.7, `POST /api/v0/tfa/sms/resend/`). */
export function resendSmsEndpoint(twoFactor: TwoFactor, { path, exemptsAdmins }: SmsPath): Endpoint {
  const { challenges, clock, delivery } = twoFactor
  return openEndpoint(twoFactor, {
    method: 'POST',
    path,
    body,
    answer({ account, state, body: given }) {
      const number = numberGiven(state, given)
      const challenge =
        given.secret === undefined ? newest(account, number) : challenges.find(given.secret, account)
      const { to } = challenges.codeOf(challenge, 'sms')
      if (number !== undefined && number !== to)
        throw refusal('phone_number_mismatch', 'the first code was sent to another number')
      requireUnlockedNumber(state, to, clock.now())
      if (!(exemptsAdmins && account.isAdmin)) requireVerifiedEmail(account, 'sms')
      challenges.addCode(challenge, 'sms', delivery.sendSms(state, to))
      if (given.secret === undefined) challenges.renewSecret(challenge)
      return { msg: 'A new code was sent by SMS.', secret: challenge.secret }
    },
  })

  function newest(account: Account, number: string | undefined): Challenge {
    const challenge = challenges.newestSms(account, number) ?? challenges.newestSms(account)
    if (challenge === undefined)
      throw refusal('no_challenge_found', 'no code was sent by SMS that is still good')
    return challenge
  }
}

/** The number that a request names, by itself or by a method. */
function numberGiven(state: TwoFactorState, given: Body): string | undefined {
  if (given.tfa_method_id === undefined) return given.phone_number
  const method = chooseMethod(state, 'sms', given.tfa_method_id)
  if (method === null) return given.phone_number
  if (given.phone_number !== undefined && given.phone_number !== method.phoneNumber)
    throw refusal('phone_number_mismatch', `method ${method.id} has another phone number`)
  return method.phoneNumber
}

/** The number on the account; the request has to say which if there are several. */
function defaultNumber(state: TwoFactorState): string {
  const [method, another] = smsMethods(state)
  if (another !== undefined)
    throw badRequest('body.tfa_method_id: needed, as the account has several sms methods')
  const number = method?.phoneNumber ?? state.phoneNumberOnFile
  if (number === null)
    throw refusal('missing_phone_number', 'no phone number is given, and none is on the account')
  return number
}

/** A locked method gets no codes that could not be used. */
function requireUnlockedNumber(state: TwoFactorState, to: string, nowMs: number): void {
  for (const method of smsMethods(state)) if (method.phoneNumber === to) requireUnlocked(method, nowMs)
}

/** Somebody logged out proves to be the account's owner, which a new number would not. */
function requireOwnNumber(sender: Sender, state: TwoFactorState, to: string): void {
  if (sender.kind === 'logged-out' && !isOwnNumber(state, to))
    throw refusal('phone_number_mismatch', 'this is not a phone number of the account')
}
