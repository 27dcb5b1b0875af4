import { assertNever } from '#domain/base/assert-never.ts'
import { instanceKeySecret, type Problem } from '#domain/base/problem.ts'
import { codeMeanings } from '#domain/two-factor/code-meanings.ts'
import { formatSeconds, withReason } from '../format.ts'
import { startAdvice, unlockAdvice } from './keychain-text.ts'
import { inputProblemText } from './input-text.ts'
import { refusedStep, refusedTitle, unchanged, unclear, type Attempt } from './attempt.ts'
import { sessionEndedText } from './session-ended-text.ts'

/** A problem in words: what happened, what it means for money or access, what to do now. */
export interface ProblemText {
  readonly title: string
  readonly meaning: string
  readonly nextStep: string
  /** The same call may succeed when it's repeated unchanged: a notice then has “Try again”. */
  readonly canRetry?: boolean
}

/**
 * Words a problem.
 *
 * @param attempt what the user wanted; the meaning for money depends on it
 */
export function problemText(problem: Problem, attempt: Attempt = 'load'): ProblemText {
  switch (problem.kind) {
    case 'no-account':
      return {
        title: 'No account connected',
        meaning: unchanged(attempt),
        nextStep: 'Connect an account with its API key.',
      }
    case 'key-refused':
      return {
        title: 'The service refused the API key',
        meaning: `The key is wrong or revoked, or lacks permission for all that Slipway asked. ${unchanged(attempt)}`,
        nextStep:
          attempt === 'connect'
            ? 'Copy the whole key again, or create a new one in the web console.'
            : 'Create a new key in the web console, then replace it in Settings > Account.',
      }
    case 'session-ended':
      return sessionEndedText(problem, attempt)
    case 'not-allowed':
      return {
        title: 'API key lacks permission',
        meaning: `The service said: ${quoted(problem)} ${unchanged(attempt)}`,
        nextStep: `Use a key with full access${permissionOf(problem)}. Replace the key in Settings > Account, or add another account.`,
      }
    case 'unreachable':
      return unreachable(problem, attempt)
    case 'redirected':
      return {
        title: 'The service redirected to another address',
        meaning: `${problem.origin} replied with a redirect. Slipway didn’t follow it, so your key went nowhere else. ${unchanged(attempt)}`,
        nextStep: 'Check the service address. On a public network, sign in to the network first.',
      }
    case 'bad-reply':
      return {
        title: 'Unexpected reply from the service',
        meaning:
          `${withReason(`Status ${problem.status}${problem.path === '' ? '' : `, at “${problem.path}”`}`, problem.detail)} ` +
          unclear(attempt),
        nextStep:
          attempt === 'connect'
            ? 'Check that the service address is the API’s, not the web console’s.'
            : 'Try again. If this keeps happening, a proxy may be replying, or the service may have changed.',
        canRetry: true,
      }
    case 'rate-limited':
      return {
        title: 'Too many requests',
        meaning: `The service limits how often Slipway can ask. ${unchanged(attempt)}`,
        nextStep:
          problem.retryAfterSeconds === null
            ? 'Wait a minute, then try again.'
            : `Try again in ${formatSeconds(problem.retryAfterSeconds)}.`,
        canRetry: true,
      }
    case 'service-failed':
      return {
        title: 'Service error',
        meaning: `The service replied with status ${problem.status}${said(problem.message)}. ${unclear(attempt)}`,
        nextStep: 'Try again in a minute. The error isn’t on this computer.',
        canRetry: true,
      }
    case 'refused':
      return {
        title: refusedTitle[attempt],
        meaning: `The service said: ${quoted(problem)} ${unchanged(attempt)}`,
        nextStep: refusedStep[attempt],
      }
    case 'tfa-refused': {
      const { title, meaning, nextStep, repeat } = codeMeanings[problem.code]
      const says = problem.message === '' ? '' : ` The service said: ${quoted(problem)}`
      return { title, meaning: `${meaning}${says}`, nextStep, canRetry: repeat.kind !== 'never' }
    }
    case 'keychain-locked':
      return {
        title: 'The keychain is locked',
        meaning: 'Slipway can’t read or save secrets until you unlock it.',
        nextStep:
          attempt === 'connect'
            ? 'Unlock it and try again. Or store the key in memory until you quit, and enter it again at startup.'
            : `${unlockAdvice()} Then try again.`,
        canRetry: true,
      }
    case 'keychain-unavailable':
      return {
        title: 'No keychain available',
        meaning: 'Slipway stores secrets in memory until you quit.',
        nextStep: `${startAdvice()} Then try again, or continue without a keychain.`,
        canRetry: true,
      }
    case 'secret-missing':
      return {
        title: 'A secret is missing from the keychain',
        ...(problem.what === instanceKeySecret
          ? {
              meaning: `The keychain no longer holds the ${problem.what}, so Slipway can’t show or copy it.`,
              nextStep:
                'The service returns this key only when you rent. On the instance it’s in the environment variable CONTAINER_API_KEY.',
            }
          : {
              meaning: `The keychain no longer holds the ${problem.what}, so Slipway can’t use it.`,
              nextStep: 'Enter it again. If it was an SSH key, create a new key in Settings.',
            }),
      }
    case 'address-changed':
      return {
        title: 'The service address was changed outside Slipway',
        meaning: `${changedAddress(problem)} The API key wasn’t sent. What you rented keeps running, and you’re charged for it. Auto-stop rules don’t run until this is fixed.`,
        nextStep:
          'Select “Add an account” in the account menu and enter the right address and the API key. Or select Sign out in Settings > Account.',
      }
    case 'invalid-input':
      return inputProblemText(problem.field, problem.fault, attempt)
    case 'rental-refused':
      // Rent sheets say why.
      return {
        title: 'Slipway rented nothing',
        meaning: unchanged('rent'),
        nextStep: 'Check the rent sheet, then try again.',
      }
    case 'guard-refused':
      // The form of the rule says why.
      return {
        title: 'Couldn’t add the auto-stop rule',
        meaning: unchanged(attempt),
        nextStep: 'Check your input, then try again.',
      }
    case 'list-unavailable':
      return {
        title: 'Couldn’t refresh the list of instances',
        meaning: `Slipway needs this list to recognize your new instance if a reply gets lost. ${unchanged(attempt)}`,
        nextStep: 'Check the connection, then try again.',
        canRetry: true,
      }
    case 'storage-failed':
      return {
        title: 'Couldn’t write a file',
        meaning: `${withReason(problem.file, problem.detail)} ${unchanged(attempt)}`,
        nextStep: 'Check that the disk has free space and that you can write this file, then try again.',
        canRetry: true,
      }
    case 'newer-file':
      return {
        title: 'A newer Slipway saved this file',
        meaning: `${problem.file} stays as it is, so the change wasn’t saved. ${unchanged(attempt)}`,
        nextStep: 'Update Slipway, then try again.',
      }
    case 'update-failed':
      return updateFailed[problem.cause]
    case 'ended':
      return {
        title: 'Slipway is closing',
        meaning: `It closed before a reply arrived. ${unclear(attempt)}`,
        nextStep: 'Start Slipway again to see the current state.',
      }
    case 'unexpected':
      return {
        title: 'Something went wrong in Slipway',
        meaning: `The log has the details under ID ${problem.id}. ${unclear(attempt)}`,
        nextStep: `Try again. If this keeps happening, report it with the ID. ${findLog}`,
        canRetry: true,
      }
    default:
      return assertNever(problem)
  }
}

