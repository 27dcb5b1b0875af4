import type { BudgetView } from '#domain/spending/budget.ts'
import { formatNumber, formatSpentUsd, formatUsd } from '#ui/format.ts'

/** `$3.10 of $20.00 (15%)`. */
export function budgetShareText({ spentUsd, usd }: BudgetView): string {
  return `${formatSpentUsd(spentUsd)} of ${formatUsd(usd)} (${formatNumber(Math.floor((spentUsd / usd) * 100))}%)`
}

/** What is told above the page; `null` for nothing. */
export function budgetWarningText(
  budget: BudgetView,
): { readonly title: string; readonly text: string } | null {
  const { warning } = budget
  if (warning === null) return null
  return {
    title: warning >= 100 ? 'This month’s budget is spent' : `${warning}% of this month’s budget is spent`,
    text: `Slipway counted ${budgetShareText(budget)}. The budget stops nothing: you’re still charged for what runs.`,
  }
}
