import { assertNever } from '../../domain/base/assert-never.ts'
import type { Clock } from '../../domain/base/clock.ts'
import {
  dueAtOf,
  isAtRest,
  placesOf,
  postponeMs,
  warningMs,
  type FiredGuard,
  type Guard,
  type GuardCondition,
  type GuardOrder,
  type GuardView,
  type GuardsSnapshot,
} from '../../domain/guards/guard.ts'
import { identityOf, unknownIdentity } from '../../domain/instances/instance-identity.ts'
import { dueAtByWord, watchedOf, type WatcherView } from '../../domain/guards/watcher.ts'
import { isHalted } from '../../domain/instances/instance-status.ts'
import { endsInstance, type ActionKind, type WatchedInstance } from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import { guardRefused } from '../../domain/base/problem.ts'
import { contradictionBetween } from './contradiction.ts'
import type { JsonFile } from '../storage/json-file.ts'
import type { GuardsFile } from './guards-file.ts'
import type { IdleTracker } from './idle-tracker.ts'
import type { InstanceWatch } from '../instances/watch.ts'

export interface GuardStoreOptions {
  readonly file: JsonFile<GuardsFile>
  readonly watch: Pick<InstanceWatch, 'find' | 'repace'>
  readonly idleTracker: IdleTracker
  readonly clock: Clock
  readonly randomId: () => string
}

