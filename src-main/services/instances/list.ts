import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import type { VersionStep } from '../../domain/base/file-version.ts'
import {
  instanceRecord,
  watchedInstance,
  wholeListAt,
  type WatchedInstance,
} from '../../domain/instances/instance.ts'
import { labelOf } from '../../domain/instances/instance-label.ts'
import { Latest } from '../../domain/base/latest.ts'
import {
  noLabelNote,
  labelNote,
  type InstancesList,
  type ListedInstance,
  type LabelNote,
} from '../../domain/instances/listed-instance.ts'
import type { Log } from '../../domain/base/log.ts'
import { withoutSecrets } from '../../domain/fields/secret-field.ts'
import { sshAddressesOf } from '../../domain/ssh/ssh-address.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import { perInstance, type PerInstanceFile } from '../storage/per-instance-file.ts'
import type { InstanceWatch } from './watch.ts'

const rememberedList = z
  .object({
    /** When the service gave it, ms since the epoch. */
    fetchedAt: z.number(),
    instances: z.array(watchedInstance).readonly(),
  })
  .nullable()
export type RememberedList = z.infer<typeof rememberedList>

const listWithOwner = z.looseObject({ owner: z.string() })
const toOwn: VersionStep = (content, isOwn) => {
  const parsed = listWithOwner.safeParse(content)
  if (!parsed.success) return content
  const { owner, ...list } = parsed.data
  return isOwn(owner) ? list : null
}

/** The last known list on disk. Tokens and the like in its records are masked before they are written. */
export const lastInstancesFile: JsonFileShape<RememberedList> = {
  schema: rememberedList,
  steps: [toOwn],
  fallback: null,
}

/** Labels and notes that the user gives to instances. */
export const instanceNotesFile = perInstance(labelNote, noLabelNote)

/** A list in which nothing has changed but its age is written again after so long. */
const rewriteAfterMs = 5 * 60_000

export interface InstanceListOptions {
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  readonly own: Pick<PerInstanceFile<LabelNote>, 'latest'>
  readonly file: Pick<JsonFile<RememberedList>, 'value' | 'write'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * The list as the window shows it: what is watched, with the user's labels and notes, and until the service answers
 * the list that was last known. Only the window gets a remembered list, and SSH for its addresses: what spends or saves
 * money looks at the watch, which has none before the service has answered.
 */
export class InstanceList {
  readonly list: Latest<InstancesList>
  readonly #options: InstanceListOptions
  readonly #remembered: RememberedList
  /** The last answer of this run, as it is to be remembered. */
  #live: RememberedList = null
  #written = { what: '', at: 0 }

  constructor(options: InstanceListOptions) {
    this.#options = options
    this.#remembered = options.file.value
    this.list = new Latest(this.#current())
  }

  /** The instances of the last run; nothing is under way with them any more. */
  readonly remembered = (): readonly WatchedInstance[] =>
    (this.#remembered?.instances ?? []).map((instance) => ({ ...instance, pending: null }))

  /** What the user, or else the service, calls it; `null` for one without a label. */
  readonly labelOf = (id: number): string | null => {
    const instance = this.find(id)
    return instance ? labelOf(instance) : null
  }

  /** As the window sees it. */
  find(id: number): ListedInstance | undefined {
    return this.list.value.instances?.find((instance) => instance.id === id)
  }

  /** Until the signal is aborted; the last known list is on the disk when it resolves. */
  async follow(signal: AbortSignal): Promise<void> {
    const { watch, own } = this.#options
    await Promise.all([
      this.#followWatch(signal, watch),
      this.#keepWatched(signal, watch),
      this.#followOwn(signal, own),
    ])
    if (this.#live !== null) await this.#write(this.#live)
  }

  async #followWatch(signal: AbortSignal, { snapshot }: InstanceListOptions['watch']): Promise<void> {
    for await (const _ of snapshot.watch(signal)) this.#publish()
  }

  /** On its own: a slow disk must not hold up what is seen. */
  async #keepWatched(signal: AbortSignal, { snapshot }: InstanceListOptions['watch']): Promise<void> {
    for await (const latest of snapshot.watch(signal)) {
      const { instances } = latest
      const fetchedAt = wholeListAt(latest)
      if (instances === null || fetchedAt === null) continue
      this.#live = { fetchedAt, instances }
      await this.#writeWhenDue(this.#live)
    }
  }

  async #followOwn(signal: AbortSignal, { latest }: InstanceListOptions['own']): Promise<void> {
    for await (const _ of latest.watch(signal)) this.#publish()
  }

  async #writeWhenDue(list: NonNullable<RememberedList>): Promise<void> {
    const now = this.#options.clock.now()
    const what = JSON.stringify(list.instances.map(essenceOf))
    if (what === this.#written.what && now - this.#written.at < rewriteAfterMs) return
    this.#written = { what, at: now }
    await this.#write(list)
  }

  /** A failure costs nothing now: after the next start there is an older list, or none. */
  async #write(list: RememberedList): Promise<void> {
    try {
      await this.#options.file.write(list && { ...list, instances: list.instances.map(masked) })
    } catch (error) {
      this.#options.log.error('The last known list of instances could not be written', error)
    }
  }

  #publish(): void {
    this.list.set(this.#current())
  }

  #current(): InstancesList {
    const { watch, own } = this.#options
    const snapshot = watch.snapshot.value
    const words = own.latest.value
    const listed = (instance: WatchedInstance): ListedInstance => {
      const mine = words.get(instance.id)
      return mine ? { ...instance, own: mine } : instance
    }
    if (snapshot.instances !== null || this.#remembered === null)
      return { ...snapshot, instances: snapshot.instances?.map(listed) ?? null, isRemembered: false }
    return {
      ...snapshot,
      instances: this.remembered().map(listed),
      fetchedAt: this.#remembered.fetchedAt,
      isRemembered: true,
    }
  }
}

/** What of an instance must not be lost; its load and the like are different each time. */
function essenceOf({ id, status, history, record }: WatchedInstance): readonly unknown[] {
  const { direct, proxy } = sshAddressesOf(record)
  return [id, status, history.length, direct, proxy]
}

function masked(instance: WatchedInstance): WatchedInstance {
  const record = instanceRecord.safeParse(withoutSecrets(instance.record))
  return { ...instance, record: record.success ? record.data : { id: instance.id } }
}
