import type { Clock } from '../../../domain/base/clock.ts'
import { unaskedMessages } from './limits.ts'

const { atOnce, perSecond } = unaskedMessages

/** How many messages a host may still send that nobody waits for. It fills up again with time. */
export class MessageAllowance {
  readonly #clock: Clock
  #left: number = atOnce
  #countedAtMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#countedAtMs = clock.now()
  }

  /** @returns whether there was as much left */
  spend(cost: number): boolean {
    const nowMs = this.#clock.now()
    // A clock that is set back gives nothing, and takes nothing.
    const passedMs = Math.max(0, nowMs - this.#countedAtMs)
    this.#countedAtMs = nowMs
    this.#left = Math.min(atOnce, this.#left + (passedMs / 1000) * perSecond) - cost
    return this.#left >= 0
  }
}
