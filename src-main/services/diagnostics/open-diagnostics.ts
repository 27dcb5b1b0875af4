import type { AccountState } from '../../domain/accounts/account.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { InstancesSnapshot, WatchedInstance } from '../../domain/instances/instance.ts'
import type { SshChoice } from '../../domain/ssh/ssh-choice.ts'
import type { ConnectionsList } from '../../domain/ssh/ssh-connection.ts'
import { hostsOfAccount } from './account-hosts.ts'
import { createDiagnostics, type DiagnosticsOptions } from './diagnostics.ts'
import type { Licenses } from './licenses.ts'

export interface DiagnosticsDependencies extends Omit<DiagnosticsOptions, 'hosts'> {
  readonly account: Pick<Latest<AccountState>, 'value'>
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'value'>
  /** Its instances as they were last seen, for as long as no list has come. */
  readonly remembered: () => readonly WatchedInstance[]
  readonly connections: Pick<Latest<ConnectionsList>, 'value'>
  /** How the user reaches single instances. */
  readonly choices: Pick<Latest<ReadonlyMap<number, SshChoice>>, 'value'>
  /** Where the services and machines of the other accounts are. */
  readonly otherHosts: () => readonly string[]
  readonly licenses: Licenses
}

export type DiagnosticsService = ReturnType<typeof openDiagnostics>

/** What is told of the program itself, and of what it contains. */
export function openDiagnostics(from: DiagnosticsDependencies) {
  const { account, snapshot, remembered, connections, choices, otherHosts, licenses } = from
  const hosts = (): readonly string[] =>
    hostsOfAccount({
      account: account.value,
      instances: snapshot.value.instances ?? remembered(),
      connections: connections.value.map(({ state }) => state),
      choices: choices.value.values(),
    })
  return {
    ...createDiagnostics({ ...from, hosts: () => [...hosts(), ...otherHosts()] }),
    licenses,
    /** Where the account's service and machines are. */
    hosts,
  }
}
