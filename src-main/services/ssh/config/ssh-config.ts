import { readFile, rm } from 'node:fs/promises'
import type { AccountState } from '../../../domain/accounts/account.ts'
import type { InstancesSnapshot } from '../../../domain/instances/instance.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import type { Preferences } from '../../../domain/settings/settings.ts'
import { noSshChoice, type SshChoice } from '../../../domain/ssh/ssh-choice.ts'
import { sshAddressesOf } from '../../../domain/ssh/ssh-address.ts'
import { sshAlias, type SshConfigState } from '../../../domain/ssh/ssh-config.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import type { InstanceRoutes } from '../connection/instance-routes.ts'
import { replaceText } from './ssh-config-file.ts'
import {
  configText,
  includeLineFor,
  includesFile,
  isWritablePath,
  withInclude,
  withoutInclude,
  type ConfigEntry,
} from './ssh-config-text.ts'
import { ifThere, orStorageFailed } from '../../storage/disk.ts'

export interface SshConfigOptions {
  /** `~/.ssh/config` */
  readonly userFile: string
  readonly ownFile: string
  readonly knownHostsFile: string
  readonly snapshot: Latest<InstancesSnapshot>
  readonly account: Latest<AccountState>
  readonly preferences: Latest<Preferences>
  /** What was chosen for single instances. */
  readonly choices: Latest<ReadonlyMap<number, SshChoice>>
  /** Where instances were reached, and where they answered: `routes` depends on both. */
  readonly reached: Latest<unknown>
  readonly probed: Latest<unknown>
  /** Which of an instance's addresses ssh is told. */
  readonly routes: Pick<InstanceRoutes, 'programAddress' | 'isToBeProbed' | 'probe'>
  /** Whether the name of this instance means another one to ssh already: ids are unique within a service only. */
  readonly isNamedElsewhere: (instanceId: number) => boolean
  readonly log: Log
}

/** So many instances are probed at a time, however many there are. */
const probesAtOnce = 8

/**
 * An entry for each instance in a file of Slipway's own, for ssh, scp, rsync and VS Code. The user's file
 * includes it once the user has agreed; that line is the consent, and when it goes, so does the file.
 */
export class SshConfig {
  readonly state: Latest<SshConfigState>
  readonly #options: SshConfigOptions
  readonly #queue = new SerialQueue()
  /** Instances that are probed, or will be. */
  readonly #probing = new Set<number>()
  readonly #lanes = Array.from({ length: probesAtOnce }, () => new SerialQueue())
  #probesStarted = 0
  /** `null` until the service has said which there are. */
  #entries: readonly ConfigEntry[] | null = null

  constructor(options: SshConfigOptions) {
    this.#options = options
    const { userFile, ownFile } = options
    this.state = new Latest<SshConfigState>({
      included: null,
      userFile,
      ownFile,
      includeLine: includeLineFor(ownFile),
      instanceIds: [],
      problem: null,
    })
  }

  /** The instance's name for ssh, whose entry is up to date; `null` when it has none that works now. */
  async aliasOf(instanceId: number): Promise<string | null> {
    await this.#refresh()
    return this.state.value.instanceIds.includes(instanceId) ? sshAlias(instanceId) : null
  }

