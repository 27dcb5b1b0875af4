import { join } from 'node:path'
import type { AccountState } from '../domain/accounts/account.ts'
import type { InstancesSnapshot } from '../domain/instances/instance.ts'
import type { Latest } from '../domain/base/latest.ts'
import { sshAddressesOf } from '../domain/ssh/ssh-address.ts'
import { openJsonFile } from '../services/storage/json-file.ts'
import type { Folder, Shared } from './shared-services.ts'
import { SshAccessWatch } from '../services/ssh/keys/access.ts'
import { SshChoices, sshChoicesFile } from '../services/ssh/connection/ssh-choices.ts'
import { createHostConfigReader } from '../services/ssh/config/host-config-file.ts'
import { openKnownHosts } from '../services/ssh/known-hosts/known-hosts-file.ts'
import { createKnownHostsImport } from '../services/ssh/known-hosts/known-hosts-import.ts'
import { SshConfig, type SshConfigOptions } from '../services/ssh/config/ssh-config.ts'

export interface SshWaysOptions extends Pick<SshConfigOptions, 'isNamedElsewhere'> {
  readonly shared: Shared
  /** Of the account. */
  readonly folder: string
  readonly file: Folder['file']
  readonly account: Latest<AccountState>
  readonly snapshot: Latest<InstancesSnapshot>
}

/** How an account's instances are logged in to, put together by {@link composeSshWays}. */
export type SshWays = Awaited<ReturnType<typeof composeSshWays>>

/**
 * The part of the composition root about how an account's instances are logged in to: with what, by which way, and
 * what the SSH configuration of this computer says and is told.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeSshWays({
  shared,
  folder,
  file,
  account,
  snapshot,
  isNamedElsewhere,
}: SshWaysOptions) {
  const { surroundings, log, vault, knownHostsFile } = shared
  const { clock, homeFolder, agentSocket } = surroundings
  const preferences = shared.preferences.latest
  const access = new SshAccessWatch({
    vaultKey: vault.sshKey,
    files: shared.chosenFiles,
    hostPasswords: vault.hostPasswords,
    preferences,
    account,
    keychain: vault.state,
    agentSocket,
  })
  const configFiles = { userFile: join(homeFolder, '.ssh', 'config'), ownFile: join(folder, 'ssh_config') }
  const choicesFile = await openJsonFile({ ...file('ssh-choices.json'), ...sshChoicesFile })
  const choices = new SshChoices({ file: choicesFile, now: clock.now })
  const config = new SshConfig({
    ...configFiles,
    knownHostsFile,
    snapshot,
    account,
    preferences,
    choices: choices.latest,
    isNamedElsewhere,
    log,
  })
  return {
    access,
    choices,
    config,
    hostConfig: createHostConfigReader({
      ...configFiles,
      homeFolder,
      isWanted: () => preferences.value.readSshConfig,
      user: () => preferences.value.sshUser,
      log,
    }),
    knownHosts: createKnownHostsImport({
      userFile: join(homeFolder, '.ssh', 'known_hosts'),
      own: openKnownHosts(knownHostsFile),
      addresses: () =>
        (snapshot.value.instances ?? []).flatMap(({ record }) => {
          const { direct, proxy } = sshAddressesOf(record)
          return [direct, proxy].filter((address) => address !== null)
        }),
    }),
    follow: (signal: AbortSignal): Promise<unknown> =>
      Promise.all([config.follow(signal), access.follow(signal)]),
  }
}