const mostPerInstance = 8
const mostFired = 50
/** An instance that was to act so long ago, and can't be asked, is shown as due no more. */
const forgetDueAfterMs = 10 * 60_000

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

  /** Shows how the instances stand. */
  showOnInstances(views: readonly WatcherView[]): void {
    this.#onInstances = views
    this.publish()
  }

  /**
   * @param id by which whoever sets it finds it again
   * @throws ProblemError guard-refused, storage-failed: it guards nothing then
   */
  async set(order: GuardOrder, id?: string): Promise<void> {
    const { clock, idleTracker } = this.#options
    const instance = this.#options.watch.find(order.instanceId)
    const now = clock.now()
    const made = this.#made(order, id)
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

  /**
   * Has an instance stop itself when it idles, unless it does so by a rule that is there.
   *
   * @param id of the rule, by which it's postponed and removed @throws ProblemError as `set`
   */
  async stopWhenIdle(id: string, instanceId: number, minutes: number): Promise<void> {
    const condition = { kind: 'idle', minutes } as const
    const isSuch = (one: Guard): boolean =>
      one.id === id ||
      (one.instanceId === instanceId &&
        one.condition.kind === 'idle' &&
        one.place === 'instance' &&
        one.action === 'stop')
    if (!this.all.some(isSuch))
      await this.set({ instanceId, action: 'stop', condition, place: 'instance' }, id)
  }

  /** Leaves a rule of `stopWhenIdle` to whoever else was to have one. @throws ProblemError storage-failed */
  passOn(id: string, heir: { readonly id: string; readonly minutes: number }): Promise<void> {
    return this.update(id, { id: heir.id, condition: { kind: 'idle', minutes: heir.minutes } })
  }

  /** Has those stop now: all instances together have cost as much as they may. @throws ProblemError storage-failed */
  async stopAll(instanceIds: readonly number[], usd: number): Promise<void> {
    const isStopping = (id: number): boolean =>
      this.all.some(({ instanceId, condition }) => instanceId === id && condition.kind === 'limit')
    const made = instanceIds
      .filter((id) => !isStopping(id))
      .map((instanceId) =>
        this.#made({ instanceId, action: 'stop', condition: { kind: 'limit', usd }, place: 'slipway' }),
      )
    if (made.length > 0) await this.#change((guards) => [...guards, ...made])
  }

  /** Those that a limit has begun to stop go on. @throws ProblemError storage-failed */
  async callOffStops(): Promise<void> {
    const isOfLimit = ({ condition }: Guard): boolean => condition.kind === 'limit'
    if (this.all.some(isOfLimit)) await this.#change((guards) => guards.filter((one) => !isOfLimit(one)))
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
        // One on its instance that goes by idleness isn't due at a known time, and may be postponed already.
        const dueAt = Math.max(this.#shownDueAt(one) ?? this.dueAt(one) ?? now, one.notBefore ?? now, now)
        return { ...one, notBefore: dueAt + postponeMs, warnedFor: null }
      }),
    )
  }

  /** @throws ProblemError storage-failed */
  async dismiss(id: string): Promise<void> {
    await this.#options.file.update((all) => ({ ...all, fired: all.fired.filter((one) => one.id !== id) }))
    this.publish()
  }

  /** When it acts as things stand by what is known here. */
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

  /** Whether something is to happen within so long (ms), as far as anybody knows. */
  isNear(one: Guard, ms: number): boolean {
    const dueAt = this.#shownDueAt(one)
    return dueAt !== null && dueAt - this.#options.clock.now() <= ms
  }

  /** Shows the due times as they are now. */
  publish(): void {
    const { guards, fired } = this.#options.file.value
    this.state.set({
      guards: guards.map((one) => ({ ...one, dueAt: this.#shownDueAt(one) })),
      fired,
      onInstances: this.#onInstances,
    })
  }

  /** It has done what it was for. @throws ProblemError storage-failed */
  async finish(
    { id, instanceId, action, condition, place }: Guard,
    {
      dueAt,
      firedAt,
      ranAt = null,
    }: Pick<FiredGuard, 'dueAt' | 'firedAt'> & Partial<Pick<FiredGuard, 'ranAt'>>,
    outcome: FiredGuard['outcome'],
  ): Promise<void> {
    const doneAt = this.#options.clock.now()
    const done: FiredGuard = {
      ...{ id, instanceId, action, condition, place, dueAt, firedAt, ranAt, doneAt, outcome },
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

  /** The instance says that it acted, which the list alone could not tell. @throws ProblemError storage-failed */
  async confirmSeen(id: string, ranAt: number): Promise<void> {
    const { file } = this.#options
    const isSeen = (one: FiredGuard): boolean => one.id === id && one.outcome === 'seen'
    if (!file.value.fired.some(isSeen)) return
    await file.update((all) => ({
      ...all,
      fired: all.fired.map((one) => (isSeen(one) ? { ...one, outcome: 'done', firedAt: ranAt, ranAt } : one)),
    }))
    this.publish()
  }

  /** When it acts as things stand: one on its instance by what that said, and not for ever after. */
  #shownDueAt(one: Guard): number | null {
    if (one.place === 'slipway') return this.dueAt(one)
    const watcher = this.#onInstances.find(({ instanceId }) => instanceId === one.instanceId) ?? null
    const rule = watchedOf(one.id, watcher)
    const isActing = rule?.phase === 'acting' || rule?.phase === 'done'
    if (rule === null || rule.busy !== null || isActing) return null
    const dueAt = dueAtByWord(watcher, one.id)
    return dueAt === null || this.#options.clock.now() - dueAt > forgetDueAfterMs ? null : dueAt
  }

  #made(
    order: Pick<Guard, 'instanceId' | 'action' | 'condition' | 'place'>,
    id = this.#options.randomId(),
  ): Guard {
    const { clock, watch } = this.#options
    const instance = watch.find(order.instanceId)
    const now = clock.now()
    return {
      ...order,
      id,
      identity: instance ? identityOf(instance.record) : unknownIdentity,
      setAt: now,
      notBefore: null,
      warnedFor: null,
      stoppedSince: instance && isAtRest(instance) ? now : null,
      state: { kind: 'armed' },
      absentSince: null,
      isToldInactive: false,
    }
  }

  #refuseUseless(order: GuardView, instance: WatchedInstance | undefined, now: number): void {
    const { condition, action, dueAt } = order
    if (instance === undefined) throw guardRefused({ code: 'not-listed' })
    const places = placesOf[condition.kind]
    if (!places.includes(order.place))
      throw guardRefused({ code: places[0] === 'slipway' ? 'only-in-slipway' : 'only-on-instance' })
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
