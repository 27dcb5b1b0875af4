import type { HopPlace, SshAddress, SshProblem } from '../../../domain/ssh/ssh.ts'
import type { Connection } from './connection.ts'
import { HostKeyChanged, SshFailure } from '../failure.ts'
import type { HostConfig } from '../config/host-config.ts'
import { transportFrom } from './hop-transport.ts'
import type { Identities } from '../keys/identities.ts'
import { logIn, type LoginWorld } from './login.ts'
import { openSocket, type OpenTransport } from './transport.ts'
import type { Hop, Route } from './route.ts'

export interface Journey extends Omit<LoginWorld, 'identities' | 'open' | 'hop'> {
  readonly config: HostConfig
  readonly route: Route
  readonly identities: (config: HostConfig) => Promise<Identities>
  /** It is tried there now. */
  readonly onTry: (address: SshAddress, hop: HopPlace | undefined) => void
}

/** A jump host's end is told a moment before or after the end of what went through it. */
const lossIsToldWithinMs = 200

/**
 * Connects to a machine and logs in, through every jump host on the way. Each one's key is verified before
 * anything is sent to it, and each is logged in to by itself.
 *
 * @throws SshFailure, HostKeyChanged, which say at which jump host; or the signal's reason
 */
export async function connectVia(journey: Journey, signal: AbortSignal): Promise<Connection> {
  const { route, address, clock, config, onTry } = journey
  onTry(address, undefined)
  if (route.hops.length === 0) {
    const identities = (): Promise<Identities> => journey.identities(config)
    return orWithoutCommand(route, logIn({ ...journey, identities, open: openSocket }, signal))
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
    const connection = await blaming(
      last,
      same,
      logIn({ ...journey, identities: () => journey.identities(config), open }, whole),
    )
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
    const { memory: _, onNewAddress: __, ...shared } = journey
    const world = { ...shared, address: there, user, identities, open, hop: place, agent: null }
    return blaming(before, (error) => atHop(error, place, hop), logIn(world, whole))
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
  if (problem.kind === 'at-hop' || problem.kind === 'proxy-command' || problem.kind === 'stopped')
    return problem
  return { kind: 'at-hop', hop: { ...place, address }, problem }
}

function isLoss(problem: SshProblem): boolean {
  const { kind } = problem.kind === 'at-hop' ? problem.problem : problem
  return kind === 'link-lost' || kind === 'no-way-on' || kind === 'not-ssh'
}

/** Who needs a ProxyCommand to get there sees why the direct route fails. */
async function orWithoutCommand<T>({ leavesOutCommand }: Route, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!leavesOutCommand || !(error instanceof SshFailure)) throw error
    const { problem } = error
    const isOfTheRoute =
      problem.kind === 'refused' ||
      problem.kind === 'timeout' ||
      problem.kind === 'unreachable' ||
      (problem.kind === 'unanswered' && problem.step === 'greeting')
    throw isOfTheRoute ? new SshFailure({ kind: 'proxy-command', problem }, { cause: error }) : error
  }
}
