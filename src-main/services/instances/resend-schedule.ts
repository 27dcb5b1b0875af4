import { endsInstance, type ActionKind, type WatchedInstance } from '../../domain/instances/instance.ts'
import { isOverdue } from '../../domain/instances/instance-status.ts'

const firstPauseMs = 30_000
const longestPauseMs = 5 * 60_000

/**
 * When an action that Slipway does on its own is to be sent again: nobody sits there to press the button. Stop
 * and destroy may be repeated, and are, but only once the list has shown that the last one did not take, and
 * ever more slowly.
 */
export class ResendSchedule {
  #last: { readonly at: number; readonly times: number } | null = null

  isDue(action: ActionKind, instance: Pick<WatchedInstance, 'pending'>, now: number): boolean {
    const { pending } = instance
    const isUnderWay = pending !== null && (pending.action === action || endsInstance[pending.action])
    if (isUnderWay && !isOverdue(pending)) return false
    if (this.#last === null) return true
    const sinceMs = now - this.#last.at
    // A clock that was set back must not make it wait for the time it has lost.
    return sinceMs < 0 || sinceMs >= Math.min(firstPauseMs * 2 ** (this.#last.times - 1), longestPauseMs)
  }

  get wasSent(): boolean {
    return this.#last !== null
  }

  sent(now: number): void {
    this.#last = { at: now, times: (this.#last?.times ?? 0) + 1 }
  }
}
