import { z } from 'zod'
import { activityEntry, type ActivityEntry, type ActivityEvent } from '../../domain/instances/activity.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Journal } from '../storage/journal.ts'
import { changesBetween } from './activity-changes.ts'
import type { InstanceWatch } from './watch.ts'

/** A line of the log on disk. */
export const activityLine = activityEntry.extend({ instanceId: z.number().int() })
export type ActivityLine = z.infer<typeof activityLine>

const mostEntries = 200
/** How long what was seen of an instance stays after it has gone, in ms. */
const keptAfterGoneMs = 30 * 24 * 3_600_000

export interface ActivityLogOptions {
  readonly journal: Journal<ActivityLine>
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  /** The instances as they were when Slipway last quit. */
  readonly remembered: () => readonly WatchedInstance[]
  readonly clock: Clock
  readonly log: Log
}

/** What Slipway saw of each instance and did with it, also in earlier runs and after the instance has gone. */
export class ActivityLog {
  readonly #options: ActivityLogOptions
  readonly #entries = new Map<number, Latest<readonly ActivityEntry[]>>()
  #before: readonly WatchedInstance[] = []

  constructor(options: ActivityLogOptions) {
    this.#options = options
  }

  /** Reads what earlier runs saw. @throws ProblemError storage-failed */
  readonly open = async (): Promise<void> => {
    const { journal, remembered, clock } = this.#options
    const lines = await journal.readAll()
    const kept = keeper(lines, clock.now())
    await journal.compact(kept())
    const keep = kept()
    for (const line of lines) if (keep(line)) this.#add(line.instanceId, line)
    this.#before = remembered()
  }

  /** Follows the list until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const { instances } of this.#options.watch.snapshot.watch(signal)) {
      if (instances === null) continue
      const changes = changesBetween(this.#before, instances, (id) => this.#entriesOf(id).value)
      this.#before = instances
      if (changes.length > 0) await this.#write(changes)
    }
  }

  /** Adds what was just done. Never throws: what it tells of has happened, written down or not. */
  async note(instanceId: number, event: ActivityEvent): Promise<void> {
    await this.#write([{ instanceId, event }])
  }

  /** The newest last. */
  entries(instanceId: number, signal?: AbortSignal): AsyncGenerator<readonly ActivityEntry[], void, void> {
    return this.#entriesOf(instanceId).watch(signal)
  }

  async #write(
    events: readonly { readonly instanceId: number; readonly event: ActivityEvent }[],
  ): Promise<void> {
    const { journal, clock, log } = this.#options
    const at = clock.now()
    for (const { instanceId, event } of events) this.#add(instanceId, { at, event })
    try {
      await journal.append(...events.map((one) => ({ at, ...one })))
    } catch (error) {
      log.error('What was seen of instances could not be written down', error)
    }
  }

  #add(instanceId: number, { at, event }: ActivityEntry): void {
    const entries = this.#entriesOf(instanceId)
    entries.set([...entries.value, { at, event }].slice(-mostEntries))
  }

  #entriesOf(instanceId: number): Latest<readonly ActivityEntry[]> {
    const known = this.#entries.get(instanceId)
    if (known) return known
    const made = new Latest<readonly ActivityEntry[]>([])
    this.#entries.set(instanceId, made)
    return made
  }
}

/**
 * Which lines stay: the newest ones of each instance, and none of those that have been gone for long. The
 * result makes predicates that are asked about each line once, in order.
 */
function keeper(lines: readonly ActivityLine[], now: number): () => (line: ActivityLine) => boolean {
  const groups = Map.groupBy(lines, ({ instanceId }) => instanceId)
  return () => {
    const asked = new Map<number, number>()
    return (line) => {
      const group = groups.get(line.instanceId) ?? []
      const index = asked.get(line.instanceId) ?? 0
      asked.set(line.instanceId, index + 1)
      const last = group.at(-1)
      if (last?.event.kind === 'gone' && now - last.at > keptAfterGoneMs) return false
      return index >= group.length - mostEntries
    }
  }
}
