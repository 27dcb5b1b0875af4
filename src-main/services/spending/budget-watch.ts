import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { budgetNotification, type Notification } from '../../domain/notifications/notification.ts'
import { budgetPercents, budgetUsd, spentPercent, type BudgetView } from '../../domain/spending/budget.ts'
import { ledgerMonth, monthOf } from '../../domain/spending/ledger-line.ts'
import { usdOf } from '../../domain/spending/month-summary.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import type { Ledger } from './ledger.ts'

const warned = z.object({ month: ledgerMonth, percent: z.literal(budgetPercents) }).nullable()

const budget = z
  .object({
    usd: budgetUsd,
    /** The last share that the user was told. */
    told: warned,
    /** The last share that the user dismissed. */
    dismissed: warned,
  })
  .nullable()
export type Budget = z.infer<typeof budget>

export const budgetFile: JsonFileShape<Budget> = { schema: budget, fallback: null }

export interface BudgetWatchOptions {
  readonly file: JsonFile<Budget>
  readonly ledger: Pick<Ledger, 'counted' | 'linesOf'>
  readonly notify: (notification: Notification) => void
  readonly clock: Clock
  readonly log: Log
}

/** Warns when a month's costs near its budget, and when they reach it: each once. It stops nothing. */
export class BudgetWatch {
  readonly state = new Latest<BudgetView | null>(null)
  readonly #options: BudgetWatchOptions
  readonly #queue = new SerialQueue()
  /** The last share told in this run, also where that can't be written. */
  #told: Exclude<Budget, null>['told'] = null

  constructor(options: BudgetWatchOptions) {
    this.#options = options
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { ledger, log } = this.#options
    for await (const _ of ledger.counted.watch(signal))
      try {
        await this.#queue.take(() => this.#look())
      } catch (error) {
        log.error('The budget could not be looked at; it is looked at again', error)
      }
  }

  /** In the place of the former one: what was told and dismissed of that is over. @throws ProblemError storage-failed */
  async set(usd: number): Promise<void> {
    await this.#queue.take(async () => {
      await this.#options.file.write({ usd, told: null, dismissed: null })
      this.#told = null
      await this.#look()
    })
  }

  /** @throws ProblemError storage-failed */
  async remove(): Promise<void> {
    await this.#queue.take(async () => {
      await this.#options.file.write(null)
      await this.#look()
    })
  }

  /** Takes the warning that is shown out of sight, until the next share is spent. @throws ProblemError storage-failed */
  async dismiss(): Promise<void> {
    await this.#queue.take(async () => {
      const { file } = this.#options
      await file.update((kept) => kept && { ...kept, dismissed: kept.told })
      await this.#look()
    })
  }

  async #look(): Promise<void> {
    const { file, ledger, notify, clock, log } = this.#options
    const kept = file.value
    if (kept === null) {
      if (this.state.value !== null) this.state.set(null)
      return
    }
    const month = monthOf(clock.now())
    const spentUsd = usdOf(await ledger.linesOf(month))
    const percent = spentPercent(kept.usd, spentUsd)
    const isAmong = (one: Exclude<Budget, null>['told']): boolean =>
      one !== null && one.month === month && percent !== null && one.percent >= percent
    this.state.set({ usd: kept.usd, month, spentUsd, warning: isAmong(kept.dismissed) ? null : percent })
    if (percent === null || isAmong(kept.told) || isAmong(this.#told)) return
    const told = { month, percent }
    this.#told = told
    notify(budgetNotification(percent, kept.usd, spentUsd))
    try {
      await file.update((now) => now && { ...now, told })
    } catch (error) {
      log.error(
        'That the budget was warned of could not be written; it’s told again when Slipway next starts',
        error,
      )
    }
  }
}
