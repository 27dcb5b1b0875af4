import { z } from 'zod'
import { ledgerMonth } from './ledger-line.ts'

export const budgetUsd = z.number().positive().max(1_000_000)

/** The shares of a budget at which the user is warned, in percent. */
export const budgetPercents = [80, 100] as const
const percent = z.literal(budgetPercents)
export type BudgetPercent = z.infer<typeof percent>

/** How the budget of this month stands. It stops nothing. */
export const budgetView = z.object({
  usd: z.number(),
  month: ledgerMonth,
  /** What was counted in the month so far. */
  spentUsd: z.number(),
  /** What is shown above the page; `null`: nothing yet, or it was dismissed. */
  warning: percent.nullable(),
})
export type BudgetView = z.infer<typeof budgetView>

/** The last share that is spent; `null` for none. */
export function spentPercent(usd: number, spentUsd: number): BudgetPercent | null {
  return budgetPercents.findLast((one) => spentUsd >= (usd * one) / 100) ?? null
}
