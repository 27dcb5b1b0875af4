import type { CostLimitView } from '#domain/guards/cost-limit.ts'
import { counted } from '#domain/base/plural.ts'
import { formatDuration, formatExact, formatSpentUsd, formatUsd } from '#ui/format.ts'

export const costLimitText = {
  effect:
    'Slipway adds up what all instances of this account cost from when you set the limit. At the limit, it stops every running instance: their processes end, and you’re still charged for their disks.',
  place:
    'Slipway notifies you 10 minutes before. It stops instances only while it’s open or in the tray and the service sends the list, and counts by the prices in it. The limit ends when it’s reached: set a new one for later rentals.',
  hint: 'Enter an amount above $0, such as 20.',
} as const

/** `$3.10 of $20.00`. */
export function limitShareText({ spentUsd, usd }: CostLimitView): string {
  return `${formatSpentUsd(spentUsd)} of ${formatUsd(usd)}`
}

/** How the limit stands, in a sentence or two. `now` in ms. */
export function limitStandText(limit: CostLimitView, now: number): string {
  const { setAt, dueAt, uncounted, reachedAt } = limit
  const since = `${limitShareText(limit)} since ${formatExact(setAt)}.`
  if (reachedAt !== null) return `${since} Reached: Slipway stops all instances.`
  const due =
    dueAt === null
      ? 'You aren’t charged now.'
      : `At the current prices, Slipway stops all instances in ${formatDuration(Math.max(0, dueAt - now))}.`
  const gap =
    uncounted === 0 ? '' : ` ${counted(uncounted, 'instance')} without a known price can’t be counted.`
  return `${since} ${due}${gap}`
}
