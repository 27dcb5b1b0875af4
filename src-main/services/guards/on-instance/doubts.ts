import type { Log } from '../../../domain/base/log.ts'
import type { Guard } from '../../../domain/guards/guard.ts'
import { isRefusedByService, watchedOf, type WatcherView } from '../../../domain/guards/watcher.ts'
import type { WatchedInstance } from '../../../domain/instances/instance.ts'
import {
  guardInactiveNotification,
  guardRefusedNotification,
} from '../../../domain/notifications/notification.ts'
import type { DeedsOptions } from './deeds.ts'

export interface DoubtsOptions extends Omit<DeedsOptions, 'owner'> {
  readonly log: Log
}

/** An instance that runs, and a guard that is set, for so long are given time to come to terms. */
const patienceMs = 5 * 60_000

/** Tells the user, each time once, of a guard that its instance doesn't watch though it runs, or can't carry out. */
export class Doubts {
  readonly #options: DoubtsOptions
  readonly #toldRefused = new Set<string>()

  constructor(options: DoubtsOptions) {
    this.#options = options
  }

  /** @param isAsked SSH waits for the user's answer */
  judge(
    instance: WatchedInstance,
    guards: readonly Guard[],
    { view, isAsked }: { readonly view: WatcherView; readonly isAsked: boolean },
  ): void {
    const { notify, clock } = this.#options
    const now = clock.now()
    const runsSince = instance.history.at(-1)?.at ?? now
    for (const guard of guards) {
      const rule = watchedOf(guard.id, view)
      if (rule !== null && isRefusedByService(rule) && !this.#toldRefused.has(guard.id)) {
        this.#toldRefused.add(guard.id)
        notify(guardRefusedNotification(guard, rule.reply))
      }
      if (rule !== null && !isRefusedByService(rule)) this.#toldRefused.delete(guard.id)
      const isLate = now - Math.max(runsSince, guard.setAt) >= patienceMs
      // Once it is watched, that it isn't any more is told again.
      if (rule !== null && guard.isToldInactive) this.#noteTold(guard, false)
      if (rule !== null || guard.isToldInactive || !isLate) continue
      notify(guardInactiveNotification(guard.instanceId, isAsked ? 'question' : whyOf(view)))
      this.#noteTold(guard, true)
    }
  }

  #noteTold({ id }: Guard, isToldInactive: boolean): void {
    const { store, log } = this.#options
    store
      .update(id, { isToldInactive })
      .catch((error: unknown) => log.error('That an auto-stop rule is not active may be told again', error))
  }
}

function whyOf({ problem }: WatcherView): Parameters<typeof guardInactiveNotification>[1] {
  switch (problem?.kind) {
    case 'cost-unknown':
      return 'cost-unknown'
    case 'refused':
    case 'not-understood':
      return 'refused'
    default:
      return 'not-connected'
  }
}
