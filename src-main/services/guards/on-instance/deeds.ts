import type { Clock } from '../../../domain/base/clock.ts'
import { dependsOnUse, type Guard } from '../../../domain/guards/guard.ts'
import { dueAtByWord, type LastWord, type WatchedGuard } from '../../../domain/guards/watcher.ts'
import { endsInstance, type WatchedInstance } from '../../../domain/instances/instance.ts'
import {
  guardPassedNotification,
  guardRanNotification,
  type Notification,
} from '../../../domain/notifications/notification.ts'
import { hasTakenEffect } from '../../instances/action-effect.ts'
import type { GuardStore } from '../guard-store.ts'
import { isStoppedByList, outcomeOf, wasStoppedSince } from './outcome.ts'
import type { ScriptAnswer } from './script-answer.ts'

export interface DeedsOptions {
  readonly store: GuardStore
  readonly owner: () => string | null
  readonly clock: Clock
  readonly notify: (notification: Notification) => void
}

/** Finds out what instances have done by themselves, so that nothing is done twice, and tells it. */
export class Deeds {
  readonly #options: DeedsOptions

  constructor(options: DeedsOptions) {
    this.#options = options
  }

  /** By an instance that answers: it keeps what it did over its restarts. */
  async takeIn(
    answer: NonNullable<ScriptAnswer>,
    guards: readonly Guard[],
    { instance, word }: { readonly instance: WatchedInstance; readonly word: LastWord },
  ): Promise<void> {
    const { store, clock } = this.#options
    const now = clock.now()
    const owner = this.#options.owner()
    // What it is at now isn't done, whether or not something still watches there.
    const current = new Set(
      answer.armed ? answer.rules.filter((rule) => rule.owner === owner).map(({ id }) => id) : [],
    )
    // What answers isn't destroyed.
    const done = answer.acted.filter(
      (deed) => deed.owner === owner && !endsInstance[deed.action] && !current.has(deed.id),
    )
    for (const { id, at } of done) {
      const guard = guards.find((one) => one.id === id)
      // Its clock may be wrong.
      const ranAt = Math.min(Math.max(at * 1000, guard?.setAt ?? 0), now)
      await store.confirmSeen(id, ranAt)
      if (guard === undefined) continue
      await store.finish(guard, { dueAt: store.dueAt(guard) ?? ranAt, firedAt: ranAt, ranAt }, 'done')
      this.#options.notify(guardRanNotification(guard, 'done'))
    }
    const isLost = !answer.armed && !answer.placed
    for (const guard of guards.filter(({ id }) => !current.has(id) && this.#isSet(id))) {
      if (dependsOnUse[guard.condition.kind]) continue
      const dueAt = Math.max(store.dueAt(guard) ?? 0, dueAtByWord(word, guard.id) ?? 0)
      if (dueAt === 0 || dueAt > now) continue
      // Made from scratch since it was told, it doesn't say what it did, and may be used for something else now.
      const mayHaveRun = isLost && word.heardAt !== null && word.watched.some(({ id }) => id === guard.id)
      if (!mayHaveRun && !wasStoppedSince(instance, dueAt)) continue
      await store.finish(guard, { dueAt, firedAt: now }, 'passed')
      this.#options.notify(guardPassedNotification(guard))
    }
  }

  /** By the list, of an instance that is stopped or gone: the time at which the guard was due tells. */
  async conclude(
    guards: readonly Guard[],
    { instance, word }: { readonly instance: WatchedInstance | 'gone'; readonly word: LastWord },
  ): Promise<void> {
    const { store, clock, notify } = this.#options
    const isStopped = instance !== 'gone' && isStoppedByList(instance)
    const deed = instance === 'gone' ? 'destroy' : isStopped ? 'stop' : null
    for (const one of guards.filter(({ action }) => action === deed)) {
      const rule = word.heardAt === null ? undefined : word.watched.find(({ id }) => id === one.id)
      const dueAt = Math.max(store.dueAt(one) ?? 0, dueAtByWord(word, one.id) ?? 0) || null
      const since = instance === 'gone' ? one.absentSince : (instance.history.at(-1)?.at ?? null)
      const outcome = outcomeOf(one, rule, { dueAt, since, now: clock.now() })
      if (dueAt === null || outcome === null) continue
      await store.finish(one, { dueAt, firedAt: dueAt }, outcome)
      if (outcome !== 'not-needed') notify(guardRanNotification(one, outcome))
    }
  }

  /** By the list, of rules that were removed here: whether the instance heard of that in time, nobody knows. */
  tellRemoved(removed: readonly WatchedGuard[], word: LastWord, instance: WatchedInstance | 'gone'): void {
    const { clock, notify } = this.#options
    for (const { id, action } of removed) {
      const dueAt = dueAtByWord(word, id)
      const wasDue = dueAt !== null && dueAt <= clock.now()
      const isDone = instance === 'gone' ? endsInstance[action] : hasTakenEffect(action, instance)
      if (wasDue && isDone) notify(guardRanNotification({ instanceId: word.instanceId, action }, 'seen'))
    }
  }

  #isSet(id: string): boolean {
    return this.#options.store.all.some((one) => one.id === id)
  }
}
