import type { Clock } from '../../../domain/base/clock.ts'
import { parseJumpHosts, formatJumpHosts } from '../../../domain/ssh/jump-host.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Preferences } from '../../../domain/settings/settings.ts'
import { noSshChoice, sshChoice, type InstanceRoute, type SshChoice } from '../../../domain/ssh/ssh-choice.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { perInstance, type PerInstanceFile } from '../../storage/per-instance-file.ts'
import { SshFailure } from '../failure.ts'
import { ForwardedAgent } from '../keys/forwarded-agent.ts'
import type { HostConfigReader } from '../config/host-config-file.ts'
import { noHostConfig, type ConfiguredRoute, type HostConfig } from '../config/host-config.ts'
import { findRoute, type Route } from './route.ts'

/** What the user chose for the connections to single instances. */
export const sshChoicesFile = perInstance(sshChoice, noSshChoice)

export interface InstanceRoutesOptions {
  readonly choices: Pick<PerInstanceFile<SshChoice>, 'of' | 'latest' | 'write'>
  readonly preferences: Latest<Preferences>
  readonly hostConfig: Omit<HostConfigReader, 'names'>
  /** Of this computer's SSH agent; `null` without one. */
  readonly agentSocket: string | null
  /** Where an instance answers as far as it is known now. */
  readonly addressOf: (instanceId: number) => SshAddress | null
  readonly clock: Clock
}

/** How each instance is got to: by what was chosen for it, or for all, or by the SSH configuration. */
export class InstanceRoutes {
  readonly #options: InstanceRoutesOptions
  readonly #agents = new Map<number, ForwardedAgent>()

  constructor(options: InstanceRoutesOptions) {
    this.#options = options
  }

  /** @throws SshFailure way-unclear */
  find(instanceId: number, config: HostConfig): Promise<Route> {
    const { ofJumpHost, localUser } = this.#options.hostConfig
    const { via } = this.#viaOf(instanceId, config)
    return findRoute({ via, ofJumpHost, localUser })
  }

  /** How it is now, and after every change of what was chosen; the configuration is read each time. */
  async *watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<InstanceRoute> {
    const { choices, preferences } = this.#options
    const end = new AbortController()
    const until = AbortSignal.any([end.signal, ...(signal ? [signal] : [])])
    const changes = new Latest(0)
    const note = async (source: Latest<unknown>): Promise<void> => {
      for await (const _ of source.watch(until)) changes.set(changes.value + 1)
    }
    const noting = Promise.all([note(choices.latest), note(preferences)])
    try {
      for await (const _ of changes.watch(until)) yield await this.#now(instanceId)
    } finally {
      end.abort()
      await noting
    }
  }

  /** @throws ProblemError no-account, storage-failed */
  async choose(instanceId: number, choice: SshChoice): Promise<void> {
    await this.#options.choices.write(instanceId, choice)
    if (!choice.forwardAgent) this.#agents.get(instanceId)?.endAll()
  }

  /** The agent as the instance may use it, which is at no time but when that was chosen; `null` without one. */
  agentFor(instanceId: number): ForwardedAgent | null {
    const { agentSocket, choices, clock } = this.#options
    if (agentSocket === null) return null
    const agent =
      this.#agents.get(instanceId) ??
      new ForwardedAgent(agentSocket, () => choices.of(instanceId).forwardAgent, clock)
    this.#agents.set(instanceId, agent)
    return agent
  }

  async #now(instanceId: number): Promise<InstanceRoute> {
    const { choices, hostConfig, addressOf } = this.#options
    const address = addressOf(instanceId)
    const config = address === null ? noHostConfig : await hostConfig.ofInstance(instanceId, address)
    const { via, from } = this.#viaOf(instanceId, config)
    let [unclear, leavesOutCommand]: [string | null, boolean] = [null, false]
    try {
      leavesOutCommand = (await this.find(instanceId, config)).leavesOutCommand
    } catch (error) {
      if (!(error instanceof SshFailure) || error.problem.kind !== 'way-unclear') throw error
      unclear = error.problem.detail
    }
    return {
      choice: choices.of(instanceId),
      jumpHosts: via?.kind === 'jump' ? formatJumpHosts(via.hosts) : null,
      from,
      leavesOutCommand,
      unclear,
      configForwardsAgent: config.forwardAgent,
    }
  }

  #viaOf(
    instanceId: number,
    config: HostConfig,
  ): { readonly via: ConfiguredRoute | null; readonly from: InstanceRoute['from'] } {
    const { choices, preferences } = this.#options
    const { via } = choices.of(instanceId)
    if (via.kind === 'direct') return { via, from: 'instance' }
    if (via.kind === 'jump') return { via: through(via.hosts), from: 'instance' }
    const { jumpHosts } = preferences.value
    if (jumpHosts !== '') return { via: through(jumpHosts), from: 'settings' }
    return { via: config.via, from: config.via && 'ssh-config' }
  }
}

function through(text: string): ConfiguredRoute {
  const hosts = parseJumpHosts(text)
  return hosts === null ? { kind: 'unclear', text } : { kind: 'jump', hosts }
}
