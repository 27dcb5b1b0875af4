import { join } from 'node:path'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { InstancesSnapshot } from '../../domain/instances/instance.ts'
import type { InstancesList } from '../../domain/instances/listed-instance.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import { instanceHostKeysFile } from '../../domain/ssh/instance-host-keys.ts'
import { sshAddressesOf } from '../../domain/ssh/ssh-address.ts'
import type { KeychainState } from '../../domain/vault/keychain-state.ts'
import type { Http } from '../rental-api/http.ts'
import { fetchInstance } from '../rental-api/instances.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { openPerInstanceFile } from '../storage/per-instance-file.ts'
import { createHostConfigReader } from './config/host-config-file.ts'
import { SshConfig, type SshConfigOptions } from './config/ssh-config.ts'
import { AddressProbes } from './connection/address-probes.ts'
import { createConnections } from './connection/connections.ts'
import type { HostPasswordStore, LoginSecrets } from './connection/host-password.ts'
import { InstanceRoutes, sshChoicesFile } from './connection/instance-routes.ts'
import { InstanceRecords, listedPlaces, targetOf, whereListed } from './instance-records.ts'
import { LoginKeys, type SshAccessOptions } from './keys/login-keys.ts'
import { HostKeysByInstance } from './known-hosts/host-keys-by-instance.ts'
import { openKnownHosts } from './known-hosts/known-hosts-file.ts'
import { createKnownHostsImport } from './known-hosts/known-hosts-import.ts'

export interface SshDependencies extends Pick<SshConfigOptions, 'isNamedElsewhere'> {
  readonly http: Http
  /** Of the account. */
  readonly folder: Pick<Folder, 'path' | 'file'>
  readonly account: Latest<AccountState>
  /** Which instances there are. */
  readonly snapshot: Latest<InstancesSnapshot>
  /** The same, before the service's first answer as they were last seen. */
  readonly lastSeen: Latest<InstancesList>
  readonly preferences: Latest<Preferences>
  readonly identityFiles: SshAccessOptions['files']
  readonly vault: {
    readonly sshKey: SshAccessOptions['vaultKey']
    readonly hostPasswords: HostPasswordStore & SshAccessOptions['hostPasswords']
    readonly state: Latest<KeychainState>
    readonly totp: { readonly codeForHost: LoginSecrets['codeFor'] }
  }
  /** The app's own, in OpenSSH's format. */
  readonly knownHostsFile: string
  /** The user's home folder: `~/.ssh/config` is there. */
  readonly homeFolder: string
  /** Of this computer's SSH agent; `null` without one. */
  readonly agentSocket: string | null
  /** Of this computer's user, for shells and commands. */
  readonly locale: Readonly<Record<string, string>>
  /** Tells the redactor of a secret. */
  readonly remember: (secret: string) => void
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly log: Log
}

export type SshService = Awaited<ReturnType<typeof openSsh>>

/**
 * How the account's instances are logged in to: with what, by which way, what the SSH configuration of this computer
 * says and is told, and the one connection to each.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openSsh(from: SshDependencies, lifetime: Lifetime) {
  const { http, folder, snapshot, lastSeen, vault, knownHostsFile, homeFolder, agentSocket, clock, log } =
    from
  const preferences = from.preferences
  const userFolder = join(homeFolder, '.ssh')
  const configFiles = { userFile: join(userFolder, 'config'), ownFile: join(folder.path, 'ssh_config') }

  const access = new LoginKeys({
    ...from,
    vaultKey: vault.sshKey,
    files: from.identityFiles,
    hostPasswords: vault.hostPasswords,
    keychain: vault.state,
  })
  const choices = await openPerInstanceFile({ ...folder.file('ssh-choices.json'), ...sshChoicesFile })
  const hostConfig = createHostConfigReader({
    ...configFiles,
    homeFolder,
    isWanted: () => preferences.value.readSshConfig,
    user: () => preferences.value.sshUser,
    log,
  })
  const hostKeysByInstance = new HostKeysByInstance({
    file: await openJsonFile({
      ...folder.file('host-keys.json'),
      schema: instanceHostKeysFile,
      fallback: {},
    }),
    whereIs: (id) => whereListed(snapshot.value, id),
    now: clock.now,
    log,
  })
  const knownHosts = createKnownHostsImport({
    userFile: join(userFolder, 'known_hosts'),
    own: openKnownHosts(knownHostsFile),
    places: () => listedPlaces(snapshot.value),
    // An old list doesn't say whose an address is.
    accept: async (id, keys) => {
      if (snapshot.value.problem === null) await hostKeysByInstance.acceptImported(id, keys)
    },
  })
  const records = new InstanceRecords({
    ask: (instanceId, how) => fetchInstance(http, instanceId, how),
    list: lastSeen,
    clock,
  })
  const probes = new AddressProbes({ clock })
  const routes = new InstanceRoutes({
    choices,
    preferences,
    hostConfig,
    agentSocket,
    clock,
    listed: lastSeen,
    reached: hostKeysByInstance,
    probes,
  })
  const config = new SshConfig({
    ...from,
    ...configFiles,
    choices: choices.latest,
    reached: hostKeysByInstance.latest,
    probed: probes.latest,
    routes,
  })
  const connections = createConnections({
    ...from,
    addressAsOf: (instanceId) => records.asOf(instanceId),
    findTarget: async (instanceId, asOf) => {
      const record = await records.find(instanceId, asOf)
      return targetOf(record, routes.addressesToTry(instanceId, sshAddressesOf(record)))
    },
    user: () => preferences.value.sshUser,
    hostConfig: hostConfig.ofInstance,
    findRoute: (instanceId, read) => routes.find(instanceId, read),
    agentFor: (instanceId) => routes.agentFor(instanceId),
    identities: (read) => access.identities(read),
    locale: () => (preferences.value.terminals.sendLocale ? from.locale : {}),
    loginSecrets: {
      passwords: vault.hostPasswords,
      codeFor: (entryId, signal) => vault.totp.codeForHost(entryId, signal),
      remember: from.remember,
      log,
    },
    hostKeysByInstance,
  })

  for (const one of [config, access]) lifetime.follow((signal) => one.follow(signal))
  lifetime.onEnd(() => probes.dispose())
  lifetime.onWake(() => connections.wake())
  return { access, choices, config, hostConfig, knownHosts, routes, connections }
}
