import { assertNever } from '../base/assert-never.ts'
import type { ConnectionFailure, ConnectionState } from './ssh-connection.ts'
import type { SshProblem } from './ssh.ts'

type Kind = ConnectionState['kind']
type StateOf<K extends Kind> = Extract<ConnectionState, { readonly kind: K }>

const questionKinds = ['unknown-host', 'passphrase', 'login'] as const
/** A state of a connection in which it waits for its user's word. */
export type ConnectionQuestion = StateOf<(typeof questionKinds)[number]>

/** Whether a connection waits for the user's word. */
export function waitsForUser(state: ConnectionState): state is ConnectionQuestion {
  const kinds: readonly Kind[] = questionKinds
  return kinds.includes(state.kind)
}

/** Whether an attempt is under way for all to see: what it asks, and that it got there, counts only then. */
export function isOnItsWay({ kind }: ConnectionState): boolean {
  const kinds: readonly Kind[] = onItsWay
  return kinds.includes(kind)
}

/** Whether a state is how a connection failed, which stays in sight. */
export function showsFailure({ kind }: ConnectionState): boolean {
  const kinds: readonly Kind[] = ended
  return kinds.includes(kind)
}

/** A connection as far as it is followed: the state that everybody sees, and what the next retry depends on. */
export interface ConnectionProgress {
  readonly state: ConnectionState
  /** Tries to get it back since it last stood for long, or since somebody wanted it at once. */
  readonly tries: number
  /** Since when it stands (milliseconds since the Unix epoch); `null` while it doesn't. */
  readonly openSince: number | null
}

export const noConnection: ConnectionProgress = { state: { kind: 'idle' }, tries: 0, openSince: null }

/** All that can happen to a connection. Times are in milliseconds since the Unix epoch. */
export type ConnectionEvent =
  /** Somebody wants it now, so that earlier tries don't count. */
  | { readonly kind: 'wanted' }
  /** An attempt begins (`address: null`), or has come to this place on the way. */
  | ({ readonly kind: 'trying' } & Omit<StateOf<'connecting'>, 'kind'>)
  | { readonly kind: 'asked'; readonly question: ConnectionQuestion }
  /** `isTried`: the host looks at the answer, which may be wrong, so the question stands. */
  | { readonly kind: 'answered'; readonly question: ConnectionQuestion; readonly isTried: boolean }
  | ({ readonly kind: 'opened'; readonly at: number } & Pick<
      StateOf<'open'>,
      'address' | 'user' | 'through' | 'isNewAddress'
    >)
  | ({ readonly kind: 'measured' } & Pick<StateOf<'open'>, 'latencyMs' | 'silentSince'>)
  | { readonly kind: 'lost'; readonly at: number; readonly problem: SshProblem }
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure }
  /** It's to be got back: at once the first time, later after a pause. `chance` is random, 0 to below 1. */
  | { readonly kind: 'retry-wanted'; readonly at: number; readonly chance: number }
  /** The pause before a retry, if there was one, is over. */
  | { readonly kind: 'retried' }
  /** The user has seen how it failed. */
  | { readonly kind: 'dismissed' }
  /** Nobody needs it anymore. */
  | { readonly kind: 'released' }

const onItsWay = ['connecting', ...questionKinds] as const
const ended = ['failed', 'host-key-changed'] as const
const notOpen = ['idle', ...onItsWay, 'waiting', ...ended] as const
const anywhere = [...notOpen, 'open'] as const

/** The states in which an event counts; in the others it changes nothing. */
const countsIn: Readonly<Record<ConnectionEvent['kind'], readonly Kind[]>> = {
  wanted: anywhere,
  retried: anywhere,
  trying: notOpen,
  asked: onItsWay,
  answered: questionKinds,
  opened: onItsWay,
  measured: ['open'],
  lost: ['open'],
  failed: [...onItsWay, 'waiting', ...ended],
  'retry-wanted': ['failed'],
  dismissed: ended,
  // How it failed stays in sight.
  released: [...onItsWay, 'waiting', 'open'],
}

/** The first retry follows at once; before the others so long is waited, a fifth more or less. */
const backOffMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const
/** A connection that stood for less is one that breaks at once each time. */
const lastingMs = 10_000

/** Whether what began at `since` has gone on for long, so that losing it is no reason to give up soon. */
export function hasLasted(since: number, now: number): boolean {
  return now - since >= lastingMs
}

/** How long the retry after so many tries is put off, in milliseconds. @param chance 0 to below 1 */
export function retryPauseMs(tries: number, chance: number): number {
  const ms = backOffMs[Math.min(tries, backOffMs.length - 1)] ?? 0
  return ms * (0.8 + 0.4 * chance)
}

/** What an event makes of a connection: the one place that decides which state follows which. */
export function afterEvent(before: ConnectionProgress, event: ConnectionEvent): ConnectionProgress {
  const { state, tries, openSince } = before
  if (!countsIn[event.kind].includes(state.kind)) return before
  const become = (next: ConnectionState): ConnectionProgress => ({ state: next, tries, openSince: null })
  const connectingTo = ({ address, hop }: Omit<StateOf<'connecting'>, 'kind'>): ConnectionProgress =>
    become({ kind: 'connecting', address, ...(hop && { hop }) })
  switch (event.kind) {
    case 'wanted':
      return { ...before, tries: 0 }
    case 'retried':
      return { ...before, tries: tries + 1 }
    case 'trying':
      return connectingTo(event)
    case 'asked':
      return become(event.question)
    case 'answered':
      return event.isTried || state !== event.question ? before : connectingTo(event.question)
    case 'opened': {
      const { kind: _, at, ...shown } = event
      return { tries, openSince: at, state: { kind: 'open', ...shown, latencyMs: null, silentSince: null } }
    }
    case 'measured': {
      if (state.kind !== 'open') return before
      const { latencyMs, silentSince } = event
      return { ...before, state: { ...state, latencyMs, silentSince } }
    }
    case 'lost': {
      if (state.kind !== 'open') return before
      const stoodForLong = openSince !== null && hasLasted(openSince, event.at)
      const failed = become({ kind: 'failed', problem: event.problem, address: state.address })
      return stoodForLong ? { ...failed, tries: 0 } : failed
    }
    case 'failed':
      return become(event.failure)
    case 'retry-wanted': {
      if (state.kind !== 'failed' || tries === 0) return before
      const { problem, address } = state
      const retryAt = event.at + retryPauseMs(tries, event.chance)
      return become({ kind: 'waiting', problem, address, retryAt, nextTry: tries + 1 })
    }
    case 'dismissed':
    case 'released':
      return become({ kind: 'idle' })
    default:
      return assertNever(event)
  }
}
