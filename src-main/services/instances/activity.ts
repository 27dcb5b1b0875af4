import { z } from 'zod'
import { ownerOf } from '../../domain/base/account-identity.ts'
import type { AccountState } from '../../domain/accounts/account.ts'
import { activityEntry, type ActivityEntry, type ActivityEvent } from '../../domain/instances/activity.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Journal } from '../storage/journal.ts'
import type { AccountBound, AccountInUse } from './account-bound.ts'
import { changesBetween } from './activity-changes.ts'
import type { InstanceWatch } from './watch.ts'

/** A line of the log on disk; `owner` as `ownerOf` names it. */
export const activityLine = activityEntry.extend({ owner: z.string(), instanceId: z.number().int() })
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
export class ActivityLog implements AccountBound {
  readonly #options: ActivityLogOptions
  readonly #entries = new Map<number, Latest<readonly ActivityEntry[]>>()
  #owner: string | null = null
  #before: readonly WatchedInstance[] = []

  constructor(options: ActivityLogOptions) {
    this.#options = options
  }

  readonly enter = async (account: AccountInUse): Promise<void> => {
    const { journal, remembered } = this.#options
    const owner = ownerOf(account)
    const lines = await journal.readAll()
    const kept = keeper(lines, this.#options.clock.now())
    await journal.compact(kept())
    const keep = kept()
    for (const line of lines) if (keep(line) && line.owner === owner) this.#add(line.instanceId, line)
    this.#owner = owner
    this.#before = remembered()
  }

  readonly leave = (_: AccountState['kind']): void => {
    this.#owner = null
    this.#before = []
    for (const entries of this.#entries.values()) entries.set([])
  }

  /** Follows the list until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const { instances } of this.#options.watch.snapshot.watch(signal)) {
      if (instances === null || this.#owner === null) continue
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
    const owner = this.#owner
    if (owner === null) return
    const at = clock.now()
    for (const { instanceId, event } of events) this.#add(instanceId, { at, event })
    try {
      await journal.append(...events.map((one) => ({ owner, at, ...one })))
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
  const groups = Map.groupBy(lines, instanceOf)
  return () => {
    const asked = new Map<string, number>()
    return (line) => {
      const name = instanceOf(line)
      const group = groups.get(name) ?? []
      const index = asked.get(name) ?? 0
      asked.set(name, index + 1)
      const last = group.at(-1)
      if (last?.event.kind === 'gone' && now - last.at > keptAfterGoneMs) return false
      return index >= group.length - mostEntries
    }
  }
}

function instanceOf({ owner, instanceId }: ActivityLine): string {
  return `${instanceId} ${owner}`
}
