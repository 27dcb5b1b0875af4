import { hasTakenEffect } from '../instances/action-effect.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { warningMs, type FiredGuard, type Guard } from '../../domain/guards/guard.ts'
import { areDifferent, completed, identityOf } from '../../domain/instances/instance-identity.ts'
import type { Log } from '../../domain/base/log.ts'
import { Turns } from '../../domain/base/turns.ts'
import type { InstanceActions } from '../instances/actions.ts'
import type { Attendance } from './attendance.ts'
import type { GuardBook } from './guard-book.ts'
import { Insistence } from '../instances/insistence.ts'
import { Sighting } from '../instances/sighting.ts'
import { ticks } from '../instances/ticks.ts'
import type { InstanceWatch } from '../instances/watch.ts'

export interface GuardNews {
  readonly kind: 'soon' | 'fired' | 'disowned'
  readonly guard: Guard
  readonly dueAt: number
}

export interface GuardWatchOptions {
  readonly book: GuardBook
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'find'>
  readonly actions: InstanceActions
  readonly attendance: Attendance
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
/** A clock that was set back by more than this was wrong when a guard was set. */
const clockSlackMs = 60_000

/**
 * Sees to it that guards act: in time, or, when Slipway was closed or the machine slept then, as soon as it can.
 * A guard that has fired asks until the list shows the effect.
 */
export class GuardWatch {
  readonly #options: GuardWatchOptions
  readonly #turns = new Turns()
  /** What this run does for guards that have fired. */
  readonly #efforts = new Map<string, { acting: Acting; insistence: Insistence; sighting: Sighting }>()
  /** When each guard was due at the last look of this run. */
  readonly #dueBefore = new Map<string, number | null>()

