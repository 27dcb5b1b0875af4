import { hasTakenEffect } from '../instances/action-effect.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { isAtRest, warningMs, type FiredGuard, type Guard } from '../../domain/guards/guard.ts'
import { areDifferent, completed, identityOf } from '../../domain/instances/instance-identity.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { defaultRestingPauseSeconds } from '../../domain/instances/list-pauses.ts'
import type { Log } from '../../domain/base/log.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { againByKey } from '../instances/again-by-key.ts'
import type { InstanceActions } from '../instances/actions.ts'
import type { IdleTracker } from './idle-tracker.ts'
import type { GuardStore } from './guard-store.ts'
import { ResendSchedule } from '../instances/resend-schedule.ts'
import { InstancePresence } from '../instances/instance-presence.ts'
import { ticks } from '../instances/ticks.ts'
import { advisedPauseMs, type InstanceWatch } from '../instances/watch.ts'

export interface GuardNews {
  readonly kind: 'soon' | 'fired' | 'disowned'
  readonly guard: Guard
  readonly dueAt: number
}

export interface GuardWatchOptions {
  readonly store: GuardStore
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'find' | 'limitPause'>
  readonly actions: InstanceActions
  readonly idleTracker: IdleTracker
  readonly clock: Clock
  readonly log: Log
  /** Told ten minutes before a guard acts, when it has begun to, and when its instance turns out to be another one. */
  readonly notify: (news: GuardNews) => void
}

type Acting = Extract<Guard['state'], { kind: 'acting' }>

const tickMs = 15_000
/** An instance that is not listed for so long does not come back. */
const forgetAfterMs = 7 * 24 * 3_600_000
/** So long after it was due a guard acts without a list, when the service gives none. */
const actBlindAfterMs = 60_000
/** After a longer time without a look, Slipway was closed or this computer slept. */
const gapMs = 2 * 60_000
/** A clock that was set back by more than this was wrong when a guard was set. */
const clockSlackMs = 60_000

/**
 * Sees to it that guards act: in time, or, when Slipway was closed or the machine slept then, as soon as it can.
 * A guard that has fired asks until the list shows the effect.
 */
export class GuardWatch {
  readonly #options: GuardWatchOptions
  readonly #queue = new SerialQueue()
  /** What this run does for guards that have fired. */
  readonly #efforts = new Map<
    string,
    { acting: Acting; resendSchedule: ResendSchedule; instancePresence: InstancePresence }
  >()
  /** Those that were warned of since the last gap. */
  readonly #warnedHere = new Set<string>()
  #lookedAt: number | null = null
  /** When each guard was due at the last look of this run. */
  readonly #dueBefore = new Map<string, number | null>()

