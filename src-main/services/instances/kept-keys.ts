import { ownerOf } from '../../domain/base/account-identity.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { AccountBound, AccountInUse } from './account-bound.ts'
import type { InstanceWatch } from './watch.ts'

export interface KeptKeysOptions {
  /** Where the keys are: the vault's. */
  readonly keys: {
    readonly forgetGone: (owner: string, listed: ReadonlySet<number>) => Promise<void>
  }
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  readonly log: Log
}

/** Lets the instances' own keys that the user wanted kept go with the instances. */
export class KeptKeys implements AccountBound {
  readonly #options: KeptKeysOptions
  #owner: string | null = null

  constructor(options: KeptKeysOptions) {
    this.#options = options
  }

  readonly enter = async (account: AccountInUse): Promise<void> => {
    this.#owner = ownerOf(account)
  }

  readonly leave = (): void => {
    this.#owner = null
  }

  /** Removes the keys of instances that are gone, by each new list, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { watch, keys, log } = this.#options
    let seenAt: number | null = null
    for await (const { instances, fetchedAt } of watch.snapshot.watch(signal)) {
      if (instances === null || fetchedAt === null || fetchedAt === seenAt || this.#owner === null) continue
      seenAt = fetchedAt
      try {
        await keys.forgetGone(this.#owner, new Set(instances.map(({ id }) => id)))
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        log.warn(`A key of an instance that is gone could not be removed yet: ${error.problem.kind}`)
      }
    }
  }
}
