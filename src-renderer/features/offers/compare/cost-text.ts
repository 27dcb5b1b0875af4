import { assertNever } from '#domain/base/assert-never.ts'
import { bestPlaces } from '#ui/compare/better-value.ts'
import type { CostPart, Shortfall, TotalCost } from '#domain/money/total-cost.ts'
import { formatNumber, formatUsd, unknown } from '#ui/format.ts'

/** A part of a total in words; an unknown one says why. */
export function partText(part: CostPart): string {
  if (part.kind === 'known') return `${formatUsd(part.usd)}${part.includesDisk ? ', some disk included' : ''}`
  return part.missing === 'price' ? `${unknown} (no price)` : `${unknown} (no amount)`
}

/** A total in words; when parts are unknown or too high, how it stands to what will be charged. */
export function totalText({ total }: Pick<TotalCost, 'total'>): string {
  if (total === null) return unknown
  const usd = formatUsd(total.usd)
  switch (total.bound) {
    case 'exact':
      return usd
    case 'at-least':
      return `at least ${usd}`
    case 'at-most':
      return `at most ${usd}`
    case 'about':
      return `about ${usd}`
    default:
      return assertNever(total.bound)
  }
}

/**
 * Places of the lowest totals of the machines that can still be rented and can give what is wanted; none as long
 * as the total of one of these is not exact, for it could be the lowest.
 */
export function lowestTotals(
  offers: readonly { readonly cost: TotalCost; readonly shortfall: Shortfall; readonly isGone: boolean }[],
): ReadonlySet<number> {
  const candidates = offers.map(({ cost, shortfall, isGone }) =>
    isGone || shortfall.hours !== null || shortfall.diskGb !== null ? null : cost,
  )
  if (candidates.some((cost) => cost !== null && cost.total?.bound !== 'exact')) return new Set()
  const totals = candidates.map((cost) => cost?.total?.usd ?? null)
  return bestPlaces(totals, 'less', (one, other) => formatUsd(one) === formatUsd(other))
}

/** What the machine cannot give of what is wanted, in short sentences. */
export function shortfallText({ hours, diskGb }: Shortfall): readonly string[] {
  const lasts =
    hours === null ? null : hours < 48 ? `${formatNumber(hours)} h` : `${formatNumber(hours / 24)} days`
  return [
    ...(lasts === null ? [] : [`Available for ${lasts} only.`]),
    ...(diskGb === null ? [] : [`Has only ${formatNumber(diskGb)} GB of disk.`]),
  ]
}
