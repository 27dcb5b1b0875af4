import type { Burn } from '#domain/money/money.ts'
import type { Problem } from '#domain/base/problem.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import type { GroupCost } from './group-cost.ts'

export type GroupAction = 'stop' | 'destroy'

/** How far one instance of a group is. */
export type GroupResult =
  | { readonly kind: 'waiting' | 'asking' | 'accepted' }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** What several instances cost together; where some have no known price, the least that it can be. */
export function burnText(burn: Burn): string {
  if (burn.kind === 'unknown') return 'a rate that the service does not name'
  return `${burn.unpriced > 0 ? 'at least ' : ''}${formatUsdPerHour(burn.perHourUsd)}`
}

/** What the action does to the bill, in a sentence. */
export function groupCostText({ now, after }: GroupCost, action: GroupAction): string {
  const before = `Together they are charged ${burnText(now)} now`
  return action === 'destroy'
    ? `${before}; afterwards nothing.`
    : `${before}; afterwards their disks, ${burnText(after)}, until you destroy them.`
}