function changedAddress({ address, keyIsFor }: Extract<Problem, { kind: 'address-changed' }>): string {
  const named = `accounts.json on this computer names ${address}`
  return keyIsFor === null
    ? `${named}, which can’t be a service address.`
    : `${named}, but the API key in the keychain is for ${keyIsFor}.`
}

function unreachable(problem: Extract<Problem, { kind: 'unreachable' }>, attempt: Attempt): ProblemText {
  const { origin } = problem
  switch (problem.cause) {
    case 'address-unknown':
      return {
        title: 'Couldn’t find the service’s address',
        meaning: `${origin} doesn’t exist, or this computer is offline. ${unchanged(attempt)}`,
        nextStep: 'Check the network and the spelling of the address, then try again.',
        canRetry: true,
      }
    case 'refused':
      return {
        title: 'The service refused the connection',
        meaning: `Nothing accepts connections at ${origin}. ${unchanged(attempt)}`,
        nextStep: 'Check the address and its port, or try again in a minute.',
        canRetry: true,
      }
    case 'certificate':
      return {
        title: 'Couldn’t verify the service’s identity',
        meaning: `The certificate of ${origin} isn’t valid. Slipway sent nothing, not even your key. ${unchanged(attempt)}`,
        nextStep:
          'Check this computer’s clock and the address. On a company network, ask your administrator about the proxy.',
        canRetry: true,
      }
    case 'proxy-login':
      return {
        title: 'Proxy sign-in needed',
        meaning: `A proxy before ${origin} requires a name and password. Nothing was sent to the service. ${unchanged(attempt)}`,
        nextStep: 'Select “Sign in to proxy…” at the top of the window.',
        canRetry: true,
      }
    case 'reset':
    case 'timeout':
    case 'other':
      return {
        title: brokenTitle[problem.cause],
        meaning: `No complete reply came from ${origin}. ${unclear(attempt)}`,
        nextStep: 'Check the network, then try again.',
        canRetry: true,
      }
    default:
      return assertNever(problem.cause)
  }
}

