import { z } from 'zod'
import { assertNever } from '../../domain/base/assert-never.ts'
import type { Clock } from '../../domain/base/clock.ts'
import {
  dueAtOf,
  isAtRest,
  postponeMs,
  warningMs,
  type FiredGuard,
  type Guard,
  type GuardCondition,
  type GuardOrder,
  type GuardView,
  type GuardsSnapshot,
  firedGuard,
  guard,
} from '../../domain/guards/guard.ts'
import { identityOf, unknownIdentity, instanceIdentity } from '../../domain/instances/instance-identity.ts'
import type { WatcherView } from '../../domain/guards/watcher.ts'
import { isHalted } from '../../domain/instances/instance-status.ts'
import { endsInstance, type ActionKind, type WatchedInstance } from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import { guardRefused } from '../../domain/base/problem.ts'
import { contradictionBetween } from './contradiction.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import type { IdleTracker } from './idle-tracker.ts'
import type { InstanceWatch } from '../instances/watch.ts'
import { stepFrom, stepToOwnEntries, type VersionStep } from '../../domain/base/file-version.ts'

const content = z.object({
  guards: z.array(guard).readonly(),
  fired: z.array(firedGuard).readonly(),
  /** Names this computer to the instances, which keep apart what several give them; `null` before the first one was told. */
  owner: z.string().nullable(),
  /** Instances that were given guards, and have not yet said that they watch none any more. */
  watched: z.array(z.number().int()).readonly(),
})
export type GuardsFile = z.infer<typeof content>

/** Guards did not know whether an id still is the instance that they were set for. */
const withIdentity = stepFrom(
  z.looseObject({
    guards: z.array(z.looseObject({ identity: instanceIdentity.default(unknownIdentity) })),
  }),
)

const withOwners = z.looseObject({ guards: z.unknown(), fired: z.unknown() })
const ownOnly: VersionStep = (former, isOwn) => {
  const parsed = withOwners.safeParse(former)
  if (!parsed.success) return former
  const { guards, fired, ...others } = parsed.data
  return { ...others, guards: stepToOwnEntries(guards, isOwn), fired: stepToOwnEntries(fired, isOwn) }
}

/** Guards did not know since when their instance is stopped. */
const withStoppedSince = stepFrom(
  z.looseObject({ guards: z.array(z.looseObject({ stoppedSince: z.null().default(null) })) }),
)

/** Guards acted in Slipway alone. */
const inSlipway = z.looseObject({ place: z.literal('slipway').default('slipway') })
const withPlace = stepFrom(
  z.looseObject({
    guards: z.array(inSlipway),
    fired: z.array(inSlipway),
    owner: z.null().default(null),
    watched: z.array(z.number()).default([]),
  }),
)

/** The guards over instances, and what they have done. */
export const guardsFile: JsonFileShape<GuardsFile> = {
  schema: content,
  steps: [withIdentity, ownOnly, withStoppedSince, withPlace],
  fallback: { guards: [], fired: [], owner: null, watched: [] },
}

export interface GuardStoreOptions {
  readonly file: JsonFile<GuardsFile>
  readonly watch: Pick<InstanceWatch, 'find' | 'repace'>
  readonly idleTracker: IdleTracker
  readonly clock: Clock
  readonly randomId: () => string
}

const mostPerInstance = 8
const mostFired = 50
const mostWatched = 1000

/** The guards over instances, on disk, and what they have done. `GuardWatch` sees to it that they act. */
export class GuardStore {
  readonly state = new Latest<GuardsSnapshot>({ guards: [], fired: [], onInstances: [] })
  readonly #options: GuardStoreOptions
  #onInstances: readonly WatcherView[] = []

  constructor(options: GuardStoreOptions) {
    this.#options = options
    this.publish()
  }

  get all(): readonly Guard[] {
    return this.#options.file.value.guards
  }

  /** Names this computer to the instances; `null` while none was told anything. */
  get owner(): string | null {
    return this.#options.file.value.owner
  }

  /** Those that are to see to guards by themselves, or were told to. */
  get instancesToWatch(): readonly number[] {
    const { guards, watched } = this.#options.file.value
    const wished = guards.filter(({ place }) => place === 'instance').map(({ instanceId }) => instanceId)
    return [...new Set([...wished, ...watched])]
  }

  /** An instance is told its guards now. Resolves with the name of this computer. @throws ProblemError storage-failed */
  async noteWatched(instanceId: number): Promise<string> {
    const { file, randomId } = this.#options
    const owner = file.value.owner ?? randomId()
    if (file.value.owner === null || !file.value.watched.includes(instanceId))
      await file.update((all) => ({
        ...all,
        owner,
        watched: [...all.watched.filter((id) => id !== instanceId), instanceId].slice(-mostWatched),
      }))
    return owner
  }