  constructor(options: GuardWatchOptions) {
    this.#options = options
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, attendance, clock } = this.#options
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) await this.#look()
    await attendance.write()
  }

  #look(): Promise<void> {
    return this.#turns.take(async () => {
      const { watch, attendance, book, log } = this.#options
      const { instances } = watch.snapshot.value
      if (instances !== null) await attendance.update(instances)
      for (const { id } of book.all) {
        // Anew for each: what another one asks for may take long, and the user may have changed this one since.
        const one = book.all.find((guard) => guard.id === id)
        try {
          if (one) await this.#judge(one)
        } catch (error) {
          log.error(`Guard ${id} could not be judged; it is judged again`, error)
        }
      }
      book.publish()
    })
  }

  async #judge(one: Guard): Promise<void> {
    const { book, watch, clock } = this.#options
    const now = clock.now()
    const acting = one.state.kind === 'acting' ? one.state : this.#efforts.get(one.id)?.acting
    if (acting) return this.#act(one, acting)
    if (now < one.setAt - clockSlackMs)
      // What was "in 3 hours" of a clock gone wrong is 3 hours from now.
      return book.update(one.id, { setAt: now, notBefore: null, warnedFor: null })
    const { instances, problem } = watch.snapshot.value
    const instance = watch.find(one.instanceId)
    if (instances !== null && instance === undefined) return this.#noteAbsence(one, now)
    if (instance !== undefined) {
      const identity = identityOf(instance.record)
      if (areDifferent(one.identity, identity)) return this.#disown(one, { dueAt: now, firedAt: now })
      await this.#noteSeen(one, completed(one.identity, identity))
    }
    const dueAt = book.dueAt(one)
    const before = this.#dueBefore.get(one.id)
    this.#dueBefore.set(one.id, dueAt)
    if (dueAt === null) return
    const isWarned = one.warnedFor !== null && dueAt <= one.warnedFor + clockSlackMs
    // One absurd price must not destroy anything at once; what time alone has brought near was warned of.
    const hasLeapt = before !== undefined && (before === null || before > now + warningMs)
    if (one.condition.kind === 'cost' && dueAt < now + warningMs && hasLeapt && !isWarned)
      return this.#warn({ ...one, notBefore: now + warningMs }, now + warningMs)
    const mayAct = instance !== undefined || (problem !== null && now - dueAt >= actBlindAfterMs)
    if (dueAt <= now && mayAct) return this.#fire(one, { kind: 'acting', dueAt, firedAt: now })
    if (dueAt - now > warningMs) {
      // It was near, and is so no more: the next time it comes near is another one.
      if (one.warnedFor !== null) await book.update(one.id, { warnedFor: null })
    } else if (dueAt > now && !isWarned) await this.#warn(one, dueAt)
  }

  async #warn(one: Guard, dueAt: number): Promise<void> {
    const { book, notify } = this.#options
    await book.update(one.id, { notBefore: one.notBefore, warnedFor: dueAt })
    notify({ kind: 'soon', guard: one, dueAt })
  }

  async #fire(one: Guard, acting: Acting): Promise<void> {
    const { book, notify, log } = this.#options
    try {
      await book.update(one.id, { state: acting })
    } catch (error) {
      // It acts all the same: that saves money, and after a crash it is due and fires again.
      log.error('That a guard fires could not be written', error)
    }
    notify({ kind: 'fired', guard: one, dueAt: acting.dueAt })
    await this.#act(one, acting)
  }

  /** The id is another instance's now, which is left alone. */
  async #disown(one: Guard, when: { readonly dueAt: number; readonly firedAt: number }): Promise<void> {
    this.#options.notify({ kind: 'disowned', guard: one, dueAt: when.dueAt })
    await this.#finish(one, when, 'other-instance')
  }

  async #noteSeen(one: Guard, identity: Guard['identity']): Promise<void> {
    const isNews =
      identity.machineId !== one.identity.machineId || identity.startedAt !== one.identity.startedAt
    if (isNews || one.absentSince !== null)
      await this.#options.book.update(one.id, { identity, absentSince: null })
  }

  async #noteAbsence({ id, absentSince }: Guard, now: number): Promise<void> {
    const { book } = this.#options
    if (absentSince === null || absentSince > now) await book.update(id, { absentSince: now })
    else if (now - absentSince >= forgetAfterMs) await book.remove(id)
  }

  async #act(one: Guard, acting: Acting): Promise<void> {
    const { watch, actions, clock, log } = this.#options
    const effort = this.#efforts.get(one.id) ?? {
      acting,
      insistence: new Insistence(),
      sighting: new Sighting(one.instanceId, 0),
    }
    this.#efforts.set(one.id, effort)
    const { insistence, sighting } = effort
    const { snapshot } = watch
    sighting.look(snapshot.value)
    const { instance } = sighting
    if (instance !== undefined && areDifferent(one.identity, identityOf(instance.record)))
      return insistence.wasSent ? this.#finish(one, acting, 'done') : this.#disown(one, acting)
    if (sighting.isGone) return this.#finish(one, acting, 'done')
    if (snapshot.value.instances !== null && instance === undefined) return
    if (instance !== undefined && one.action === 'stop' && hasTakenEffect('stop', instance))
      return this.#finish(one, acting, insistence.wasSent ? 'done' : 'not-needed')
    if (!insistence.isDue(one.action, instance ?? { pending: null }, clock.now())) return
    insistence.sent(clock.now())
    try {
      await actions[one.action](one.instanceId)
    } catch (error) {
      // It asks again. What was refused is in the log of the instance, and the list shows that it runs on.
      log.error(`Guard ${one.id} could not ${one.action} instance ${one.instanceId}; it tries again`, error)
    }
  }

  async #finish(
    one: Guard,
    acting: Pick<Acting, 'dueAt' | 'firedAt'>,
    outcome: FiredGuard['outcome'],
  ): Promise<void> {
    const { book } = this.#options
    await book.finish(one, acting, outcome)
    this.#efforts.delete(one.id)
  }
}