  constructor(options: GuardWatchOptions) {
    this.#options = options
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, idleTracker, clock } = this.#options
    watch.limitPause(() => this.#listPauseMs())
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) await this.#look()
    await idleTracker.write()
  }

  /** How often the list is needed, whatever the user has chosen for one at rest; `null` without a guard. */
  #listPauseMs(): number | null {
    const { store } = this.#options
    const isClose = (one: Guard): boolean =>
      // What isn't listed may have gone for good, and its guard stays for a week.
      one.state.kind === 'acting' || (one.absentSince === null && store.isNear(one, warningMs))
    if (store.all.some(isClose)) return advisedPauseMs
    return store.all.length > 0 ? defaultRestingPauseSeconds * 1000 : null
  }

  #look(): Promise<void> {
    return this.#queue.take(async () => {
      const { watch, idleTracker, store, clock, log } = this.#options
      const { instances } = watch.snapshot.value
      const now = clock.now()
      if (this.#lookedAt !== null && Math.abs(now - this.#lookedAt) > gapMs) this.#warnedHere.clear()
      this.#lookedAt = now
      if (instances !== null) await idleTracker.update(instances)
      for (const { id } of store.all) {
        // Anew for each: what another one asks for may take long, and the user may have changed this one since.
        const one = store.all.find((guard) => guard.id === id)
        try {
          if (one) await this.#judge(one)
        } catch (error) {
          log.error(`Auto-stop rule ${id} could not be judged; it is judged again`, error)
        }
      }
      store.publish()
    })
  }

  async #judge(known: Guard): Promise<void> {
    const { store, watch, clock } = this.#options
    const now = clock.now()
    const acting = known.state.kind === 'acting' ? known.state : this.#efforts.get(known.id)?.acting
    if (known.condition.kind === 'stopped') {
      // What was stopped may have been started elsewhere since: only a list of now tells.
      if (!this.#isListNew(now)) return
      if (acting && this.#mustWarnAnew(known)) return this.#arm(known)
    }
    if (acting) return this.#act(known, acting)
    if (now < known.setAt - clockSlackMs)
      // What was "in 3 hours" of a clock gone wrong is 3 hours from now.
      return store.update(known.id, { setAt: now, notBefore: null, warnedFor: null })
    const { instances, unreadable, problem } = watch.snapshot.value
    const instance = watch.find(known.instanceId)
    // It may be a record that can't be read.
    const isUnsure = problem !== null || unreadable.length > 0
    if (instances !== null && unreadable.length === 0 && instance === undefined)
      return this.#noteAbsence(known, now)
    if (instance !== undefined && areDifferent(known.identity, identityOf(instance.record)))
      return this.#disown(known, { dueAt: now, firedAt: now })
    const one = instance === undefined ? known : await this.#noteSeen(known, instance, now)
    // The instance acts, and `InstanceWatchers` see to that.
    if (one.place === 'instance') return
    const dueAt = store.dueAt(one)
    const before = this.#dueBefore.get(one.id)
    this.#dueBefore.set(one.id, dueAt)
    if (dueAt === null) return
    const isWarned = one.warnedFor !== null && dueAt <= one.warnedFor + clockSlackMs
    // One absurd price must not destroy anything at once; what time alone has brought near was warned of.
    const hasLeapt = before !== undefined && (before === null || before > now + warningMs)
    const mustWarn =
      one.condition.kind === 'stopped'
        ? // It's kept for its data and costs little: there is time for a warning, and for another one after a gap.
          !isWarned || !this.#warnedHere.has(one.id)
        : one.condition.kind === 'cost' && hasLeapt && !isWarned
    if (mustWarn && dueAt < now + warningMs)
      return this.#warn({ ...one, notBefore: now + warningMs }, now + warningMs)
    const mayAct = instance !== undefined || (isUnsure && now - dueAt >= actBlindAfterMs)
    if (dueAt <= now && mayAct) return this.#fire(one, { kind: 'acting', dueAt, firedAt: now })
    if (dueAt - now > warningMs) {
      // It was near, and is so no more: the next time it comes near is another one.
      if (one.warnedFor !== null) await store.update(one.id, { warnedFor: null })
    } else if (dueAt > now && !isWarned) await this.#warn(one, dueAt)
  }

  /** Whether the list is one of now, and whole. */
  #isListNew(now: number): boolean {
    const { fetchedAt, problem, unreadable } = this.#options.watch.snapshot.value
    return (
      problem === null && unreadable.length === 0 && fetchedAt !== null && Math.abs(now - fetchedAt) <= gapMs
    )
  }

  /** Whether one that acts for a stopped instance has to begin again: it runs, or nobody looked for a while. */
  #mustWarnAnew(one: Guard): boolean {
    const instance = this.#options.watch.find(one.instanceId)
    return instance !== undefined && !(isAtRest(instance) && this.#warnedHere.has(one.id))
  }

  async #arm(one: Guard): Promise<void> {
    await this.#options.store.update(one.id, { state: { kind: 'armed' }, notBefore: null, warnedFor: null })
    this.#efforts.delete(one.id)
  }

  async #warn(one: Guard, dueAt: number): Promise<void> {
    const { store, notify } = this.#options
    await store.update(one.id, { notBefore: one.notBefore, warnedFor: dueAt })
    this.#warnedHere.add(one.id)
    notify({ kind: 'soon', guard: one, dueAt })
  }

  async #fire(one: Guard, acting: Acting): Promise<void> {
    const { store, notify, log } = this.#options
    try {
      await store.update(one.id, { state: acting })
    } catch (error) {
      // It acts all the same: that saves money, and after a crash it is due and fires again.
      log.error('That an auto-stop rule fires could not be written', error)
    }
    notify({ kind: 'fired', guard: one, dueAt: acting.dueAt })
    await this.#act(one, acting)
  }

  /** The id is another instance's now, which is left alone. */
  async #disown(one: Guard, when: { readonly dueAt: number; readonly firedAt: number }): Promise<void> {
    this.#options.notify({ kind: 'disowned', guard: one, dueAt: when.dueAt })
    await this.#finish(one, when, 'other-instance')
  }

  /** Resolves with the guard as it is now. */
  async #noteSeen(one: Guard, instance: WatchedInstance, now: number): Promise<Guard> {
    const identity = completed(one.identity, identityOf(instance.record))
    // A time in the future is from before a clock was set back.
    const stoppedSince = isAtRest(instance) ? Math.min(one.stoppedSince ?? now, now) : null
    const isNews =
      identity.machineId !== one.identity.machineId ||
      identity.startedAt !== one.identity.startedAt ||
      stoppedSince !== one.stoppedSince ||
      one.absentSince !== null
    const seen = { identity, stoppedSince, absentSince: null }
    if (isNews) await this.#options.store.update(one.id, seen)
    return { ...one, ...seen }
  }

  async #noteAbsence({ id, absentSince }: Guard, now: number): Promise<void> {
    const { store } = this.#options
    if (absentSince === null || absentSince > now) await store.update(id, { absentSince: now })
    else if (now - absentSince >= forgetAfterMs) await store.remove(id)
  }

  async #act(one: Guard, acting: Acting): Promise<void> {
    const { watch, actions, clock, log } = this.#options
    const effort = this.#efforts.get(one.id) ?? {
      acting,
      resendSchedule: new ResendSchedule(),
      instancePresence: new InstancePresence(one.instanceId, 0),
    }
    this.#efforts.set(one.id, effort)
    const { resendSchedule, instancePresence } = effort
    const { snapshot } = watch
    instancePresence.look(snapshot.value)
    const { instance } = instancePresence
    if (instance !== undefined && areDifferent(one.identity, identityOf(instance.record)))
      return resendSchedule.wasSent ? this.#finish(one, acting, 'done') : this.#disown(one, acting)
    if (instancePresence.isGone) return this.#finish(one, acting, 'done')
    if (snapshot.value.instances !== null && instance === undefined) return
    if (instance !== undefined && hasTakenEffect(one.action, instance))
      return this.#finish(one, acting, resendSchedule.wasSent ? 'done' : 'not-needed')
    if (!resendSchedule.isDue(one.action, instance ?? { pending: null }, clock.now())) return
    resendSchedule.sent(clock.now())
    try {
      await againByKey(() => actions[one.action](one.instanceId))
    } catch (error) {
      // It asks again. What was refused is in the log of the instance, and the list shows that it runs on.
      log.error(
        `Auto-stop rule ${one.id} could not ${one.action} instance ${one.instanceId}; it tries again`,
        error,
      )
    }
  }

  async #finish(
    one: Guard,
    acting: Pick<Acting, 'dueAt' | 'firedAt'>,
    outcome: FiredGuard['outcome'],
  ): Promise<void> {
    const { store } = this.#options
    await store.finish(one, acting, outcome)
    this.#efforts.delete(one.id)
  }
}
