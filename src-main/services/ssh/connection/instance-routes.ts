import { isDeepStrictEqual } from 'node:util'
import { fieldOf, type FieldRecord } from '../../../domain/fields/field-format.ts'
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
  isSameAddress,
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
import type { AddressProbes } from './address-probes.ts'
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
  /** Where it answered, for an instance that was never reached. */
  readonly probes: Pick<AddressProbes, 'of' | 'probe' | 'skip' | 'latest'>
  readonly clock: Clock
}

/** An instance none of whose addresses answered is asked again, unless the user waits for it: at once then. */
const askedAgainAfterMs = 60_000

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
    return addressesToTry(
      addresses,
      this.#options.choices.of(instanceId).address,
      this.#placesOf(instanceId, addresses),
    )
  }

  /** The one of these addresses that a program gets that tries only one; `null` for none. */
  programAddress(instanceId: number, addresses: SshAddresses): SshAddress | null {
    return this.addressesToTry(instanceId, addresses)[0] ?? null
  }

  /** Whether the instance runs, and which of its two addresses answers is still to be found out: see `probe`. */
  isToBeProbed(instanceId: number, record: FieldRecord): boolean {
    const { clock, probes } = this.#options
    if (fieldOf(record, 'actual_status') !== 'running') return false
    const asked = this.#openQuestion(instanceId, sshAddressesOf(record))
    if (asked === null) return false
    const last = probes.of(instanceId, asked)
    return last === null || Math.abs(clock.now() - last.at) >= askedAgainAfterMs
  }

  /**
   * Finds out which of its addresses answers, where nothing says which to use: neither was ever reached, and the user
   * chose none. Behind a jump host that's for a connection to find out.
   *
   * @returns whether they were asked and none answered
   */
  async probe(instanceId: number, addresses: SshAddresses): Promise<{ readonly isUnanswered: boolean }> {
    const { probes } = this.#options
    const asked = this.#openQuestion(instanceId, addresses)
    if (asked !== null && (await this.#isDirectTo(instanceId, asked))) await probes.probe(instanceId, asked)
    else if (asked !== null) probes.skip(instanceId, asked)
    return { isUnanswered: this.#isUnanswered(instanceId, addresses) }
  }

  /** How it is now, and after every change of what was chosen or listed; the configuration is read each time. */
  async *watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<InstanceRoute> {
    const { choices, preferences, listed, reached, probes } = this.#options
    const sources = [choices.latest, preferences, listed, reached.latest, probes.latest]
    for await (const _ of changesOf(sources, signal)) {
      const record = this.#recordOf(instanceId)
      // Who looks at it may copy its address.
      if (this.isToBeProbed(instanceId, record)) void this.probe(instanceId, sshAddressesOf(record))
      yield await this.#now(instanceId)
    }
  }

  /** What decides between the addresses of each listed instance, now and whenever it changes. */
  async *watchHints(signal?: AbortSignal): AsyncGenerator<AddressHintsById> {
    const { choices, listed, reached, probes } = this.#options
    let told: AddressHintsById | null = null
    for await (const _ of changesOf([choices.latest, listed, reached.latest, probes.latest], signal)) {
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
    const { choices, listed } = this.#options
    const all = (listed.value.instances ?? []).map(({ id, record }) => {
      const places = this.#placesOf(id, sshAddressesOf(record))
      return [id, { choice: choices.of(id).address, reached: places }] as const
    })
    return Object.fromEntries(
      all.filter(([, { choice, reached: places }]) => choice !== 'automatic' || places.length > 0),
    )
  }

  /** Where it was reached, newest first, or answered. */
  #placesOf(instanceId: number, addresses: SshAddresses): readonly SshAddress[] {
    const { reached, probes } = this.#options
    const answer = probes.of(instanceId, addressesToTry(addresses, 'automatic', []))?.answer
    return [...reached.addressesOf(instanceId), ...(typeof answer === 'object' ? [answer] : [])]
  }

  /** The addresses of which nothing says which one to use, the preferred one first; `null` where something does. */
  #openQuestion(instanceId: number, addresses: SshAddresses): readonly SshAddress[] | null {
    if (this.#options.choices.of(instanceId).address !== 'automatic') return null
    const both = addressesToTry(addresses, 'automatic', [])
    const places = this.#placesOf(instanceId, addresses)
    const isKnown = both.some((address) => places.some((place) => isSameAddress(place, address)))
    return both.length < 2 || isKnown ? null : both
  }

  #isUnanswered(instanceId: number, addresses: SshAddresses): boolean {
    const asked = this.#openQuestion(instanceId, addresses)
    return asked !== null && this.#options.probes.of(instanceId, asked)?.answer === 'none'
  }

  async #isDirectTo(instanceId: number, addresses: readonly SshAddress[]): Promise<boolean> {
    const routes = await Promise.all(addresses.map((address) => this.#routeTo(instanceId, address)))
    return routes.every(
      ({ jumpHosts, unclear, leavesOutCommand }) =>
        jumpHosts === null && unclear === null && !leavesOutCommand,
    )
  }

  #recordOf(instanceId: number): FieldRecord {
    return this.#options.listed.value.instances?.find(({ id }) => id === instanceId)?.record ?? {}
  }

  async #now(instanceId: number): Promise<InstanceRoute> {
    const { choices } = this.#options
    const known = sshAddressesOf(this.#recordOf(instanceId))
    const addresses = this.addressesToTry(instanceId, known)
    const [direct, proxy] = await Promise.all([
      this.#routeTo(instanceId, known.direct),
      this.#routeTo(instanceId, known.proxy),
    ])
    return {
      choice: choices.of(instanceId),
      addresses: addresses.map((address) => kindOfAddress(known, address)).filter((kind) => kind !== null),
      isUnanswered: this.#isUnanswered(instanceId, known),
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
