import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { budgetUsd, budgetView } from '../domain/spending/budget.ts'
import { ledgerMonth } from '../domain/spending/ledger-line.ts'
import { monthSummary } from '../domain/spending/month-summary.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

/** What instances cost, as Slipway saw it, and a month's budget. */
export const spending = {
  /** Months to choose from, the earliest first. */
  months: procedure.output(z.array(ledgerMonth).readonly()),
  /** `null`: the present one. */
  watchMonth: procedure
    .input(z.object({ month: ledgerMonth.nullable() }))
    .output(eventIterator(monthSummary)),
  /** Where it was saved; `null` when the user chose no file. */
  exportCsv: procedure
    .input(z.object({ month: ledgerMonth }))
    .output(z.object({ path: z.string().nullable() })),
  watchBudget: procedure.output(eventIterator(budgetView.nullable())),
  /** For each month; in the place of the former one. */
  setBudget: accountProcedure.input(z.object({ usd: budgetUsd })).output(nothing),
  removeBudget: procedure.output(nothing),
  /** Takes the warning that is shown out of sight. */
  dismissBudget: procedure.output(nothing),
}
