import { z } from 'zod'
import type { Account } from '../accounts.ts'
import { badRequest } from '../api-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { spendBackupCode } from './backup-codes.ts'
import type { Challenge } from './challenges.ts'
import { bearerEndpoint } from './credentials.ts'
import { requireVerifiedEmail } from './delivery.ts'
import { backupCode, channel, methodId, secret, sixDigits } from './fields.ts'
import { WINDOW_MS } from './limits.ts'
import { requireUnlocked } from './lockout.ts'
import { chooseMethod, findMethod } from './methods.ts'
import { refusal } from './refusals.ts'
import type { Channel, TwoFactorState } from './state.ts'
import type { TwoFactor } from './two-factor.ts'
import { usableTotp, verify } from './verification.ts'

const PATH = '/api/v0/tfa/authorize-new-method/'

const startBody = z.strictObject({
  tfa_method: channel.optional(),
  tfa_method_id: methodId.optional(),
  backup_code: backupCode.optional(),
})

/** Begins to authorize a new method: sends a code, or takes a backup code (service API 4.7, step 1). */
export function authorizeEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'POST',
    path: PATH,
    body: startBody,
    answer({ account, state, body }) {
      if (body.backup_code !== undefined) {
        spendBackupCode(state, body.backup_code)
        openWindow(twoFactor, state)
        return { success: true, msg: 'Authorization successful.' }
      }
      const { tfa_method_id: id } = body
      const chosen = chooseChannel(state, body.tfa_method, id)
      const challenge = challengeBy(twoFactor, account, chosen, id)
      state.pendingAuthorization = { channel: chosen, methodId: id }
      return { success: true, secret: challenge.secret }
    },
  })
}

function chooseChannel(state: TwoFactorState, named: Channel | undefined, id: number | undefined): Channel {
  const method = id === undefined ? undefined : findMethod(state, id)
  if (state.methods.length === 0) return 'email'
  const chosen = named ?? method?.kind
  if (chosen === undefined)
    throw badRequest('body.tfa_method: needed, unless tfa_method_id or backup_code is given')
  return chosen
}

/** Makes the challenge for the code that step 2 takes, and sends the code if it has to be sent. */
function challengeBy(
  twoFactor: TwoFactor,
  account: Account,
  chosen: Channel,
  id: number | undefined,
): Challenge {
  switch (chosen) {
    case 'email': {
      if (id !== undefined) throw badRequest('body.tfa_method_id: e-mail is no method')
      requireVerifiedEmail(account, 'email')
      const challenge = createChallenge(twoFactor, account)
      twoFactor.challenges.addCode(challenge, 'email', twoFactor.delivery.sendEmail(account.email))
      return challenge
    }
    case 'sms': {
      const state = twoFactor.stateOf(account)
      const method = chooseMethod(state, 'sms', id)
      if (method === null) throw refusal('missing_phone_number', 'the account has no sms method')
      requireUnlocked(method, twoFactor.clock.now())
      requireVerifiedEmail(account, 'sms')
      const challenge = createChallenge(twoFactor, account)
      twoFactor.challenges.addCode(challenge, 'sms', twoFactor.delivery.sendSms(state, method.phoneNumber))
      return challenge
    }
    case 'totp':
      usableTotp(twoFactor, account, id)
      return createChallenge(twoFactor, account)
  }
}

function createChallenge({ challenges, storesDown }: TwoFactor, account: Account): Challenge {
  if (storesDown.has('authorization-challenges'))
    throw refusal('challenge_creation_failed', 'the challenge could not be stored; try again')
  return challenges.create(account, 'bearer')
}

const finishBody = z.strictObject({ code: sixDigits.optional(), secret: secret.optional() })

/** Authorizes a new method by the code of step 1, for 30 minutes (service API 4.7, step 2). */
export function finishAuthorizationEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'PUT',
    path: PATH,
    body: finishBody,
    answer({ account, state, body }) {
      if (body.code === undefined || body.secret === undefined)
        throw refusal('missing_params', 'both code and secret are needed')
      requireAuthorizationStore(twoFactor)
      const pending = state.pendingAuthorization
      if (pending === null) throw refusal('no_pending_authorization', 'begin with POST authorize-new-method')
      const challenge = twoFactor.challenges.find(body.secret, account)
      const { code } = body
      verify(twoFactor, account, { ...pending, code, secret: challenge.secret }, 'change')
      twoFactor.challenges.finish(challenge)
      state.pendingAuthorization = null
      openWindow(twoFactor, state)
      return { success: true, msg: 'You may add a method within the next 30 minutes.' }
    },
  })
}

function openWindow(twoFactor: TwoFactor, state: TwoFactorState): void {
  state.authorizedUntilMs = twoFactor.clock.now() + WINDOW_MS
}

/** Refuses outside the window in which methods may be added (service API 3.3). */
export function requireAuthorization(twoFactor: TwoFactor, state: TwoFactorState): void {
  requireAuthorizationStore(twoFactor)
  if (twoFactor.clock.now() < state.authorizedUntilMs) return
  throw refusal(
    'authorization_required',
    'authorize the new method first; the window of 30 minutes is closed',
  )
}

function requireAuthorizationStore({ storesDown }: TwoFactor): void {
  if (storesDown.has('authorizations'))
    throw refusal('service_unavailable', 'the authorization could not be looked up; try again')
}
