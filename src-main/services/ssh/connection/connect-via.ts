import {
  isAtOnePlace,
  type HopPlace,
  type ProblemAtOnePlace,
  type SshAddress,
  type SshProblem,
} from '../../../domain/ssh/ssh.ts'
import type { Connection } from './connection.ts'
import { HostKeyChanged, SshFailure } from '../failure.ts'
import type { HostConfig } from '../config/host-config.ts'
import { transportFrom } from './hop-transport.ts'
import type { Identities } from '../keys/identities.ts'
import { logIn, type LoginWorld } from './login.ts'
import { openFirst } from './open-first.ts'
import { openSocket, type OpenTransport } from './transport.ts'
import type { Hop, Route } from './route.ts'

export interface Journey extends Omit<LoginWorld, 'identities' | 'open' | 'hop'> {
  /** Where it's tried when `address` doesn't answer; the last of the jump hosts reaches out to both. */
  readonly fallback?: SshAddress
  readonly config: HostConfig
  readonly route: Route
  readonly identities: (config: HostConfig) => Promise<Identities>
  /** It is tried there now. */
  readonly onTry: (address: SshAddress, hop: HopPlace | undefined) => void
}

/** A connection, and at which of the machine's addresses it was made. */
export type Arrival = Connection & { readonly address: SshAddress }

/** A jump host's end is told a moment before or after the end of what went through it. */
const lossIsToldWithinMs = 200

/**
 * Connects to a machine and logs in, through every jump host on the way. Each one's key is verified before
 * anything is sent to it, and each is logged in to by itself.
 *
 * @throws SshFailure, HostKeyChanged, which say at which jump host; or the signal's reason
 */
export async function connectVia(journey: Journey, signal: AbortSignal): Promise<Arrival> {
  const { route, address, clock, onTry } = journey
  onTry(address, undefined)
  if (route.hops.length === 0) {
    return orWithoutCommand(route, logInThere(journey, openSocket, signal))
  }
  const end = new AbortController()
  const whole = AbortSignal.any([signal, end.signal])
  const losses: Promise<SshProblem>[] = []
  const lossOfHop = (): Promise<SshProblem | null> =>
    Promise.race([...losses, clock.sleep(lossIsToldWithinMs).then(() => null)])

  let open: OpenTransport = openSocket
  /** Whose connection leads on. */
  let last: Blame = same
  try {
    for (const [index, hop] of route.hops.entries()) {
      const place = { place: index + 1, of: route.hops.length }
      onTry(hop.address, place)
      const carrier = await logInAt(hop, place, last)
      losses.push(carrier.ended.then((problem) => hopProblem(problem, place, hop)))
      open = transportFrom(carrier, clock)
      last = (error) => atHop(error, place, hop)
    }
    onTry(address, undefined)
    const connection = await blaming(last, same, logInThere(journey, open, whole))
    for (const loss of losses) void loss.then(() => connection.breakOff('a jump host on the way is gone'))
    const ended = connection.ended.then(async (problem) => (await lossOfHop()) ?? problem)
    void ended.then(() => end.abort(new Error('the connection has ended')))
    return { ...connection, ended }
  } catch (error) {
    const mayBeLoss = error instanceof SshFailure && !signal.aborted && losses.length > 0
    const loss = mayBeLoss && isLoss(error.problem) ? await lossOfHop() : null
    end.abort(new Error('a jump host or the machine could not be logged in to'))
    throw loss === null ? error : new SshFailure(loss, { cause: error })
  }

  function logInAt(hop: Hop, place: HopPlace, before: Blame): Promise<Connection> {
    const identities = (): Promise<Identities> => journey.identities(hop.config)
    const { user, address: there } = hop
    // The agent is for the machine alone, never for those on the way.
    const { memory: _, onNewAddress: __, fallback: ___, ...shared } = journey
    const world = { ...shared, address: there, user, identities, open, hop: place, agent: null }
    return blaming(before, (error) => atHop(error, place, hop), logIn(world, whole))
  }
}

/** At the machine itself, by whichever of its addresses answers first; only there anything is sent. */
async function logInThere(journey: Journey, open: OpenTransport, signal: AbortSignal): Promise<Arrival> {
  const { address, fallback, clock, config, onTry } = journey
  const world = { ...journey, identities: () => journey.identities(config) }
  if (fallback === undefined) return { ...(await logIn({ ...world, open }, signal)), address }
  const tryAt = (there: SshAddress): void => onTry(there, undefined)
  const opened = await openFirst([address, fallback], { open, clock, onTry: tryAt }, signal)
  tryAt(opened.address)
  try {
    const connection = await logIn({ ...world, address: opened.address, open: opened.open }, signal)
    return { ...connection, address: opened.address }
  } finally {
    opened.close()
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

/** Who needs a ProxyCommand to get there sees why the direct route fails. */
async function orWithoutCommand<T>({ leavesOutCommand }: Route, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!leavesOutCommand || !(error instanceof SshFailure)) throw error
    const [problem] = problemsOf(error.problem)
    const isOfTheRoute = problemsOf(error.problem).every(
      ({ kind, ...rest }) =>
        kind === 'refused' ||
        kind === 'timeout' ||
        kind === 'unreachable' ||
        (kind === 'unanswered' && 'step' in rest && rest.step === 'greeting'),
    )
    throw problem !== undefined && isOfTheRoute
      ? new SshFailure({ kind: 'proxy-command', problem }, { cause: error })
      : error
  }
}

/** Of each place where it was tried; none where it was at a jump host. */
function problemsOf(problem: SshProblem): readonly ProblemAtOnePlace[] {
  if (problem.kind === 'both-addresses') return problem.tries.map((each) => each.problem)
  return isAtOnePlace(problem) ? [problem] : []
}
