import type { AccountState } from '../../domain/accounts/account.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { parseJumpHosts } from '../../domain/ssh/jump-host.ts'
import { sshAddressesOf } from '../../domain/ssh/ssh-address.ts'
import type { SshChoice } from '../../domain/ssh/ssh-choice.ts'
import type { ConnectionState } from '../../domain/ssh/ssh-connection.ts'
import type { SshAddress, SshProblem } from '../../domain/ssh/ssh.ts'

export interface AccountPlaces {
  readonly account: AccountState
  readonly instances: readonly WatchedInstance[]
  /** How each connection to a machine stands. */
  readonly connections: readonly ConnectionState[]
  readonly choices: Iterable<SshChoice>
}

/** Host names and addresses that are an account's: its service's, its machines', and those of the ways there. */
export function hostsOfAccount({
  account,
  instances,
  connections,
  choices,
}: AccountPlaces): readonly string[] {
  const service = account.kind === 'none' ? [] : [new URL(account.serviceAddress).hostname]
  const machines = instances.flatMap(({ record }) => {
    const { direct, proxy } = sshAddressesOf(record)
    return hostsOf([direct, proxy])
  })
  const jumps = [...choices].flatMap(({ via }) => (via.kind === 'jump' ? jumpHostNames(via.hosts) : []))
  return [...service, ...machines, ...connections.flatMap(hostsOfConnection), ...jumps]
}

/** The names in jump hosts as they are kept; empty text has none. */
export function jumpHostNames(text: string): readonly string[] {
  return (parseJumpHosts(text) ?? []).map(({ host }) => host)
}

/**
 * The names of a line of known_hosts that can be read: not hashed, and no patterns.
 *
 * @param hosts as in the file: with commas, each a name or `[name]:port`
 */
export function knownHostNames(hosts: string): readonly string[] {
  return hosts
    .split(',')
    .filter((name) => !/[|*?!]/.test(name))
    .map((name) => /^\[(.+)\]:\d+$/.exec(name)?.[1] ?? name)
}

function hostsOfConnection(state: ConnectionState): readonly string[] {
  const place = 'address' in state ? state.address : null
  return hostsOf([place, ...('problem' in state ? placesOf(state.problem) : [])])
}

function placesOf(problem: SshProblem): readonly SshAddress[] {
  if (problem.kind === 'at-hop') return [problem.hop.address, ...placesOf(problem.problem)]
  if (problem.kind === 'both-addresses')
    return problem.tries.flatMap((each) => [each.address, ...placesOf(each.problem)])
  if (problem.kind === 'proxy-command') return placesOf(problem.problem)
  return problem.kind === 'no-way-on' ? [problem.to] : []
}

function hostsOf(addresses: readonly (SshAddress | null)[]): readonly string[] {
  return addresses.flatMap((address) => (address === null ? [] : [address.host]))
}
