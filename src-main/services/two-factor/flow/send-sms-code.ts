import type { Sent, SmsTarget, TwoFactorClient } from '../../rental-api/two-factor.ts'
import type { Challenge } from './challenges.ts'
import { isTwoFactorRefusal } from '../two-factor-refusal.ts'

export interface SmsCode {
  readonly client: TwoFactorClient
  readonly target: SmsTarget
  /** The one that was sent before and is still good: the service sends it again. */
  readonly held: Challenge | null
  /** How the first one is asked for. */
  readonly begin?: () => Sent
}

/** Sends a code by SMS. @throws ProblemError tfa-refused, and whatever keeps a request from its reply */
export async function sendSmsCode({
  client,
  target,
  held,
  begin = () => client.sendSms(target),
}: SmsCode): Sent {
  if (held !== null) return client.resendSms(target, held.secret)
  try {
    return await begin()
  } catch (error) {
    // One that nobody here knows the secret of: sent once more, it gets another.
    if (isTwoFactorRefusal(error, 'tfa_challenge_exists')) return client.resendSms(target, null)
    throw error
  }
}
