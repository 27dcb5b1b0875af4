import type { Clock } from '../domain/base/clock.ts'
import { forwardsFile } from '../domain/forwards/forward.ts'
import { transfersFile } from '../services/files/kept-transfer.ts'
import type { Latest } from '../domain/base/latest.ts'
import type { Log } from '../domain/base/log.ts'
import { snippetsFile } from '../domain/runs/run.ts'
import type { Preferences } from '../domain/settings/settings.ts'
import { instanceHostKeysFile } from '../domain/ssh/instance-host-keys.ts'
import { sshAddressesOf } from '../domain/ssh/ssh-address.ts'
import type { Http } from '../services/rental-api/http.ts'
import { fetchInstance } from '../services/rental-api/instances.ts'
import type { Services } from '../ipc/services.ts'
import { openJsonFile, type JsonFilePlace } from '../services/storage/json-file.ts'
import { KeptScreens } from '../services/terminals/kept-screens.ts'
import { TerminalDesks, terminalDesksFile } from '../services/terminals/terminal-desks.ts'
import type { SshAccessWatch } from '../services/ssh/keys/access.ts'
import type { HostConfigReader } from '../services/ssh/config/host-config-file.ts'
import { createConnections, type Connections } from '../services/ssh/connection/connections.ts'
import { InstanceKeys } from '../services/ssh/known-hosts/instance-keys.ts'
import { Forwards, type ForwardsOptions } from '../services/forwards/forwards.ts'
import type { LoginSecrets } from '../services/ssh/connection/host-password.ts'
import { InstanceWays } from '../services/ssh/connection/instance-ways.ts'
import { Runs } from '../services/runs/runs.ts'
import { Snippets } from '../services/runs/snippets.ts'
import { createFiles, type FilesOptions } from '../services/files/files.ts'
import type { LocalTreeOptions } from '../services/files/local-tree.ts'
import { SessionPool } from '../services/files/session-pool.ts'
import type { SshChoices } from '../services/ssh/connection/ssh-choices.ts'
import { createTerminals, type Terminals } from '../services/terminals/terminals.ts'

export interface MachinesOptions {
  readonly http: Http
  readonly preferences: Latest<Preferences>
  readonly access: Pick<SshAccessWatch, 'identities'>
  readonly loginSecrets: LoginSecrets
  /** What the user's SSH configuration says. */
  readonly hostConfig: Omit<HostConfigReader, 'names'>
  /** What was chosen for the connections to single instances. */
  readonly choices: SshChoices
  /** Of this computer's SSH agent; `null` without one. */
  readonly agentSocket: string | null
  /** Of this computer's user, for shells and commands. */
  readonly locale: Readonly<Record<string, string>>
  /** The app's own, in OpenSSH's format. */
  readonly knownHostsFile: string
  /** Where host keys are kept by instance. */
  readonly hostKeys: JsonFilePlace
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly randomId: () => string
  readonly log: Log
  /** This computer's files, and where transfers are kept. */
  readonly files: LocalTreeOptions & Pick<FilesOptions, 'chooseToUpload'> & { readonly file: JsonFilePlace }
  /** Where the terminals of the last time are kept. */
  readonly desks: JsonFilePlace & { readonly screensFolder: string }
  /** A command is run on this instance now. */
  readonly onRunning: (instanceId: number) => void
  /** Where commands are kept. */
  readonly snippets: JsonFilePlace
  /** Where forwards are kept, which instances there are, and the way to the browser. */
  readonly forwards: Pick<ForwardsOptions, 'snapshot' | 'openPort'> & {
    readonly file: JsonFilePlace
  }
}

/** What is done on machines over SSH: one connection to each, and what shares it. */
export interface Machines {
  readonly connections: Connections
  readonly terminals: Terminals & { readonly desks: TerminalDesks }
  readonly services: Pick<Services, 'connections' | 'files' | 'forwards' | 'runs' | 'snippets'>
  /** Instances that somebody works on now: in a shell, by a command, through a forward, or copying files. */
  readonly connected: () => ReadonlySet<number>
  /** Resolves once the signal is aborted. */
  readonly follow: (signal: AbortSignal) => Promise<void>
  readonly dispose: () => Promise<void>
}

