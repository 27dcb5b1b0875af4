import { mostPrompts } from '#domain/ssh/ssh-login.ts'
import type { SshProblem } from '#domain/ssh/ssh.ts'
import { skippedText } from './key-fault-text.ts'
import type { ProblemText } from './problem-text.ts'

/** How the user tries again where the text stands, as the end of a sentence. */
export type RetryWords = 'try again' | 'select Reconnect' | 'select Start'

type Refused = Extract<SshProblem, { kind: 'authentication-failed' }>

/** What Slipway can log in with, by the names of the protocol (RFC 4252, RFC 4256). */
const methodWords: ReadonlyMap<string, string> = new Map([
  ['publickey', 'a key'],
  ['password', 'a password'],
  ['keyboard-interactive', 'answers to its prompts, such as a one-time code'],
])

const charged = 'You’re still charged for the instance.'

/** Tells in words that nobody was let in. */
export function authenticationText(problem: Refused, retry: RetryWords): ProblemText {
  const { accepts, partial } = problem
  const wanted = wantedText(problem)
  const meaning = [triedText(problem), ...(wanted === null ? [] : [wanted]), charged].join(' ')
  if (!accepts.some((method) => methodWords.has(method)) && accepts.length > 0)
    return {
      title: 'Slipway can’t log in to this host',
      meaning,
      nextStep: `Ask whoever runs the host to allow a key or a password, then ${retry}.`,
    }
  if (partial || accepts.some((method) => method === 'password' || method === 'keyboard-interactive'))
    return {
      title: 'The host refused the login',
      meaning,
      nextStep: `Check your password or code, and the SSH user in Settings > SSH login, then ${retry}.`,
    }
  return {
    title: 'The host accepted none of your keys',
    meaning,
    nextStep:
      'Add the public key to your account or to the instance, or check the SSH user in Settings. A key of the account may reach an instance only when it starts.',
  }
}

function triedText({ tried, user, skipped }: Refused): string {
  const what = tried.length === 0 ? 'no key' : tried.join(', ')
  return [`Slipway tried to log in as “${user}” with ${what}.`, skippedText(skipped)]
    .filter(Boolean)
    .join(' ')
}

/** `null` where the host takes keys alone, or did not say what it takes. */
function wantedText({ accepts, partial }: Refused): string | null {
  const others = accepts.filter((method) => partial || method !== 'publickey')
  if (others.length === 0) return null
  const names = others.map((method) => methodWords.get(method) ?? method)
  const [last, ...before] = names.toReversed()
  const list = before.length === 0 ? last : `${before.toReversed().join(', ')}, or ${last}`
  return partial ? `One step succeeded. This host also requires ${list}.` : `This host accepts ${list}.`
}

/** Why Slipway ended a login. */
export function loginEndedText(
  why: Extract<SshProblem, { kind: 'login-ended' }>['why'],
  place: string,
  retry: RetryWords,
): ProblemText {
  if (why === 'password-change')
    return {
      title: 'Password change required',
      meaning: `${place} accepts the login only with a new password, and Slipway can’t change passwords. ${charged}`,
      nextStep: `Log in with ssh in a terminal on this computer, change the password, then ${retry}.`,
    }
  return {
    title: 'Slipway stopped the login',
    meaning: `${place} ${oddWords[why]}. No more answers were sent. ${charged}`,
    nextStep: `Check the address, ask whoever runs the host, then ${retry}.`,
  }
}

const oddWords = {
  'too-many-prompts': `asked for more than ${mostPrompts} answers at once`,
  'too-many-rounds': 'asked again and again without ending the login',
  'out-of-turn': 'replied to a login before one was sent',
} as const
