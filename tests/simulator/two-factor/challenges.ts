import { randomBytes } from 'node:crypto'
import type { Account } from '../accounts.ts'
import type { Clock } from '../clock.ts'
import { CHALLENGE_MS } from './limits.ts'
import { refusal } from './refusals.ts'

/** A code that was sent. */
export interface SentCode {
  readonly code: string
  /** Phone number or email address. */
  readonly to: string
  readonly atMs: number
}

/** What a `secret` stands for: a login that waits, or the codes that were sent for a key's holder. */
export interface Challenge {
  secret: string
  readonly account: Account
  /** Only the secret of a login stands for its account by itself. */
  readonly origin: 'login' | 'bearer'
  /** Renewed by each code that is sent. */
  startedAtMs: number
  readonly sent: { sms: SentCode | null; email: SentCode | null }
}

export interface Challenges {
  create(account: Account, origin: Challenge['origin']): Challenge
  /** The challenge of a secret, of this account if one is given; refuses what is unknown, used or expired. */
  find(secret: string, account: Account | null): Challenge
  /** The newest challenge of a key's holder whose SMS code is still good, to this number if one is given. */
  newestSms(account: Account, to?: string): Challenge | undefined
  addCode(challenge: Challenge, channel: 'sms' | 'email', sent: SentCode): void
  hasGoodCode(challenge: Challenge, channel: 'sms' | 'email'): boolean
  /** The code that a challenge sent by this channel; refuses if none was, or if it expired. */
  codeOf(challenge: Challenge, channel: 'sms' | 'email'): SentCode
  /** Gives the challenge another secret; the old one is unknown from now on. */
  renewSecret(challenge: Challenge): void
  /** A challenge is good for one verification. */
  finish(challenge: Challenge): void
}

export function createChallenges(clock: Pick<Clock, 'now'>): Challenges {
  const challenges = new Set<Challenge>()
  const isOver = (startedAtMs: number): boolean => clock.now() >= startedAtMs + CHALLENGE_MS
  const hasGoodCode: Challenges['hasGoodCode'] = ({ sent }, channel) => {
    const code = sent[channel]
    return code !== null && !isOver(code.atMs)
  }
  const newSecret = (): string => randomBytes(24).toString('hex')

  return {
    create(account, origin) {
      const sent = { sms: null, email: null }
      const challenge: Challenge = { secret: newSecret(), account, origin, startedAtMs: clock.now(), sent }
      challenges.add(challenge)
      return challenge
    },
    find(secret, account) {
      const challenge = [...challenges].find(
        (each) => each.secret === secret && (account === null || each.account === account),
      )
      if (challenge === undefined) throw refusal('challenge_not_found', 'no challenge belongs to the secret')
      if (isOver(challenge.startedAtMs)) throw expired()
      return challenge
    },
    newestSms(account, to) {
      return [...challenges]
        .filter(({ account: owner, origin }) => owner === account && origin === 'bearer')
        .filter((each) => hasGoodCode(each, 'sms') && (to === undefined || each.sent.sms?.to === to))
        .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
        .at(-1)
    },
    addCode(challenge, channel, sent) {
      challenge.startedAtMs = sent.atMs
      challenge.sent[channel] = sent
    },
    hasGoodCode,
    codeOf(challenge, channel) {
      const sent = challenge.sent[channel]
      if (sent === null) throw refusal('no_challenge_found', `no code was sent by ${channel} for this secret`)
      if (isOver(sent.atMs)) throw expired()
      return sent
    },
    renewSecret(challenge) {
      challenge.secret = newSecret()
    },
    finish: (challenge) => void challenges.delete(challenge),
  }
}

const expired = (): Error =>
  refusal('2fa_expired', 'the challenge is older than 10 minutes; ask for a new code')
