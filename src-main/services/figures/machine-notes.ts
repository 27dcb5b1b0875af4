import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { machineNotes, type MachineNotes } from '../../domain/figures/machine-check.ts'
import {
  areDifferent,
  completed,
  identityOf,
  unknownIdentity,
  type InstanceIdentity,
} from '../../domain/instances/instance-identity.ts'
import type { InstancesList, ListedInstance } from '../../domain/instances/listed-instance.ts'
import { perInstance, type PerInstanceFile } from '../storage/per-instance-file.ts'

const noNotes: MachineNotes = { identity: unknownIdentity, check: null, accepted: [], speed: null }

export const machineNotesFile = perInstance(machineNotes, noNotes)

export interface MachineNotesOptions {
  readonly file: Pick<PerInstanceFile<MachineNotes>, 'latest' | 'write'>
  /** Which instances there are, before the service's first answer as they were last seen. */
  readonly list: Pick<Latest<InstancesList>, 'value'>
  readonly log: Log
}

/** What was found out about each instance. What can't be written is known until Slipway ends. */
export class MachineNotesStore {
  readonly #options: MachineNotesOptions
  readonly #all: Map<number, MachineNotes>

  constructor(options: MachineNotesOptions) {
    this.#options = options
    this.#all = new Map(options.file.latest.value)
  }

  find(instanceId: number): ListedInstance | null {
    return this.#options.list.value.instances?.find(({ id }) => id === instanceId) ?? null
  }

  /** Nothing of another instance that had the same id. */
  of(instanceId: number): MachineNotes {
    const kept = this.#all.get(instanceId) ?? noNotes
    const instance = this.find(instanceId)
    return instance !== null && areDifferent(kept.identity, identityOf(instance.record)) ? noNotes : kept
  }

  /** Which one has this id now. */
  identityOf(instanceId: number): InstanceIdentity {
    const instance = this.find(instanceId)
    return instance === null ? unknownIdentity : identityOf(instance.record)
  }

  /**
   * Nothing of an instance that isn't listed: nobody could tell whose it is.
   *
   * @param foundOf of which one it was found out; nothing of it's kept where another has its id now
   */
  change(
    instanceId: number,
    part: Partial<Omit<MachineNotes, 'identity'>>,
    foundOf: InstanceIdentity = unknownIdentity,
  ): void {
    const seen = this.identityOf(instanceId)
    if (this.find(instanceId) === null || areDifferent(foundOf, seen)) return
    const before = this.of(instanceId)
    const next = { ...before, ...part, identity: completed(seen, before.identity) }
    this.#all.set(instanceId, next)
    const { file, log } = this.#options
    file
      .write(instanceId, next)
      .catch((error: unknown) => log.error(`What was found out about ${instanceId} can’t be written`, error))
  }
}
