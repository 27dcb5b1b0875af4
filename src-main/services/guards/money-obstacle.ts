import type { CostLimitView } from '../../domain/guards/cost-limit.ts'
import { warningMs } from '../../domain/guards/guard.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { burnPerHourUsd } from '../../domain/money/money.ts'
import type { MoneyObstacle } from '../../domain/renting/auto-rent.ts'

const hourMs = 3_600_000

/** What the account's money says against another instance at `perHourUsd`, in $/h; `null`: nothing. */
export function moneyObstacle(
  perHourUsd: number,
  {
    instances,
    unreadable,
    unlistedUsd,
    creditUsd,
    creditHours,
    limit,
  }: {
    readonly instances: readonly WatchedInstance[]
    /** How many more the list has, of which nothing can be read. */
    readonly unreadable: number
    /** What was rented a moment ago and isn't listed yet, in $/h. */
    readonly unlistedUsd: number
    readonly creditUsd: number | null | undefined
    /** For how long the credit has to last. */
    readonly creditHours: number
    readonly limit: CostLimitView | null
  },
): MoneyObstacle | null {
  if (limit !== null && limit.reachedAt !== null) return 'limit-reached'
  if (creditUsd === null || creditUsd === undefined || !Number.isFinite(creditUsd)) return 'credit-unknown'
  const burn = burnPerHourUsd(instances, unreadable)
  // What has no price yet may cost as much as this one.
  const [known, unpriced] =
    burn.kind === 'known' ? [burn.perHourUsd, burn.unpriced] : [0, instances.length + unreadable]
  const rate = known + unlistedUsd + (unpriced + 1) * perHourUsd
  if (creditUsd <= 0 || creditUsd < rate * creditHours) return 'low-credit'
  const isNear = limit !== null && limit.usd - limit.spentUsd <= (rate * warningMs) / hourMs
  return isNear ? 'limit-near' : null
}
