import type { Problem } from '#domain/base/problem.ts'
import type { TwoFactorCode } from '#domain/base/two-factor-codes.ts'
import type { SentChannel, SignedOutChannel, SignedOutLoginState } from '#domain/two-factor/signed-out.ts'
import { counted } from '#domain/base/plural.ts'
import { meaningAfterLoss } from '../after-lost-code.ts'
import { refusedStep, unchanged, type Attempt } from '#ui/problems/attempt.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'

/** What a code can come by. */
export const channelNames: Readonly<Record<SignedOutChannel, string>> = {
  email: 'Email',
  sms: 'Text message',
  totp: 'Authenticator app',
  'backup-code': 'Backup code',
}

const otherSecret: ProblemText = {
  title: 'Challenge secret not accepted',
  meaning: 'The sign-in ended, or the secret belongs to something else. Nothing was changed.',
  nextStep: 'Sign in at the service again, then enter the secret of that sign-in.',
}

/** Refusals that mean something else to somebody without a key. */
const ownTexts: Partial<Readonly<Record<TwoFactorCode, ProblemText>>> = {
  auth_error: otherSecret,
  challenge_not_found: otherSecret,
  '2fa_expired': {
    title: 'Challenge expired',
    meaning: 'A challenge expires after 10 minutes. The sign-in isn’t complete.',
    nextStep: 'Send a new code. If the service refuses again, sign in there again and enter the new secret.',
  },
  invalid_backup_code: {
    title: 'Backup code is wrong or already used',
    meaning: 'Each backup code works once. The sign-in isn’t complete.',
    nextStep: 'Use the next code of your newest set.',
  },
  email_not_verified: {
    title: 'Your email address isn’t verified',
    meaning: 'Until you verify it, the service sends no codes.',
    nextStep: 'Verify it with the service, then send a code.',
  },
  tfa_locked: {
    title: 'Method locked',
    meaning: 'Too many codes were wrong. Only this method is locked, for 15 minutes.',
    nextStep: 'Use another method, or wait 15 minutes.',
  },
}

/**
 * Why the service refused somebody without a key, or why it couldn't be asked.
 *
 * @param asked for: to send a code, or to verify one
 * @param isCodeLost the reply to an earlier code was lost, which may have completed the login
 */
export function signedOutText(problem: Problem, asked: 'send' | 'verify', isCodeLost: boolean): ProblemText {
  const verifying = isCodeLost ? 'verify-again' : 'save'
  const attempt = asked === 'send' ? 'send-code' : verifying
  const text = textOf(problem, attempt)
  const left = isCodeLost ? meaningAfterLoss(problem) : undefined
  if (left === undefined) return text
  const meaning = `${left} ${unchanged(attempt)}`
  return asked === 'send' ? { ...text, meaning } : { ...text, meaning, nextStep: refusedStep[attempt] }
}

function textOf(problem: Problem, attempt: Attempt): ProblemText {
  switch (problem.kind) {
    case 'key-refused':
      return otherSecret
    case 'not-allowed':
      return {
        title: 'The service refused this',
        meaning:
          problem.message === '' ? 'The service gave no reason.' : `The service said: “${problem.message}”.`,
        nextStep: 'Choose another method, or use the secret of another sign-in.',
      }
    case 'redirected':
      return {
        title: 'The service redirected to another address',
        meaning: `${problem.origin} replied with a redirect. Slipway didn’t follow it, so the secret went nowhere else.`,
        nextStep: 'Check the service address, then use the secret of a new sign-in.',
      }
    case 'bad-reply':
      return {
        title: 'Unexpected reply from the service',
        meaning: `Status ${problem.status}: ${problem.detail}.`,
        nextStep: 'Check that the service address is the API’s, not the web console’s.',
      }
    case 'tfa-refused':
      return { ...problemText(problem, attempt), ...ownTexts[problem.code], canRetry: false }
    default:
      return { ...problemText(problem, attempt), canRetry: false }
  }
}

/** The reply to a request for a code was lost. */
export function lostCodeText(channel: SentChannel): ProblemText {
  return {
    title: 'No reply',
    meaning: `A code may be on its way by ${channelNames[channel].toLowerCase()}. Nothing was sent twice.`,
    nextStep: 'Check your newest message first. Send another code only if you got no message.',
  }
}

/** The reply to a code was lost. */
export const lostReplyText: ProblemText = {
  title: 'No reply to your code',
  meaning: 'The sign-in may be complete and the code used. Slipway never sends anything twice automatically.',
  nextStep:
    'Check whether you’re signed in at the service. If not, enter a new code, or select “Verify again” to send the same code.',
}

export const secretHelp =
  'tfa_secret from the service’s sign-in response. Slipway sends it only to this address and never stores it.'
export const phoneHelp =
  'With its country code, such as +12025550142. Leave empty to use the number on the account.'

/** What the page is for. */
export const pageTexts = {
  about:
    'Complete a sign-in at the service that waits for a 2FA code. You need the sign-in’s challenge secret, but no API key.',
  noSession:
    'Slipway gets no session from this. To use the account in Slipway, create an API key in the web console and connect with it.',
  can: [
    'Send a code by email or text message, and send a text message again.',
    'Verify with a code, including an authenticator app’s, or with a backup code, which is then used.',
  ],
  cannot: [
    'Connect Slipway. That needs an API key: the service starts this session with a cookie or header, and Slipway stores neither.',
    'Find the challenge secret. It’s tfa_secret in the service’s sign-in response, and the API documentation doesn’t describe that sign-in.',
    'Remove a method or create backup codes. Both need an API key.',
  ],
  noWay: 'If you have no method and no backup codes left, contact the service’s support.',
} as const

/** Whose sign-in is complete, and what the service says of the account. */
export function acceptedText({
  name,
  email,
  codesLeft,
  isLegacy,
}: Extract<SignedOutLoginState, { kind: 'accepted' }>): string {
  const account = name && email ? `${name} (${email})` : name || email || 'this account'
  return [
    `The sign-in of ${account} is complete.`,
    ...(codesLeft === 0 ? ['That was your last backup code. Create new codes.'] : []),
    ...(codesLeft ? [`${counted(codesLeft, 'backup code')} left.`] : []),
    ...(isLegacy ? ['The service lists its two-factor authentication as legacy.'] : []),
  ].join(' ')
}
