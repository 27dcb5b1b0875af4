import { z } from 'zod'
import {
  boundsOfReply,
  carryBounds,
  clockBounds,
  intersectBounds,
  offsetOf,
  wrongClockMs,
  type ClockBounds,
  type DatedReply,
  type MachineTimes,
} from '../../../domain/vault/clock-offset.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import type { ClockState } from '../../../domain/vault/vault-view.ts'

/** What is known of the clock, for the next start. */
export const rememberedClock = z.object({ bounds: clockBounds, checkedAtMs: z.number() }).nullable()
export type RememberedClock = z.infer<typeof rememberedClock>

export interface CorrectedClockOptions {
  readonly times: () => MachineTimes
  readonly file: {
    readonly value: RememberedClock
    readonly write: (next: RememberedClock) => Promise<void>
  }
  readonly log: Log
}

/** How often what is known is written, unless it says something new. */
const writeEveryMs = 10 * 60_000
/** An offset that differs by less makes no other code. */
const newsMs = 1_000

/**
 * The true time, as the rental service's replies tell it: one-time passwords are right although the local clock
 * is not. Without any reply that still holds, it is the local clock.
 */
export class CorrectedClock {
  readonly #options: CorrectedClockOptions
  #bounds: ClockBounds | null
  #checkedAtMs: number | null
  readonly #state: Latest<ClockState>
  #written: { readonly offsetMs: number; readonly atMs: number } | null = null

  constructor(options: CorrectedClockOptions) {
    this.#options = options
    const { value } = options.file
    this.#bounds = value?.bounds ?? null
    this.#checkedAtMs = value?.checkedAtMs ?? null
    this.#state = new Latest(this.#look())
  }

  /** `isWrong` and the offset, whenever they change by something that matters. */
  get state(): Pick<Latest<ClockState>, 'value' | 'watch'> {
    return this.#state
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#options.times().wallMs + this.#offsetMs()

  /** A true time as the local clock will show it. */
  readonly toLocal = (trueMs: number): number => trueMs - this.#offsetMs()

  /** A reply of the rental service. */
  readonly note = (reply: DatedReply): void => {
    const said = boundsOfReply(reply, this.#options.times())
    if (said === null) return
    this.#bounds = intersectBounds(this.#carried(), said)
    this.#checkedAtMs = said.seen.wallMs + offsetOf(this.#bounds).offsetMs
    this.#tell()
    this.#remember()
  }

  /** The machine slept, so that nobody knows what its clock did meanwhile. */
  readonly drop = (): void => {
    this.#bounds = null
    this.#tell()
  }

  #carried(): ClockBounds | null {
    if (this.#bounds !== null) this.#bounds = carryBounds(this.#bounds, this.#options.times())
    return this.#bounds
  }

  #offsetMs(): number {
    const hadBounds = this.#bounds !== null
    const bounds = this.#carried()
    if (hadBounds && bounds === null) this.#tell()
    return bounds === null ? 0 : offsetOf(bounds).offsetMs
  }

  #look(): ClockState {
    const bounds = this.#carried()
    if (bounds === null || this.#checkedAtMs === null)
      return { kind: 'unchecked', lastCheckedAtMs: this.#checkedAtMs }
    const { offsetMs, errorMs } = offsetOf(bounds)
    const isWrong = Math.abs(offsetMs) >= wrongClockMs
    return { kind: 'checked', offsetMs, errorMs, checkedAtMs: this.#checkedAtMs, isWrong }
  }

  #tell(): void {
    const before = this.#state.value
    const now = this.#look()
    if (now.kind === 'checked' && before.kind === 'checked' && isSame(now, before)) return
    if (now.kind === 'unchecked' && before.kind === 'unchecked') return
    this.#state.set(now)
  }

  #remember(): void {
    const { file, log } = this.#options
    if (this.#bounds === null || this.#checkedAtMs === null) return
    const { offsetMs } = offsetOf(this.#bounds)
    const atMs = this.#bounds.seen.uptimeMs
    const isNew =
      this.#written === null ||
      Math.abs(offsetMs - this.#written.offsetMs) >= newsMs ||
      atMs - this.#written.atMs >= writeEveryMs
    if (!isNew) return
    this.#written = { offsetMs, atMs }
    file.write({ bounds: this.#bounds, checkedAtMs: this.#checkedAtMs }).catch((error: unknown) => {
      log.error('What is known of the clock was not written', error)
    })
  }
}

type Checked = Extract<ClockState, { kind: 'checked' }>

function isSame(one: Checked, other: Checked): boolean {
  return (
    one.isWrong === other.isWrong &&
    Math.abs(one.offsetMs - other.offsetMs) < newsMs &&
    Math.abs(one.errorMs - other.errorMs) < newsMs &&
    one.checkedAtMs - other.checkedAtMs < writeEveryMs
  )
}
