import { implement } from '@orpc/server'
import { spending as contract } from '../../contract/spending.ts'
import type { SpendingService } from '../../services/spending/open-spending.ts'

const os = implement(contract)

/** The calls of `contract/spending.ts`, answered by the service. */
export function spendingRouter(spending: SpendingService) {
  return os.router({
    months: os.months.handler(() => spending.months()),
    watchMonth: os.watchMonth.handler(({ input, signal }) => spending.watchMonth(input.month, signal)),
    exportCsv: os.exportCsv.handler(async ({ input }) => ({ path: await spending.exportCsv(input.month) })),
    watchBudget: os.watchBudget.handler(({ signal }) => spending.budget.state.watch(signal)),
    setBudget: os.setBudget.handler(({ input }) => spending.budget.set(input.usd)),
    removeBudget: os.removeBudget.handler(() => spending.budget.remove()),
    dismissBudget: os.dismissBudget.handler(() => spending.budget.dismiss()),
  })
}
