import type { AccountSummary } from './account-summary.ts'
import { accountLineOf, type AccountLine, type AccountLabel } from '../../domain/accounts/accounts.ts'
import { emptyTraySummary, traySummaryOf, type TraySummary } from '../../domain/accounts/tray-summary.ts'
import { Latest } from '../../domain/base/latest.ts'

/** An account, as far as the others are told of it. */
export interface SeenAccount {
  readonly id: string
  readonly words: AccountLabel
  readonly summary: AccountSummary
}

/** What is seen of all accounts together: one line for each that is connected, and what the icon says of all. */
export class AccountsSummary {
  readonly lines = new Latest<readonly AccountLine[]>([])
  readonly traySummary = new Latest<TraySummary>(emptyTraySummary)
  readonly #accounts: () => readonly SeenAccount[]

  /** @param accounts in their order */
  constructor(accounts: () => readonly SeenAccount[]) {
    this.#accounts = accounts
  }

  /** Looks at all accounts again whenever this summary changes. Resolves once the signal is aborted. */
  async follow({ changes }: AccountSummary, signal: AbortSignal): Promise<void> {
    await Promise.all(
      changes.map(async (change) => {
        for await (const _ of change.watch(signal)) this.refresh()
      }),
    )
  }

  /** Looks at all accounts again, and tells what is not as it was. */
  refresh(): void {
    const accounts = this.#accounts()
    setIfOther(
      this.lines,
      accounts.flatMap(({ id, words, summary }) => {
        const { state, ...seen } = summary.now()
        return state.kind === 'connected' ? [accountLineOf({ id, words }, { ...seen, state })] : []
      }),
    )
    setIfOther(this.traySummary, traySummaryOf(accounts.map(({ summary }) => summary.now().summarized)))
  }
}

function setIfOther<T>(latest: Latest<T>, next: T): void {
  if (JSON.stringify(next) !== JSON.stringify(latest.value)) latest.set(next)
}
