import { isAtOnePlace, type HopPlace, type SshAddress, type SshProblem } from '../../../domain/ssh/ssh.ts'
import type { HostConfig } from '../config/host-config.ts'
import { HostKeyChanged, SshFailure } from '../failure.ts'
import type { Identities } from '../keys/identities.ts'
import type { Connection } from './connection.ts'
import { transportFrom } from './hop-transport.ts'
import { logIn, type LoginWorld } from './login.ts'
import { openFirst } from './open-first.ts'
import type { Destination, Hop, Route } from './route.ts'
import { openSocket, type OpenTransport } from './transport.ts'

export interface Journey extends Omit<LoginWorld, 'identities' | 'open' | 'hop' | 'address' | 'user'> {
  readonly identities: (config: HostConfig) => Promise<Identities>
  /** It is tried there now. */
  readonly onTry: (address: SshAddress, hop?: HopPlace) => void
  /** This address of the machine led nowhere, or failed; another one that was faster is not told of. */
  readonly onFailed: (address: SshAddress, error: unknown) => void
  /** Whether another address of the machine may do better after this error. */
  readonly mayTryOther: (error: unknown) => boolean
}

/** A connection, and at which of the machine's addresses it was made. */
export type Arrival = Connection & Pick<Destination, 'address' | 'user'>

/** A jump host's end is told a moment before or after the end of what went through it. */
const lossIsToldWithinMs = 200

/**
 * Connects to a machine and logs in, through every jump host on the route. Each one's key is verified before
 * anything is sent to it, and each is logged in to by itself.
 *
 * @param destinations where the machine is tried, from the end of the route on: the first that answers is logged in to
 * @throws SshFailure, HostKeyChanged, which say at which jump host; or the signal's reason
 */
export async function connectVia(
  journey: Journey,
  destinations: readonly Destination[],
  { hops }: Route,
  signal: AbortSignal,
): Promise<Arrival> {
  const { clock, onTry } = journey
  if (hops.length === 0) return logInAtAny(journey, destinations, openSocket, signal)
  const end = new AbortController()
  const whole = AbortSignal.any([signal, end.signal])
  const losses: Promise<SshProblem>[] = []
  let wasPrompted = false
  const lossOfHop = (): Promise<SshProblem | null> =>
    Promise.race([...losses, clock.sleep(lossIsToldWithinMs).then(() => null)])

  let open: OpenTransport = openSocket
  /** Whose connection leads on. */
  let last: Blame = same
  try {
    for (const [index, hop] of hops.entries()) {
      const place = { place: index + 1, of: hops.length }
      onTry(hop.address, place)
      const carrier = await logInAt(hop, place, last)
      wasPrompted ||= carrier.wasPrompted
      losses.push(carrier.ended.then((problem) => hopProblem(problem, place, hop)))
      open = transportFrom(carrier, clock)
      last = (error) => atHop(error, place, hop)
    }
    const connection = await blaming(last, same, logInAtAny(journey, destinations, open, whole))
    for (const loss of losses) void loss.then(() => connection.breakOff({ code: 'jump-host-lost' }))
    const ended = connection.ended.then(async (problem) => (await lossOfHop()) ?? problem)
    void ended.then(() => end.abort(new Error('the connection has ended')))
    return { ...connection, ended, wasPrompted: wasPrompted || connection.wasPrompted }
  } catch (error) {
    const mayBeLoss = error instanceof SshFailure && !signal.aborted && losses.length > 0
    const loss = mayBeLoss && isLoss(error.problem) ? await lossOfHop() : null
    end.abort(new Error('a jump host or the machine could not be logged in to'))
    throw loss === null ? error : new SshFailure(loss, { cause: error })
  }

  function logInAt(hop: Hop, place: HopPlace, before: Blame): Promise<Connection> {
    const identities = (): Promise<Identities> => journey.identities(hop.config)
    const { user, address: there } = hop
    // The agent is for the machine alone, never for those on the way; and what is remembered is of the machine.
    const { memory: _, onNewAddress: __, onHostKey: ___, otherAddresses: ____, ...shared } = journey
    const world = { ...shared, address: there, user, identities, open, hop: place, agent: null }
    return blaming(before, (error) => atHop(error, place, hop), logIn(world, whole))
  }
}

/** At one address of the machine after the other, all from the same end of the route: a jump host is asked about once. */
async function logInAtAny(
  journey: Journey,
  destinations: readonly Destination[],
  open: OpenTransport,
  signal: AbortSignal,
): Promise<Arrival> {
  const failed = new Set<SshAddress>()
  const onFailed = (address: SshAddress, error: unknown): void => {
    failed.add(address)
    journey.onFailed(address, error)
  }
  for (;;) {
    const left = destinations.filter(({ address }) => !failed.has(address))
    try {
      return await logInThere({ ...journey, onFailed }, left, open, signal)
    } catch (error) {
      const hasOther = left.some(({ address }) => !failed.has(address))
      const isOver = signal.aborted || !hasOther || left.every(({ address }) => !failed.has(address))
      if (isOver || !journey.mayTryOther(error)) throw error
    }
  }
}

/** At the machine itself, by whichever of its addresses answers first; only there anything is sent. */
async function logInThere(
  journey: Journey,
  destinations: readonly Destination[],
  open: OpenTransport,
  signal: AbortSignal,
): Promise<Arrival> {
  const { clock, onTry, onFailed } = journey
  const [only, ...others] = destinations
  if (only !== undefined && others.length === 0) return logInAt(only, open)
  const addresses = destinations.map(({ address }) => address)
  const opened = await openFirst(addresses, { open, clock, onTry, onFailed }, signal)
  try {
    const found = destinations.find(({ address }) => address === opened.address)
    if (found === undefined) throw new Error('openFirst leads to one of the addresses')
    return await logInAt(found, opened.open)
  } finally {
    opened.close()
  }

  async function logInAt({ address, user, config }: Destination, via: OpenTransport): Promise<Arrival> {
    onTry(address)
    const identities = (): Promise<Identities> => journey.identities(config)
    try {
      const connection = await logIn({ ...journey, address, user, open: via, identities }, signal)
      return { ...connection, address, user }
    } catch (error) {
      onFailed(address, error)
      throw error
    }
  }
}

type Blame = (error: unknown) => unknown
const same: Blame = (error) => error

/** A refusal to lead on is the fault of the hop before, everything else of where it is tried. */
async function blaming<T>(before: Blame, here: Blame, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof SshFailure && error.problem.kind === 'no-way-on' ? before(error) : here(error)
  }
}

function atHop(error: unknown, place: HopPlace, hop: Hop): unknown {
  if (error instanceof SshFailure)
    return new SshFailure(hopProblem(error.problem, place, hop), { cause: error })
  if (error instanceof HostKeyChanged) {
    const { offered, trusted, revoked } = error
    return new HostKeyChanged({ address: hop.address, hop: place, offered, trusted, revoked })
  }
  return error
}

function hopProblem(problem: SshProblem, place: HopPlace, { address }: Hop): SshProblem {
  if (!isAtOnePlace(problem) || problem.kind === 'stopped') return problem
  return { kind: 'at-hop', hop: { ...place, address }, problem }
}

function isLoss(problem: SshProblem): boolean {
  if (problem.kind === 'both-addresses') return problem.tries.some((each) => isLoss(each.problem))
  const { kind } = problem.kind === 'at-hop' ? problem.problem : problem
  return kind === 'link-lost' || kind === 'no-way-on' || kind === 'not-ssh'
}
