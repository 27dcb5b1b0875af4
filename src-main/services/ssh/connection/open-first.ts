import type { Clock } from '../../../domain/base/clock.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { orAborted, within } from '../deadline.ts'
import { SshFailure } from '../failure.ts'
import { failureOfAll } from './address-failures.ts'
import { awaitIdentification } from './handshake-watch.ts'
import type { OpenTransport, Transport } from './transport.ts'

/** How far one address of an instance has come. */
export type AddressTry = 'untried' | 'trying' | 'failed' | 'greeted'

/** What to do next about the addresses of an instance; `index` is that of an address. */
type RaceStep =
  | { readonly kind: 'try'; readonly index: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'won'; readonly index: number }
  | { readonly kind: 'lost' }

/** An address that answers at all greets within it as a rule, over whatever network. */
const headStartMs = 1_500
/** As for a connection to one address: see `connection.ts`. */
const greetingMs = 20_000

export interface OpenFirstOptions {
  readonly open: OpenTransport
  readonly clock: Clock
  /** It is tried there now; the ones before it may be as well. */
  readonly onTry: (address: SshAddress) => void
  /** It led nowhere. Not told of one that another one was faster than. */
  readonly onFailed: (address: SshAddress, error: unknown) => void
}

/** The address that won, and what leads there. */
export interface Opened {
  readonly address: SshAddress
  /** Leads there without another connection the first time, unless that has ended meanwhile. */
  readonly open: OpenTransport
  /** Closes what leads there if nobody took it. */
  readonly close: () => void
}

/**
 * Opens a transport to whichever of an instance's addresses greets first as an SSH server, and closes the others.
 * Nothing is sent to any of them.
 *
 * @param addresses in order of preference
 * @param signal also closes what leads to the winner as long as nobody has taken it
 * @throws what `failureOfAll` makes of their failures, or the signal's reason
 */
export async function openFirst(
  addresses: readonly SshAddress[],
  { open, clock, onTry, onFailed }: OpenFirstOptions,
  signal: AbortSignal,
): Promise<Opened> {
  const tries: AddressTry[] = addresses.map(() => 'untried')
  const failures = new Map<SshAddress, unknown>()
  const greeted = new Map<number, Transport>()
  const underway: Promise<void>[] = []
  const over = new AbortController()
  const whole = AbortSignal.any([signal, over.signal])
  let headStart: Promise<void> = Promise.resolve()
  let isHeadStartOver = false

  async function greet(index: number, address: SshAddress): Promise<void> {
    try {
      greeted.set(index, await greetedTransport(address, open, clock, whole))
      tries[index] = 'greeted'
    } catch (error) {
      tries[index] = 'failed'
      if (whole.aborted) return
      failures.set(address, error)
      onFailed(address, error)
    }
  }

  try {
    for (;;) {
      signal.throwIfAborted()
      const step = nextRaceStep(tries, isHeadStartOver)
      if (step.kind === 'lost') throw failureOfAll(addresses, failures)
      const address = step.kind === 'wait' ? undefined : addresses[step.index]
      if (step.kind === 'wait' || address === undefined) {
        const waiting = underway.filter((_, index) => tries[index] === 'trying')
        await Promise.race(isHeadStartOver ? waiting : [...waiting, headStart])
        continue
      }
      const transport = greeted.get(step.index)
      if (step.kind === 'won' && transport !== undefined) {
        greeted.delete(step.index)
        return { address, ...handOver(transport, open, signal) }
      }
      onTry(address)
      tries[step.index] = 'trying'
      isHeadStartOver = false
      headStart = clock.sleep(headStartMs, whole).then(
        () => void (isHeadStartOver = true),
        () => undefined, // the race is over
      )
      underway[step.index] = greet(step.index, address)
    }
  } finally {
    over.abort(new Error('another address answered, or none did'))
    await Promise.all(underway)
    for (const loser of greeted.values()) loser.stream.destroy()
  }
}

async function greetedTransport(
  address: SshAddress,
  open: OpenTransport,
  clock: Clock,
  signal: AbortSignal,
): Promise<Transport> {
  const transport = await open(address, signal)
  const lateness = (): SshFailure => new SshFailure({ kind: 'unanswered', step: 'greeting' })
  try {
    await orAborted(within(clock, greetingMs, awaitIdentification(transport.stream), lateness), signal)
    return transport
  } catch (error) {
    transport.stream.destroy()
    throw error
  }
}

/** Whoever takes it may need a while before, for the keychain; nothing stays open that nobody wants any more. */
function handOver(transport: Transport, open: OpenTransport, whole: AbortSignal): Omit<Opened, 'address'> {
  let waiting: Transport | null = transport
  const close = (): void => {
    whole.removeEventListener('abort', close)
    waiting?.stream.destroy()
    waiting = null
  }
  whole.addEventListener('abort', close)
  if (whole.aborted) close()
  return {
    open: async (to, signal) => {
      signal.throwIfAborted()
      whole.removeEventListener('abort', close)
      const first = waiting
      waiting = null
      return first === null || first.stream.destroyed ? open(to, signal) : first
    },
    close,
  }
}

/**
 * Which address of an instance is tried next (as in RFC 8305, "Happy Eyeballs"): one after the other, each as soon as
 * those before it have failed or had their head start. The first one that greets as an SSH server wins.
 *
 * @param tries in order of preference
 * @param isHeadStartOver of the address that was tried last
 */
export function nextRaceStep(tries: readonly AddressTry[], isHeadStartOver: boolean): RaceStep {
  const winner = tries.indexOf('greeted')
  if (winner >= 0) return { kind: 'won', index: winner }
  const next = tries.indexOf('untried')
  const isTrying = tries.includes('trying')
  if (next >= 0 && (!isTrying || isHeadStartOver)) return { kind: 'try', index: next }
  return { kind: isTrying ? 'wait' : 'lost' }
}
