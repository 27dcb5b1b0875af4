import type { AccountOutlook } from './account-outlook.ts'
import { accountLineOf, type AccountLine, type AccountWords } from '../../domain/accounts/accounts.ts'
import { emptyGlance, glanceOf, type Glance } from '../../domain/accounts/glance.ts'
import { Latest } from '../../domain/base/latest.ts'

/** An account, as far as the others are told of it. */
export interface SeenAccount {
  readonly id: string
  readonly words: AccountWords
  readonly outlook: AccountOutlook
}

/** What is seen of all accounts together: one line for each that is connected, and what the icon says of all. */
export class AccountsOverview {
  readonly lines = new Latest<readonly AccountLine[]>([])
  readonly glance = new Latest<Glance>(emptyGlance)
  readonly #accounts: () => readonly SeenAccount[]

  /** @param accounts in their order */
  constructor(accounts: () => readonly SeenAccount[]) {
    this.#accounts = accounts
  }

  /** Looks at all accounts again whenever this outlook changes. Resolves once the signal is aborted. */
  async follow({ changes }: AccountOutlook, signal: AbortSignal): Promise<void> {
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
      accounts.flatMap(({ id, words, outlook }) => {
        const { state, ...seen } = outlook.now()
        return state.kind === 'connected' ? [accountLineOf({ id, words }, { ...seen, state })] : []
      }),
    )
    setIfOther(this.glance, glanceOf(accounts.map(({ outlook }) => outlook.now().glanced)))
  }
}

function setIfOther<T>(latest: Latest<T>, next: T): void {
  if (JSON.stringify(next) !== JSON.stringify(latest.value)) latest.set(next)
}
