import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { monthOf } from '../../domain/spending/ledger-line.ts'
import { summaryOf, type MonthSummary } from '../../domain/spending/month-summary.ts'
import { orStorageFailed } from '../storage/disk.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { budgetFile, BudgetWatch } from './budget-watch.ts'
import { ledgerCsv } from './csv.ts'
import { Ledger, spendingFile, type LedgerOptions } from './ledger.ts'
import { openLedgerFiles } from './ledger-files.ts'

export interface SpendingDependencies {
  readonly folder: Pick<Folder, 'path'>
  readonly file: Folder['file']
  readonly watch: LedgerOptions['watch']
  readonly labelOf: LedgerOptions['labelOf']
  readonly account: Pick<Latest<AccountState>, 'value'>
  readonly notify: (notification: Notification) => void
  /** Asks the user where to; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  readonly clock: Clock
  readonly log: Log
}

export type SpendingService = Awaited<ReturnType<typeof openSpending>>

/**
 * What instances cost, hour by hour, and a month's budget.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openSpending(from: SpendingDependencies, lifetime: Lifetime) {
  const { folder, file, chooseFile, clock } = from
  const files = openLedgerFiles(join(folder.path, 'spending'), (name) => file(join('spending', name)))
  const ledger = new Ledger({
    ...from,
    file: await openJsonFile({ ...file('spending.json'), ...spendingFile }),
    files,
  })
  const budget = new BudgetWatch({
    ...from,
    ledger,
    file: await openJsonFile({ ...file('budget.json'), ...budgetFile }),
  })
  for (const one of [ledger, budget]) lifetime.follow((signal) => one.follow(signal))
  return {
    budget,
    /** Months to choose from, the earliest first; the present one is among them. @throws ProblemError storage-failed */
    months: async (): Promise<readonly string[]> => {
      const known = new Set([...(await files.months()), monthOf(clock.now())])
      return [...known].toSorted()
    },
    /** A month as it is counted; `null` for the present one. @throws ProblemError storage-failed */
    async *watchMonth(month: string | null, signal?: AbortSignal): AsyncGenerator<MonthSummary, void, void> {
      for await (const _ of ledger.counted.watch(signal)) {
        const shown = month ?? monthOf(clock.now())
        yield summaryOf(shown, await ledger.linesOf(shown))
      }
    },
    /** Where it was saved; `null` when the user chose no file. @throws ProblemError storage-failed */
    exportCsv: async (month: string): Promise<string | null> => {
      const text = ledgerCsv(await ledger.linesOf(month))
      const path = await chooseFile(`slipway-spending-${month}.csv`)
      if (path === null) return null
      await orStorageFailed(path, () => writeFile(path, text, { mode: 0o600 }))
      return path
    },
  }
}