  /** An instance has nothing to see to any more. @throws ProblemError storage-failed */
  async noteUnwatched(instanceId: number): Promise<void> {
    await this.#options.file.update((all) => ({
      ...all,
      watched: all.watched.filter((id) => id !== instanceId),
    }))
  }

  /** Shows how the instances stand. */
  showOnInstances(views: readonly WatcherView[]): void {
    this.#onInstances = views
    this.publish()
  }

  /** @throws ProblemError guard-refused, storage-failed: it guards nothing then */
  async set(order: GuardOrder): Promise<void> {
    const { clock, idleTracker } = this.#options
    const instance = this.#options.watch.find(order.instanceId)
    const now = clock.now()
    const made = this.#made(order)
    const dueAt = dueAtOf(made, { instance, attendedAt: now })
    this.#refuseUseless({ ...made, dueAt }, instance, now)
    idleTracker.attend(order.instanceId)
    // Whoever sets it for the next minutes needs no warning.
    const warnedFor = dueAt !== null && dueAt - now <= warningMs ? dueAt : null
    await this.#change((guards) => [...guards, { ...made, warnedFor }])
    // With a guard the list must not get as old as it may without one.
    this.#options.watch.repace()
    await idleTracker.write()
  }

  /**
   * Has a new instance stop itself when it idles. The list may not have it yet, and it may not run: nothing is refused.
   *
   * @throws ProblemError storage-failed
   */
  async stopNewWhenIdle(instanceId: number, minutes: number): Promise<void> {
    const order = {
      instanceId,
      action: 'stop',
      condition: { kind: 'idle', minutes },
      place: 'instance',
    } as const
    if (this.all.some((one) => one.instanceId === instanceId)) return
    await this.#change((guards) => [...guards, this.#made(order)])
    this.#options.watch.repace()
  }

  /** Also of one that is acting: it asks no more. @throws ProblemError storage-failed */
  remove(id: string): Promise<void> {
    return this.#change((guards) => guards.filter((one) => one.id !== id))
  }

  /** “Add 1 hour”, from when it would act. @throws ProblemError storage-failed */
  postpone(id: string): Promise<void> {
    const now = this.#options.clock.now()
    return this.#change((guards) =>
      guards.map((one) => {
        if (one.id !== id || one.state.kind !== 'armed') return one
        const dueAt = Math.max(this.dueAt(one) ?? now, now)
        return { ...one, notBefore: dueAt + postponeMs, warnedFor: null }
      }),
    )
  }

  /** @throws ProblemError storage-failed */
  async dismiss(id: string): Promise<void> {
    await this.#options.file.update((all) => ({ ...all, fired: all.fired.filter((one) => one.id !== id) }))
    this.publish()
  }

  /** When it acts as things stand. */
  dueAt(one: Guard): number | null {
    const { watch, idleTracker } = this.#options
    // Who is connected from here says nothing about what the instance itself takes for idle.
    const attendedAt = one.place === 'instance' ? null : idleTracker.attendedAt(one.instanceId)
    return dueAtOf(one, { instance: watch.find(one.instanceId), attendedAt })
  }

  /** @throws ProblemError storage-failed */
  update(id: string, part: Partial<Guard>): Promise<void> {
    return this.#change((guards) => guards.map((one) => (one.id === id ? { ...one, ...part } : one)))
  }

  /** Shows the due times as they are now. */
  publish(): void {
    const { guards, fired } = this.#options.file.value
    this.state.set({
      guards: guards.map((one) => ({ ...one, dueAt: this.dueAt(one) })),
      fired,
      onInstances: this.#onInstances,
    })
  }

  /** It has done what it was for. @throws ProblemError storage-failed */
  async finish(
    { id, instanceId, action, condition, place }: Guard,
    { dueAt, firedAt }: { readonly dueAt: number; readonly firedAt: number },
    outcome: FiredGuard['outcome'],
  ): Promise<void> {
    const doneAt = this.#options.clock.now()
    const done: FiredGuard = {
      ...{ id, instanceId, action, condition, place, dueAt, firedAt, doneAt, outcome },
    }
    await this.#options.file.update(({ guards, fired, ...others }) => ({
      ...others,
      // What is gone needs no guards any more.
      guards: guards.filter((one) =>
        endsInstance[action] && outcome === 'done' ? one.instanceId !== instanceId : one.id !== id,
      ),
      fired: [...fired, done].slice(-mostFired),
    }))
    this.publish()
  }

  #made(order: GuardOrder): Guard {
    const { clock, randomId, watch } = this.#options
    const instance = watch.find(order.instanceId)
    const now = clock.now()
    return {
      ...order,
      id: randomId(),
      identity: instance ? identityOf(instance.record) : unknownIdentity,
      setAt: now,
      notBefore: null,
      warnedFor: null,
      stoppedSince: instance && isAtRest(instance) ? now : null,
      state: { kind: 'armed' },
      absentSince: null,
    }
  }

  #refuseUseless(order: GuardView, instance: WatchedInstance | undefined, now: number): void {
    const { condition, action, dueAt } = order
    if (instance === undefined) throw guardRefused({ code: 'not-listed' })
    if (condition.kind === 'at' && condition.at <= now) throw guardRefused({ code: 'past' })
    if (!canAct(action, condition, instance)) throw guardRefused({ code: 'not-running' })
    if (condition.kind === 'cost') {
      if (dueAt === null) throw guardRefused({ code: 'cost-unknown' })
      if (dueAt <= now) throw guardRefused({ code: 'cost-reached' })
    }
    const others = this.all.filter((one) => one.instanceId === order.instanceId)
    if (others.length >= mostPerInstance) throw guardRefused({ code: 'too-many', most: mostPerInstance })
    for (const other of others) {
      const contradiction = contradictionBetween(order, { ...other, dueAt: this.dueAt(other) })
      if (contradiction !== null) throw guardRefused({ code: contradiction })
    }
  }

  async #change(change: (guards: readonly Guard[]) => readonly Guard[]): Promise<void> {
    await this.#options.file.update((all) => ({ ...all, guards: change(all.guards) }))
    this.publish()
  }
}

/** Whether the action would still change the instance once the condition is met. */
function canAct(action: ActionKind, condition: GuardCondition, instance: WatchedInstance): boolean {
  switch (action) {
    case 'stop':
      return condition.kind !== 'stopped' && !isHalted(instance)
    case 'destroy':
      return true
    default:
      return assertNever(action)
  }
}
