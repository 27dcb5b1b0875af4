import { assertNever } from '#domain/base/assert-never.ts'
import { instanceKeySecret, type Problem } from '#domain/base/problem.ts'
import { tfaCodes } from '#domain/two-factor/code-meanings.ts'
import { asSentence, formatSeconds, withReason } from '../format.ts'
import { startAdvice, unlockAdvice } from './keychain-text.ts'
import { unchanged, unclear, type Attempt } from './attempt.ts'

/** A problem as it is told: what happened, what it means for money or access, what to do now. */
export interface ProblemText {
  readonly title: string
  readonly meaning: string
  readonly nextStep: string
  /** The same call may well succeed when it is made again as it is: said where a button would make it. */
  readonly canRetry?: boolean
}

/**
 * Tells a problem in words.
 *
 * @param attempt what the user wanted; the meaning for money depends on it
 */
export function problemText(problem: Problem, attempt: Attempt = 'load'): ProblemText {
  switch (problem.kind) {
    case 'no-account':
      return {
        title: 'No account is connected',
        meaning: unchanged(attempt),
        nextStep: 'Connect an account with its API key first.',
      }
    case 'key-refused':
      return {
        title: 'The service refused the API key',
        meaning: `The key is wrong or was revoked. ${unchanged(attempt)}`,
        nextStep:
          attempt === 'connect'
            ? 'Copy the whole key again, or make a new one in the service’s web console.'
            : 'Make a new key in the service’s web console and replace it in Settings.',
      }
    case 'not-allowed':
      return {
        title: 'This key may not do that',
        meaning: `The service said: ${quoted(problem)} ${unchanged(attempt)}`,
        nextStep: `Use a key with full access, or one whose permissions include ${permissionOf(problem)}: replace the key in Settings, or add it as another account.`,
      }
    case 'unreachable':
      return unreachable(problem, attempt)
    case 'redirected':
      return {
        title: 'The service points to another address',
        meaning: `${problem.origin} answered with a redirect, which was not followed: your key went nowhere else. ${unchanged(attempt)}`,
        nextStep:
          'Check the service address: it must be the one of the API itself. On a public network, log in to it first.',
      }
    case 'bad-reply':
      return {
        title: 'The service answered something that makes no sense',
        meaning:
          `${withReason(`Status ${problem.status}${problem.path === '' ? '' : `, at “${problem.path}”`}`, problem.detail)} ` +
          unclear(attempt),
        nextStep:
          attempt === 'connect'
            ? 'Check that the service address is the one of the API and not of a web page.'
            : 'Try again. If it stays, the service may have changed or a network in between answers for it.',
        canRetry: true,
      }
    case 'rate-limited':
      return {
        title: 'The service asks for a pause',
        meaning: `Too many requests were made. ${unchanged(attempt)}`,
        nextStep:
          problem.retryAfterSeconds === null
            ? 'Wait a minute, then try again.'
            : `Try again in ${formatSeconds(problem.retryAfterSeconds)}.`,
        canRetry: true,
      }
    case 'service-failed':
      return {
        title: 'The service has a fault',
        meaning: `It answered with status ${problem.status}${said(problem.message)}. ${unclear(attempt)}`,
        nextStep: 'Try again in a minute. The fault is not on this machine.',
        canRetry: true,
      }
    case 'refused':
      return {
        title: refusedTitle[attempt],
        meaning: `It said: ${quoted(problem)} ${unchanged(attempt)}`,
        nextStep: refusedStep[attempt],
      }
    case 'tfa-refused': {
      const { title, meaning, nextStep, repeat } = tfaCodes[problem.code]
      const says = problem.message === '' ? '' : ` The service said: ${quoted(problem)}`
      return { title, meaning: `${meaning}${says}`, nextStep, canRetry: repeat.kind !== 'never' }
    }
    case 'keychain-locked':
      return {
        title: 'The keychain is locked',
        meaning: 'Secrets can be neither read nor kept until it is unlocked.',
        nextStep:
          attempt === 'connect'
            ? 'Unlock it and try again. Or keep the key for this run only, and enter it again at the next start.'
            : `${unlockAdvice()} Then try again.`,
        canRetry: true,
      }
    case 'keychain-unavailable':
      return {
        title: 'There is no keychain to keep secrets in',
        meaning: 'Secrets are kept in memory only and are gone when you quit Slipway.',
        nextStep: `${startAdvice()} Then try again, or go on without it.`,
        canRetry: true,
      }
    case 'secret-missing':
      return {
        title: 'A secret is gone from the keychain',
        ...(problem.what === instanceKeySecret
          ? {
              meaning: `The keychain no longer holds the ${problem.what}, so Slipway can’t show or copy it.`,
              nextStep:
                'The service returns this key only when you rent. On the instance it’s in the environment variable CONTAINER_API_KEY.',
            }
          : {
              meaning: `The keychain no longer holds the ${problem.what}. Until it is there again, what needs it cannot work.`,
              nextStep: 'Enter it again. If it was an SSH key, make a new one in Settings.',
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
      return {
        title: `${fieldName(problem.field)} cannot be used`,
        meaning: `${asSentence(problem.message)} ${unchanged(attempt)}`,
        nextStep: 'Correct it and try again.',
      }
    case 'list-unavailable':
      return {
        title: 'Couldn’t refresh the list of instances',
        meaning: `If a reply gets lost, Slipway tells your new instance by a list from just before. ${unchanged(attempt)}`,
        nextStep: 'Check the connection, then try again.',
        canRetry: true,
      }
    case 'storage-failed':
      return {
        title: 'A file could not be written',
        meaning: `${withReason(problem.file, problem.detail)} ${unchanged(attempt)}`,
        nextStep: 'Check that the disk has room and that the file is yours to write, then try again.',
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
        title: 'Slipway is ending',
        meaning: `It ended before it could answer. ${unclear(attempt)}`,
        nextStep: 'Start it again: it then shows how things stand.',
      }
    case 'unexpected':
      return {
        title: 'Something went wrong inside Slipway',
        meaning: `The details are in the log under ${problem.id}. ${unclear(attempt)}`,
        nextStep: 'Try again. If it stays, report it with that id; Settings names the log file.',
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
        title: 'The service’s address was not found',
        meaning: `No computer is known as ${origin}, or this machine has no network. ${unchanged(attempt)}`,
        nextStep: 'Check the network and the spelling of the address, then try again.',
        canRetry: true,
      }
    case 'refused':
      return {
        title: 'The service does not accept connections',
        meaning: `Nothing answers at ${origin}. ${unchanged(attempt)}`,
        nextStep: 'Check the address and its port, or try again in a minute.',
        canRetry: true,
      }
    case 'certificate':
      return {
        title: 'The service could not prove who it is',
        meaning: `The certificate of ${origin} is not valid, so nothing was sent, your key neither. ${unchanged(attempt)}`,
        nextStep: 'Check this machine’s clock and the address. On a company network, ask who runs its proxy.',
        canRetry: true,
      }
    case 'proxy-login':
      return {
        title: 'Proxy sign-in needed',
        meaning: `A proxy on the way to ${origin} asks for a name and password. Nothing was sent to the service. ${unchanged(attempt)}`,
        nextStep: 'Select “Sign in to proxy…” at the top of the window.',
        canRetry: true,
      }
    case 'reset':
    case 'timeout':
    case 'other':
      return {
        title: brokenTitle[problem.cause],
        meaning: `No full answer came from ${origin}. ${unclear(attempt)}`,
        nextStep: 'Check the network, then try again.',
        canRetry: true,
      }
    default:
      return assertNever(problem.cause)
  }
}

const stillThere = 'Slipway goes on as it is. Nothing was installed.'

const updateFailed: Readonly<Record<Extract<Problem, { kind: 'update-failed' }>['cause'], ProblemText>> = {
  unreachable: {
    title: 'The place for new versions could not be reached',
    meaning: stillThere,
    nextStep: 'Check the network, then try again. Settings names the log file, which says more.',
    canRetry: true,
  },
  unsigned: {
    title: 'The new version is not signed by the makers of Slipway',
    meaning: `It may be a fake, or its place may be broken, so it was not loaded. ${stillThere}`,
    nextStep: 'Try again later. If it stays, get new versions where you got this one, and report it.',
    canRetry: true,
  },
  unfit: {
    title: 'The new version doesn’t fit this computer',
    meaning: `It’s signed, but has no file for this system and processor, so it wasn’t loaded. ${stillThere}`,
    nextStep: 'Try again later. If it stays, get new versions where you got this one, and report it.',
    canRetry: true,
  },
  damaged: {
    title: 'What was loaded is not the version that was signed',
    meaning: `It was thrown away. ${stillThere}`,
    nextStep: 'Try again: a part may have been lost on the way. If it stays, report it.',
    canRetry: true,
  },
  'not-installed': {
    title: 'The system did not install the new version',
    meaning: stillThere,
    nextStep: 'Try again, or get it where you got this one. Settings names the log file, which says more.',
    canRetry: true,
  },
}

const brokenTitle = {
  reset: 'The connection to the service broke',
  timeout: 'The service did not answer in time',
  other: 'The service could not be reached',
} as const

const refusedTitle: Readonly<Record<Attempt, string>> = {
  load: 'The service declined',
  connect: 'The service declined the connection',
  search: 'The service declined this search',
  rent: 'The service did not rent this machine',
  stop: 'The service did not stop the instance',
  destroy: 'The service did not destroy the instance',
  save: 'The service declined the change',
}

const refusedStep: Readonly<Record<Attempt, string>> = {
  load: 'Read what the service says, then try again.',
  connect: 'Check the service address and the key.',
  search: 'Change the filters or the order and search again.',
  rent: 'Search again: the offer may be gone. Otherwise change what the service names.',
  stop: 'Look at the instance’s state: it may already be stopped or gone.',
  destroy: 'Look at the instance’s state: it may already be gone.',
  save: 'Change what the service names and try again.',
}

/** The labels of the fields that main names in `invalid-input`; what has no field on a page goes unnamed. */
const fieldLabels: Readonly<Record<string, string>> = {
  serviceAddress: 'Service address',
  apiKey: 'API key',
  image: 'Image',
  diskGb: 'Disk (GB)',
  onstart: 'Start script',
  addSshKey: 'SSH key',
  path: 'Identity file',
}

function fieldName(field: string): string {
  const label = fieldLabels[field]
  return label === undefined ? 'Something typed' : `“${label}”`
}

/** The permission that is missing: as the API has it, else as the service's own words name it. */
function permissionOf({ permission, message }: Extract<Problem, { kind: 'not-allowed' }>): string {
  return permission ?? /\b(?:misc|\w+_(?:read|write))\b/.exec(message)?.[0] ?? 'this'
}

/** The service's own words, with its code where it gave one. */
function quoted({ code, message }: { readonly code: string; readonly message: string }): string {
  if (message === '') return code === '' ? 'nothing more.' : `${code}.`
  return `“${message}”${code === '' ? '' : ` (${code})`}.`
}

function said(message: string): string {
  return message === '' ? '' : `: “${message}”`
}
