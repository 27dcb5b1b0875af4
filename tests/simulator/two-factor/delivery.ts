import { randomInt } from 'node:crypto'
import type { Account } from '../accounts.ts'
import type { Clock } from '../clock.ts'
import type { SentCode } from './challenges.ts'
import { ATTEMPTS_ON_NUMBER, SMS_OF_ACCOUNT } from './limits.ts'
import { smsMethods } from './methods.ts'
import { NUMBERS } from './phone-number.ts'
import { refusal } from './refusals.ts'
import type { TwoFactorState } from './state.ts'

/** A message that reached its receiver. */
export interface OutboxEntry {
  readonly channel: 'sms' | 'email'
  /** Phone number or email address. */
  readonly to: string
  readonly code: string
  /** Simulated seconds since the epoch. */
  readonly at: number
}

export const CARRIER_STATES = ['up', 'down', 'busy'] as const
export type CarrierState = (typeof CARRIER_STATES)[number]

/** The ways by which codes leave the service. */
export interface Delivery {
  outbox(): readonly OutboxEntry[]
  /** What happens to every SMS from now on: `busy` is the carrier's own rate limit. */
  setCarrier(state: CarrierState): void
  /** Sends a fresh code; refuses when the account, the number or the carrier may not, or too often. */
  sendSms(state: TwoFactorState, to: string): SentCode
  sendEmail(to: string): SentCode
}

export function createDelivery(clock: Pick<Clock, 'now' | 'nowSeconds'>): Delivery {
  const outbox: OutboxEntry[] = []
  /** When codes were asked for numbers that the account in question had not proven to be its own. */
  const attemptsOn = new Map<string, readonly number[]>()
  let carrier: CarrierState = 'up'

  const within = (times: readonly number[], periodMs: number): readonly number[] =>
    times.filter((atMs) => atMs > clock.now() - periodMs)

  function send(channel: OutboxEntry['channel'], to: string): SentCode {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    outbox.push({ channel, to, code, at: clock.nowSeconds() })
    return { code, to, atMs: clock.now() }
  }

  function requireSmsAllowed(state: TwoFactorState, to: string): void {
    if (state.isFlaggedForSmsFraud)
      throw refusal('sms_fraud_detected', 'SMS is disabled for this account until support clears it')
    if (to === NUMBERS.fraudulent)
      throw refusal('sms_blocked_number', 'this number is flagged as a high risk of SMS fraud')
    if (within(state.smsSentAtMs, SMS_OF_ACCOUNT.withinMs).length >= SMS_OF_ACCOUNT.count)
      throw refusal('sms_rate_limited', 'too many codes by SMS were asked for; wait 10 minutes')
    if (isOwnNumber(state, to)) return
    const attempts = within(attemptsOn.get(to) ?? [], ATTEMPTS_ON_NUMBER.withinMs)
    if (attempts.length >= ATTEMPTS_ON_NUMBER.count)
      throw refusal('preauth_phone_cap', 'this number was used in too many authorization attempts')
    attemptsOn.set(to, [...attempts, clock.now()])
  }

  return {
    outbox: () => [...outbox],
    setCarrier(state) {
      carrier = state
    },
    sendSms(state, to) {
      requireSmsAllowed(state, to)
      if (carrier === 'down' || to === NUMBERS.unreachable)
        throw refusal('sms_provider_error', 'the carrier could not deliver the SMS')
      if (carrier === 'busy' || to === NUMBERS.throttled)
        throw refusal('sms_provider_rate_limited', 'the carrier takes no more SMS for now; retry shortly')
      state.smsSentAtMs = [...within(state.smsSentAtMs, SMS_OF_ACCOUNT.withinMs), clock.now()]
      return send('sms', to)
    },
    sendEmail: (to) => send('email', to),
  }
}

/** Whether the number is on file, or a method of the account. */
export function isOwnNumber(state: TwoFactorState, number: string): boolean {
  return state.phoneNumberOnFile === number || smsMethods(state).some((each) => each.phoneNumber === number)
}

/**
 * Refuses to send a code for an account without a verified email address (service API 4.7, prerequisites).
 * `channel` is the way by which it would go: email needs an address, too.
 */
export function requireVerifiedEmail(account: Account, channel: 'sms' | 'email'): void {
  if (channel === 'email' && account.email === '')
    throw refusal('missing_email', 'the account has no e-mail address')
  if (account.emailVerifiedAt === null)
    throw refusal('email_not_verified', 'the e-mail address of the account is not verified')
}