  /** Keeps the entries true until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { snapshot, account, preferences, choices, reached, probed } = this.#options
    const sources = [snapshot, account, preferences, choices, reached, probed]
    await Promise.all(sources.map((source) => this.#on(source, signal)))
  }

  /**
   * Adds the line to the user's file, or takes it out; no other line of it is touched.
   *
   * @throws ProblemError storage-failed; the user's file is as before then
   */
  async setIncluded(included: boolean): Promise<void> {
    const { ownFile, userFile } = this.#options
    await this.#queue.take(() =>
      orStorageFailed(userFile, async () => {
        if (included && !isWritablePath(ownFile))
          throw new Error(`${ownFile} holds characters that an SSH configuration cannot name`)
        // Slipway's file first: an Include of what is not there is nothing to ssh, but odd to read.
        if (included) await this.#writeOwn()
        await this.#include(included)
        if (!included) await rm(ownFile, { force: true })
      }),
    )
    await this.#refresh()
  }

  async #include(included: boolean): Promise<void> {
    const { ownFile, userFile } = this.#options
    const text = (await ifThere(readFile(userFile, 'utf8'))) ?? ''
    if (includesFile(text, ownFile) === included) return
    const next = included ? withInclude(text, ownFile) : withoutInclude(text, ownFile)
    if (includesFile(next, ownFile) !== included)
      throw new Error('The line was changed by somebody else, so it is left to you to take it out')
    await replaceText(userFile, next)
  }

  async #on(source: Latest<unknown>, signal: AbortSignal): Promise<void> {
    for await (const _ of source.watch(signal)) await this.#refresh()
  }

  #refresh(): Promise<void> {
    return this.#queue.take(async () => {
      this.#entries = this.#wanted()
      try {
        const text = (await ifThere(readFile(this.#options.userFile, 'utf8'))) ?? ''
        const included = includesFile(text, this.#options.ownFile)
        if (included) {
          await this.#writeOwn()
          this.#startProbes()
        }
        this.#publish(included, null)
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error)
        if (this.state.value.problem !== detail)
          this.#options.log.error('The SSH configuration could not be kept true', error)
        this.#publish(null, detail)
      }
    })
  }

  #wanted(): readonly ConfigEntry[] | null {
    const { snapshot, account, choices, routes, isNamedElsewhere } = this.#options
    if (account.value.kind === 'none') return []
    const { instances } = snapshot.value
    if (instances === null) return this.#entries
    const former = new Set(this.#entries?.map(({ instanceId }) => instanceId))
    return instances.flatMap(({ id, record }) => {
      const address = routes.programAddress(id, sshAddressesOf(record))
      // A new entry waits for its probe; one that's there is corrected by it.
      const isEarly = routes.isToBeProbed(id, record) && !former.has(id)
      return address === null || isEarly || isNamedElsewhere(id)
        ? []
        : [{ instanceId: id, address, choice: choices.value.get(id) ?? noSshChoice }]
    })
  }

  /** Of all whose entries depend on it; what they find refreshes the entries. */
  #startProbes(): void {
    const { snapshot, routes } = this.#options
    const unknown =
      snapshot.value.instances?.filter(({ id, record }) => routes.isToBeProbed(id, record)) ?? []
    for (const { id, record } of unknown) {
      const lane = this.#lanes[this.#probesStarted % probesAtOnce]
      if (lane === undefined || this.#probing.has(id)) continue
      this.#probesStarted += 1
      this.#probing.add(id)
      void lane.take(async () => {
        await routes.probe(id, sshAddressesOf(record))
        this.#probing.delete(id)
      })
    }
  }

  /** Before the first list the file of the last run stays: it is as true as anything known. */
  async #writeOwn(): Promise<void> {
    const { ownFile, preferences, knownHostsFile } = this.#options
    const former = await ifThere(readFile(ownFile, 'utf8'))
    if (this.#entries === null && former !== null) return
    const { sshUser: user, identityFiles, jumpHosts } = preferences.value
    const text = configText(this.#entries ?? [], { user, identityFiles, jumpHosts, knownHostsFile })
    if (text !== former) await replaceText(ownFile, text)
  }

  #publish(included: boolean | null, problem: string | null): void {
    const instanceIds = included === true ? (this.#entries ?? []).map(({ instanceId }) => instanceId) : []
    const { value } = this.state
    const isSame =
      value.included === included &&
      value.problem === problem &&
      value.instanceIds.join() === instanceIds.join()
    if (!isSame) this.state.set({ ...value, included, problem, instanceIds })
  }
}
