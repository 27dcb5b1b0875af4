import { mostForwardsPerInstance, isSameEntrance, type KeptForward } from '../../domain/forwards/forward.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import type { JsonFile } from '../storage/json-file.ts'

export type ForwardsFile = Pick<JsonFile<readonly KeptForward[]>, 'value' | 'update'>

/** The account's forwards on disk. */
export class ForwardStore {
  readonly #file: ForwardsFile

  constructor(file: ForwardsFile) {
    this.#file = file
  }

  get all(): readonly KeptForward[] {
    return this.#file.value
  }

  /** @throws ProblemError invalid-input */
  find(id: string): KeptForward {
    const found = this.all.find((one) => one.id === id)
    if (found === undefined) throw invalidInput('id', { code: 'not-listed' })
    return found
  }

  /** Those that could be in the way of one on this instance: on this computer all, there its own. */
  besides({ instanceId, plan }: Pick<KeptForward, 'instanceId' | 'plan'>): readonly KeptForward[] {
    return this.all.filter((one) => plan.kind !== 'remote' || one.instanceId === instanceId)
  }

  /** @throws ProblemError invalid-input, storage-failed */
  async add(added: KeptForward): Promise<void> {
    const { instanceId } = added
    if (this.all.filter((one) => one.instanceId === instanceId).length >= mostForwardsPerInstance)
      throw invalidInput('instanceId', { code: 'too-many', most: mostForwardsPerInstance })
    this.#requireOwnEntrance(added)
    await this.#file.update((all) => [...all, added])
  }

  /** @throws ProblemError invalid-input, storage-failed */
  async change(id: string, part: Partial<KeptForward>): Promise<KeptForward> {
    this.#requireOwnEntrance({ ...this.find(id), ...part })
    await this.#file.update((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
    return this.find(id)
  }

  #requireOwnEntrance({ id, instanceId, plan }: Pick<KeptForward, 'id' | 'instanceId' | 'plan'>): void {
    const others = this.besides({ instanceId, plan }).filter((one) => one.id !== id)
    if (others.some((one) => isSameEntrance(one.plan, plan)))
      throw invalidInput('plan.entrance.port', { code: 'taken' })
  }

  /** @throws ProblemError storage-failed */
  async remove(ids: ReadonlySet<string>): Promise<void> {
    await this.#file.update((all) => all.filter(({ id }) => !ids.has(id)))
  }
}
