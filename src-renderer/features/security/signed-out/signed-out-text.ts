import type { Problem } from '#domain/base/problem.ts'
import type { TfaCode } from '#domain/base/two-factor-codes.ts'
import type { SentChannel, SignedOutChannel } from '#domain/two-factor/signed-out.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'

/** What a code can come by, as it's called. */
export const channelNames: Readonly<Record<SignedOutChannel, string>> = {
  email: 'Email',
  sms: 'Text message',
  totp: 'Authenticator app',
  'backup-code': 'Backup code',
}

const otherSecret: ProblemText = {
  title: 'The service knows no login by this secret',
  meaning: 'The login is over, or this is the secret of something else. Nothing was changed.',
  nextStep: 'Sign in at the service again, and enter the secret of that login.',
}

/** Refusals that mean something else to somebody without a key. */
const ownTexts: Partial<Readonly<Record<TfaCode, ProblemText>>> = {
  auth_error: otherSecret,
  challenge_not_found: otherSecret,
  '2fa_expired': {
    title: 'The challenge has expired',
    meaning: 'A challenge is good for 10 minutes. The login isn’t complete.',
    nextStep:
      'Have a new code sent. If the service refuses that, too, sign in there again and enter the new secret.',
  },
  invalid_backup_code: {
    title: 'This backup code is wrong or was used',
    meaning: 'Each one is good once. The login isn’t complete.',
    nextStep: 'Use the next one of your newest set.',
  },
  sms_provider_rate_limited: {
    title: 'The SMS carrier is busy',
    meaning: 'No code is on its way yet.',
    nextStep: 'Try again in a moment, or choose another way.',
  },
  service_unavailable: {
    title: 'The service can’t check this now',
    meaning: 'A part of it is down. Nothing was changed.',
    nextStep: 'Try again in a moment.',
  },
}

/** Refusals that say what became of the login: what's left of them while nobody knows that. */
const meaningsAfterLoss: Partial<Readonly<Record<TfaCode, string>>> = {
  auth_error: 'The login is over, or this is the secret of something else.',
  challenge_not_found: 'The login is over, or this is the secret of something else.',
  '2fa_expired': 'A challenge is good for 10 minutes.',
  '2fa_login_failed': 'It’s wrong, was used, or belongs to another method.',
  invalid_backup_code: 'Each one is good once.',
  service_unavailable: 'A part of it is down.',
}

/**
 * Why the service refused somebody without a key, or why it couldn't be asked.
 *
 * @param isCodeLost the reply to an earlier code was lost, which may have completed the login
 */
export function signedOutText(problem: Problem, isCodeLost: boolean): ProblemText {
  const text = textOf(problem)
  const left = isCodeLost ? meaningAfterLoss(problem) : undefined
  if (left === undefined) return text
  return {
    ...text,
    meaning: `${left} The code whose reply was lost may have completed the login.`,
    nextStep: 'Check whether you’re signed in at the service before you use another code.',
  }
}

function meaningAfterLoss(problem: Problem): string | undefined {
  if (problem.kind === 'key-refused') return meaningsAfterLoss.auth_error
  return problem.kind === 'tfa-refused' ? meaningsAfterLoss[problem.code] : undefined
}

function textOf(problem: Problem): ProblemText {
  switch (problem.kind) {
    case 'key-refused':
      return otherSecret
    case 'not-allowed':
      return {
        title: 'The service refused this',
        meaning: problem.message === '' ? 'It gave no reason.' : `The service said: “${problem.message}”.`,
        nextStep: 'Choose another way, or use the secret of another login.',
      }
    case 'redirected':
      return {
        title: 'The service points to another address',
        meaning: `${problem.origin} answered with a redirect, which Slipway didn’t follow: the secret went nowhere else.`,
        nextStep: 'Check the service address, then use the secret of a new login.',
      }
    case 'bad-reply':
      return {
        title: 'Unexpected reply from the service',
        meaning: `Status ${problem.status}: ${problem.detail}.`,
        nextStep: 'Check that the service address is the API’s, and not a web page’s.',
      }
    case 'tfa-refused':
      return { ...problemText(problem, 'save'), ...ownTexts[problem.code], canRetry: false }
    default:
      return { ...problemText(problem, 'save'), canRetry: false }
  }
}

/** The reply to a request for a code was lost. */
export function lostCodeText(channel: SentChannel): ProblemText {
  return {
    title: 'The reply was lost',
    meaning: `A code may be on its way by ${channelNames[channel].toLowerCase()}. Nothing was sent a second time.`,
    nextStep: 'Look at your newest message first. Send another code only if none came.',
  }
}

/** The reply to a code was lost. */
export const lostReplyText: ProblemText = {
  title: 'The reply to your code was lost',
  meaning: 'The login may be complete, and the code used up. Slipway sends nothing a second time by itself.',
  nextStep:
    'Check whether you’re signed in at the service. If not, enter a fresh code, or press Verify again to send the same one.',
}
