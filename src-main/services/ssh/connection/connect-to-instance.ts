import { isDeepStrictEqual } from 'node:util'
import type { SshAddress, SshProblem } from '../../../domain/ssh/ssh.ts'
import { noHostConfig, type HostConfig } from '../config/host-config.ts'
import { SshFailure } from '../failure.ts'
import { failureOfAll, failureOfCommand, leadsNowhere } from './address-failures.ts'
import { connectVia, type Arrival, type Journey } from './connect-via.ts'
import { directRoute, type Destination, type Place, type Route } from './route.ts'

/** What is asked about each address of an instance: see `InstanceConnectionOptions`. */
export interface DestinationFacts {
  readonly user: () => string
  readonly hostConfig?: (address: SshAddress) => Promise<HostConfig>
  readonly findRoute?: (config: HostConfig) => Promise<Route>
}

/**
 * How to get to each address of an instance, the preferred one first. One to which the route isn't clear is left out
 * where another one has a clear route.
 *
 * @throws SshFailure way-unclear
 */
export async function findDestinations(
  { address, fallback }: Place,
  { user, hostConfig, findRoute }: DestinationFacts,
): Promise<readonly Destination[]> {
  const found: Destination[] = []
  const unclear: SshFailure[] = []
  for (const at of fallback ? [address, fallback] : [address]) {
    const config = (await hostConfig?.(at)) ?? noHostConfig
    try {
      const route = (await findRoute?.(config)) ?? directRoute
      found.push({ address: at, user: config.user ?? user(), config, route })
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error
      unclear.push(error)
    }
  }
  if (found.length === 0 && unclear[0] !== undefined) throw unclear[0]
  return found
}

/**
 * Connects to an instance at whichever of its addresses answers. Where one leads nowhere before its host key was seen,
 * the other is tried, once; those with one route race from its end on, others are tried one after the other.
 *
 * @throws SshFailure, HostKeyChanged, or the signal's reason
 */
export async function connectToInstance(
  journey: Omit<Journey, 'onFailed' | 'onHostKey' | 'mayTryOther'>,
  destinations: readonly Destination[],
  signal: AbortSignal,
): Promise<Arrival> {
  const addresses = destinations.map(({ address }) => address)
  const failures = new Map<SshAddress, unknown>()
  let isKeySeen = false
  const mayTryOther = (error: unknown): error is SshFailure =>
    !isKeySeen && error instanceof SshFailure && leadsNowhere(error.problem)
  const watched: Journey = {
    ...journey,
    mayTryOther,
    onHostKey: () => (isKeySeen = true),
    onFailed: (address, error) => void failures.set(address, error),
  }
  for (;;) {
    const left = destinations.filter(({ address }) => !failures.has(address))
    const [next] = left
    if (next === undefined) throw orOfCommand(failureOfAll(addresses, failures))
    const alike = left.filter(({ route }) => isDeepStrictEqual(route, next.route))
    try {
      return await connectVia(watched, alike, next.route, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!mayTryOther(error)) throw error
      if (destinations.length === 1 || isOfJumpHost(error.problem))
        for (const { address } of alike) failures.set(address, error)
      if (alike.every(({ address }) => !failures.has(address))) throw error
    }
  }

  /** Who needs a ProxyCommand to get there sees why the direct route fails, at the address that it is for. */
  function orOfCommand(error: unknown): unknown {
    const blamed = failureOfCommand(error, destinations)
    if (blamed === null) return error
    journey.onTry(blamed.address)
    return new SshFailure({ kind: 'proxy-command', problem: blamed.problem }, { cause: error })
  }
}

/** Then nothing behind it was tried; that one address can't be reached from there is about that address. */
function isOfJumpHost(problem: SshProblem): boolean {
  if (problem.kind !== 'at-hop') return false
  return problem.problem.kind !== 'no-way-on' || problem.problem.isForbidden
}
