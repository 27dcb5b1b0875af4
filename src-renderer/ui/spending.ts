import { outlookOf } from '#domain/instance-status.ts'
import type { WatchedInstance } from '#domain/instance.ts'

/** Dollars per hour of the running instances; the service promises no price, so it may be unknown. */
export type Burn =
  | { readonly kind: 'unknown' }
  /** `unpriced` running instances came without a price: the rate is then a lower bound. */
  | {
      readonly kind: 'known'
      readonly perHourUsd: number
      readonly running: number
      readonly unpriced: number
    }

/** The rate of one instance as the service names it (`dph_total`), in $/h; `null` when it does not. */
export function ratePerHourUsd(instance: WatchedInstance): number | null {
  const rate = instance.record['dph_total']
  return typeof rate === 'number' && Number.isFinite(rate) && rate >= 0 ? rate : null
}

/** What runs costs now; unknown before the first list, and when nothing that runs has a price. */
export function burnPerHourUsd(instances: readonly WatchedInstance[] | null): Burn {
  if (instances === null) return { kind: 'unknown' }
  const running = instances.filter((instance) => outlookOf(instance.status).kind === 'ready')
  const rates = running.map(ratePerHourUsd).filter((rate) => rate !== null)
  if (running.length > 0 && rates.length === 0) return { kind: 'unknown' }
  return {
    kind: 'known',
    perHourUsd: rates.reduce((sum, rate) => sum + rate, 0),
    running: running.length,
    unpriced: running.length - rates.length,
  }
}

/** Hours that `creditUsd` lasts at the known rate; `null` when either is unknown or nothing is spent. */
export function runwayHours(creditUsd: number | null | undefined, burn: Burn): number | null {
  if (typeof creditUsd !== 'number' || burn.kind === 'unknown' || burn.perHourUsd <= 0) return null
  return Math.max(0, creditUsd) / burn.perHourUsd
}

/** Whether an instance waits for its owner: it will never run, costs money, and nothing was done about it. */
export function needsDecision(instance: WatchedInstance): boolean {
  const beingHandled = instance.pending !== null && instance.pending.failure === null
  return outlookOf(instance.status).kind === 'dead-end' && !beingHandled
}