/**
 * The part of the composition root that puts {@link Machines} together.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeMachines(options: MachinesOptions): Promise<Machines> {
  const { http, preferences, access, knownHostsFile, clock, random, randomId, log } = options
  const ways = new InstanceWays({
    choices: options.choices,
    preferences,
    hostConfig: options.hostConfig,
    agentSocket: options.agentSocket,
    clock,
    addressOf: (id) => {
      const found = options.forwards.snapshot.value.instances?.find((instance) => instance.id === id)
      return found ? sshAddressesOf(found.record).preferred : null
    },
  })
  const instanceKeys = new InstanceKeys({
    file: await openJsonFile({ ...options.hostKeys, schema: instanceHostKeysFile, fallback: {} }),
    whereIs: (id) => {
      const { instances } = options.forwards.snapshot.value
      if (instances === null) return null
      const found = instances.find((instance) => instance.id === id)
      if (found === undefined) return 'gone'
      const { direct, proxy } = sshAddressesOf(found.record)
      return [direct, proxy].filter((address) => address !== null)
    },
    now: clock.now,
    log,
  })
  const connections = createConnections({
    findTarget: async (instanceId) => {
      const record = await fetchInstance(http, instanceId)
      const { preferred } = sshAddressesOf(record)
      return preferred === null
        ? { kind: 'none', status: record.actual_status ?? null }
        : { kind: 'address', address: preferred }
    },
    user: () => preferences.value.sshUser,
    hostConfig: options.hostConfig.ofInstance,
    findWay: (instanceId, config) => ways.find(instanceId, config),
    agentFor: (instanceId) => ways.agentFor(instanceId),
    identities: (config) => access.identities(config),
    locale: () => (preferences.value.terminals.sendLocale ? options.locale : {}),
    loginSecrets: options.loginSecrets,
    knownHostsFile,
    instanceKeys,
    clock,
    random,
    log,
  })
  const sessions = new SessionPool(clock)
  const makeRoom = (instanceId: number): Promise<boolean> => sessions.closeIdle(instanceId)
  const terminals = await withDesks(
    createTerminals({ connections, makeRoom, knownHostsFile, clock, randomId, log }),
    options,
  )
  const { file: place, ...reach } = options.forwards
  const file = await openJsonFile({ ...place, ...forwardsFile })
  const forwards = new Forwards({ ...reach, file, connections, clock, randomId, log })
  const { file: transfersPlace, ...local } = options.files
  const files = createFiles({
    ...local,
    file: await openJsonFile({ ...transfersPlace, ...transfersFile }),
    connect: connections.acquire,
    sessions,
    regain: connections.regain,
    isConnected: (instanceId) => connections.state(instanceId).value.kind === 'open',
    clock,
    randomId,
    log,
  })
  const kept = await openJsonFile({ ...options.snippets, schema: snippetsFile, fallback: [] })
  const snippets = new Snippets(kept, randomId)
  const runs = new Runs({
    ...{ connections, clock, log, randomId, onRunning: options.onRunning },
    homeFolder: local.homeFolder,
  })
  const connected = () =>
    new Set([
      ...terminals.connected(),
      ...forwards.connected,
      ...files.transfers.connected,
      ...runs.connected,
    ])
  return {
    connections,
    terminals,
    services: { connections: { ...connections, ways }, files, forwards, runs, snippets },
    connected,
    follow: (signal) => {
      forwards.resume()
      files.transfers.resume()
      return forwards.follow(signal)
    },
    dispose: async () => {
      forwards.dispose()
      await terminals.dispose()
      await Promise.all([files.dispose(), runs.dispose()])
    },
  }
}

/** Terminals with what is kept of them for the next start. */
async function withDesks(
  terminals: Terminals,
  { desks: { screensFolder, ...place }, preferences, log }: MachinesOptions,
): Promise<Machines['terminals']> {
  const file = await openJsonFile({ ...place, ...terminalDesksFile })
  const screens = new KeptScreens({ folder: screensFolder, log })
  const desks = new TerminalDesks({ file, screens, preferences, log })
  const end = new AbortController()
  const following = desks.follow(end.signal)
  const dispose = async (): Promise<void> => {
    await terminals.dispose()
    end.abort()
    await following
  }
  return { ...terminals, desks, dispose }
}
