import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import { stepToOwnEntries } from '../../domain/base/file-version.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import type { Log } from '../../domain/base/log.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'

const content = z.array(z.object({ instanceId: z.number().int(), at: z.number() })).readonly()
export type IdleTrackerFile = z.infer<typeof content>
/** When each instance was last attended to from this machine, kept so that a restart does not begin anew. */
export const idleTrackerFile: JsonFileShape<IdleTrackerFile> = {
  schema: content,
  steps: [stepToOwnEntries],
  fallback: [],
}

export interface IdleTrackerOptions {
  readonly file: Pick<JsonFile<IdleTrackerFile>, 'value' | 'write'>
  /** What somebody works on instances by, such as terminals, with those that it is in use on now. */
  readonly inUse: readonly (() => Iterable<number>)[]
  readonly clock: Clock
  readonly log: Log
}

/** A crash forgets this much at most; so a guard never takes long work for idleness. */
const rewriteAfterMs = 60_000
/** Instances that have not been listed for so long are forgotten. */
const forgetAfterMs = 30 * 24 * 3_600_000

/** Whether somebody looks after an instance: is connected to it from here, or has just rented it. */
export class IdleTracker {
  readonly #options: IdleTrackerOptions
  readonly #at = new Map<number, number>()
  #writtenAt = Number.NEGATIVE_INFINITY

  constructor(options: IdleTrackerOptions) {
    this.#options = options
    for (const { instanceId, at } of options.file.value) this.#at.set(instanceId, at)
  }

  /** `null` while somebody is connected, or when it was never seen. */
  attendedAt(instanceId: number): number | null {
    if (this.#connected().has(instanceId)) return null
    const at = this.#at.get(instanceId)
    // A time in the future is from before a clock was set back.
    return at === undefined ? null : Math.min(at, this.#options.clock.now())
  }

  /** Takes in what the list and the terminals show now. */
  async update(instances: readonly WatchedInstance[]): Promise<void> {
    const now = this.#options.clock.now()
    const busy = this.#connected()
    let isNew = false
    for (const instance of instances) {
      const { id } = instance
      const known = this.#at.get(id)
      const isBooting = outlookOf(instance).kind === 'booting'
      if (known !== undefined && known <= now && !busy.has(id) && !isBooting) continue
      isNew ||= known === undefined || known > now
      this.#at.set(id, now)
    }
    const hasChanged = busy.size > 0 || isNew
    if (isNew || (hasChanged && Math.abs(now - this.#writtenAt) >= rewriteAfterMs)) await this.write()
  }

  /** Somebody looks after it now: a guard was set, for one. */
  attend(instanceId: number): void {
    this.#at.set(instanceId, this.#options.clock.now())
  }

  #connected(): ReadonlySet<number> {
    return new Set(this.#options.inUse.flatMap((ids) => [...ids()]))
  }

  async write(): Promise<void> {
    const { file, clock, log } = this.#options
    const now = clock.now()
    this.#writtenAt = now
    try {
      const all = [...this.#at].map(([instanceId, at]) => ({ instanceId, at }))
      await file.write(all.filter(({ at }) => now - at < forgetAfterMs))
    } catch (error) {
      log.error('When instances were last attended to could not be written', error)
    }
  }
}