const stillThere = 'Nothing was installed. You can keep using this version.'
const findLog = 'Settings names the log file.'
const getElsewhere =
  'Try again later. If this keeps happening, get updates where you got Slipway, and report it.'

const updateFailed: Readonly<Record<Extract<Problem, { kind: 'update-failed' }>['cause'], ProblemText>> = {
  unreachable: {
    title: 'Couldn’t reach the update server',
    meaning: stillThere,
    nextStep: `Check the network, then try again. ${findLog}`,
    canRetry: true,
  },
  unsigned: {
    title: 'The update isn’t signed by Slipway’s makers',
    meaning: `It may be fake, so Slipway didn’t download it. ${stillThere}`,
    nextStep: getElsewhere,
    canRetry: true,
  },
  unfit: {
    title: 'The update doesn’t fit this computer',
    meaning: `It has no file for this system and processor, so Slipway didn’t download it. ${stillThere}`,
    nextStep: getElsewhere,
    canRetry: true,
  },
  damaged: {
    title: 'The downloaded update doesn’t match its signature',
    meaning: `Slipway deleted it. ${stillThere}`,
    nextStep: 'Try again. If this keeps happening, report it.',
    canRetry: true,
  },
  'not-installed': {
    title: 'The system didn’t install the update',
    meaning: stillThere,
    nextStep: `Try again, or get the update where you got Slipway. ${findLog}`,
    canRetry: true,
  },
}

const brokenTitle = {
  reset: 'The connection to the service dropped',
  timeout: 'The service didn’t reply in time',
  other: 'Couldn’t reach the service',
} as const

/** The missing permission as an alternative: as the API has it, else as the service's own words name it. */
function permissionOf({ permission, message }: Extract<Problem, { kind: 'not-allowed' }>): string {
  const missing = permission ?? /\b(?:misc|\w+_(?:read|write))\b/.exec(message)?.[0]
  return missing === undefined ? '' : ` or with ${missing}`
}

/** The service's own words, with its code where it gave one. */
function quoted({ code, message }: { readonly code: string; readonly message: string }): string {
  if (message === '') return code === '' ? 'nothing more.' : `${code}.`
  return `“${message}”${code === '' ? '' : ` (${code})`}.`
}

function said(message: string): string {
  return message === '' ? '' : `: “${message}”`
}
