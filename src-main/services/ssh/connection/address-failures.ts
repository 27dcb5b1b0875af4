import {
  isAtOnePlace,
  type ProblemAtOnePlace,
  type SshAddress,
  type SshProblem,
} from '../../../domain/ssh/ssh.ts'
import { SshFailure } from '../failure.ts'
import type { Destination } from './route.ts'

interface AddressFailure {
  readonly address: SshAddress
  readonly problem: ProblemAtOnePlace
}

/**
 * What is told where each address of an instance failed: all are named. What isn't about an address is told as it is,
 * and so is a jump host's refusal to lead on, where it refuses that for all of them, and what an SSH server that stands
 * behind all of them lacks.
 *
 * @param addresses in order of preference
 */
export function failureOfAll(
  addresses: readonly SshAddress[],
  failures: ReadonlyMap<SshAddress, unknown>,
): unknown {
  const errors = addresses.map((address) => failures.get(address))
  const tries: AddressFailure[] = []
  for (const [index, address] of addresses.entries()) {
    const error = errors[index]
    if (!(error instanceof SshFailure) || !isAtOnePlace(error.problem)) return error
    tries.push({ address, problem: error.problem })
  }
  const areForbidden = tries.every(({ problem }) => problem.kind === 'no-way-on' && problem.isForbidden)
  const algorithmsLacked = new Set(
    tries.map(({ problem }) => (problem.kind === 'no-common-algorithm' ? problem.detail : undefined)),
  )
  const isOneServer = algorithmsLacked.size === 1 && !algorithmsLacked.has(undefined)
  if (tries.length < 2 || areForbidden || isOneServer) return errors[0]
  return new SshFailure({ kind: 'both-addresses', tries }, { cause: new AggregateError(errors) })
}

/**
 * The failure at the first address for which the configuration names a ProxyCommand, where the command that is not run
 * may be why: no address could be reached. `null` otherwise.
 *
 * @param error what {@link failureOfAll} made of it
 */
export function failureOfCommand(
  error: unknown,
  destinations: readonly Pick<Destination, 'address' | 'route'>[],
): AddressFailure | null {
  if (!(error instanceof SshFailure)) return null
  const failures = failuresOf(error.problem, destinations)
  if (!failures.every(({ problem }) => isOfTheRoute(problem))) return null
  const { address } = destinations.find(({ route }) => route.leavesOutCommand) ?? {}
  return failures.find((failure) => failure.address === address) ?? null
}

/** At each address; none where it was at a jump host. */
function failuresOf(
  problem: SshProblem,
  [first]: readonly Pick<Destination, 'address'>[],
): readonly AddressFailure[] {
  if (problem.kind === 'both-addresses') return problem.tries
  return isAtOnePlace(problem) && first !== undefined ? [{ address: first.address, problem }] : []
}

function isOfTheRoute(problem: ProblemAtOnePlace): boolean {
  switch (problem.kind) {
    case 'refused':
    case 'timeout':
    case 'unreachable':
      return true
    default:
      return problem.kind === 'unanswered' && problem.step === 'greeting'
  }
}

const leadingNowhere: ReadonlySet<SshProblem['kind']> = new Set([
  'refused',
  'timeout',
  'unreachable',
  'unanswered',
  'busy',
  'not-ssh',
  'no-common-algorithm',
  'link-lost',
  'no-way-on',
  'out-of-order',
  'protocol-broken',
])

/**
 * Whether another address of the instance may do better: no host was found at this one, or it went no further before
 * its host key was seen. What a host did that was found counts, and so does what the user wants.
 */
export function leadsNowhere(problem: SshProblem): boolean {
  if (problem.kind === 'at-hop') return leadsNowhere(problem.problem)
  if (problem.kind === 'both-addresses') return problem.tries.every((each) => leadsNowhere(each.problem))
  return leadingNowhere.has(problem.kind)
}
