import { isDeepStrictEqual } from 'node:util'
import type { FieldRecord } from '../../../domain/fields/field-format.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import { parseJumpHosts, formatJumpHosts } from '../../../domain/ssh/jump-host.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Preferences } from '../../../domain/settings/settings.ts'
import {
  noSshChoice,
  sshChoice,
  type AddressRoute,
  type InstanceRoute,
  type SshChoice,
} from '../../../domain/ssh/ssh-choice.ts'
import {
  addressesToTry,
  kindOfAddress,
  sshAddressesOf,
  type AddressHintsById,
  type SshAddresses,
} from '../../../domain/ssh/ssh-address.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { perInstance, type PerInstanceFile } from '../../storage/per-instance-file.ts'
import { SshFailure } from '../failure.ts'
import type { HostKeysByInstance } from '../known-hosts/host-keys-by-instance.ts'
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
  /** Which instances there are, as far as that is known now. */
  readonly listed: Latest<{
    readonly instances: readonly { readonly id: number; readonly record: FieldRecord }[] | null
  }>
  /** Where each was reached. */
  readonly reached: Pick<HostKeysByInstance, 'addressesOf' | 'latest'>
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

  /** Where to try an instance that has these addresses, in this order. */
  addressesToTry(instanceId: number, addresses: SshAddresses): readonly SshAddress[] {
    const { choices, reached } = this.#options
    return addressesToTry(addresses, choices.of(instanceId).address, reached.addressesOf(instanceId))
  }

  /** How it is now, and after every change of what was chosen or listed; the configuration is read each time. */
  async *watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<InstanceRoute> {
    const { choices, preferences, listed, reached } = this.#options
    for await (const _ of changesOf([choices.latest, preferences, listed, reached.latest], signal))
      yield await this.#now(instanceId)
  }

  /** What decides between the addresses of each listed instance, now and whenever it changes. */
  async *watchHints(signal?: AbortSignal): AsyncGenerator<AddressHintsById> {
    const { choices, listed, reached } = this.#options
    let told: AddressHintsById | null = null
    for await (const _ of changesOf([choices.latest, listed, reached.latest], signal)) {
      const hints = this.#hints()
      if (isDeepStrictEqual(hints, told)) continue
      told = hints
      yield hints
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

  #hints(): AddressHintsById {
    const { choices, listed, reached } = this.#options
    const all = (listed.value.instances ?? []).map(({ id }) => {
      return [id, { choice: choices.of(id).address, reached: reached.addressesOf(id) }] as const
    })
    return Object.fromEntries(
      all.filter(([, { choice, reached: places }]) => choice !== 'automatic' || places.length > 0),
    )
  }

  async #now(instanceId: number): Promise<InstanceRoute> {
    const { choices, listed } = this.#options
    const known = sshAddressesOf(listed.value.instances?.find(({ id }) => id === instanceId)?.record ?? {})
    const addresses = this.addressesToTry(instanceId, known)
    const [direct, proxy] = await Promise.all([
      this.#routeTo(instanceId, known.direct),
      this.#routeTo(instanceId, known.proxy),
    ])
    return {
      choice: choices.of(instanceId),
      addresses: addresses.map((address) => kindOfAddress(known, address)).filter((kind) => kind !== null),
      routes: { direct, proxy },
    }
  }

  async #routeTo(instanceId: number, address: SshAddress | null): Promise<AddressRoute> {
    const { hostConfig } = this.#options
    const config = address === null ? noHostConfig : await hostConfig.ofInstance(instanceId, address)
    const { via, from } = this.#viaOf(instanceId, config)
    return {
      jumpHosts: via?.kind === 'jump' ? formatJumpHosts(via.hosts) : null,
      from,
      configForwardsAgent: config.forwardAgent,
      ...(await this.#byConfig(instanceId, config)),
    }
  }

  async #byConfig(
    instanceId: number,
    config: HostConfig,
  ): Promise<Pick<AddressRoute, 'unclear' | 'leavesOutCommand'>> {
    try {
      const { leavesOutCommand } = await this.find(instanceId, config)
      return { unclear: null, leavesOutCommand }
    } catch (error) {
      if (!(error instanceof SshFailure) || error.problem.kind !== 'way-unclear') throw error
      return { unclear: error.problem.detail, leavesOutCommand: false }
    }
  }

  #viaOf(
    instanceId: number,
    config: HostConfig,
  ): { readonly via: ConfiguredRoute | null; readonly from: AddressRoute['from'] } {
    const { choices, preferences } = this.#options
    const { via } = choices.of(instanceId)
    if (via.kind === 'direct') return { via, from: 'instance' }
    if (via.kind === 'jump') return { via: through(via.hosts), from: 'instance' }
    const { jumpHosts } = preferences.value
    if (jumpHosts !== '') return { via: through(jumpHosts), from: 'settings' }
    return { via: config.via, from: config.via && 'ssh-config' }
  }
}

/** Yields at once and after changes of any of these. */
async function* changesOf(sources: readonly Latest<unknown>[], signal?: AbortSignal): AsyncGenerator<void> {
  const end = new AbortController()
  const until = AbortSignal.any([end.signal, ...(signal ? [signal] : [])])
  const changes = new Latest(0)
  const note = async (source: Latest<unknown>): Promise<void> => {
    for await (const _ of source.watch(until)) changes.set(changes.value + 1)
  }
  const noting = Promise.all(sources.map(note))
  try {
    for await (const _ of changes.watch(until)) yield
  } finally {
    end.abort()
    await noting
  }
}

function through(text: string): ConfiguredRoute {
  const hosts = parseJumpHosts(text)
  return hosts === null ? { kind: 'unclear', text } : { kind: 'jump', hosts }
}
