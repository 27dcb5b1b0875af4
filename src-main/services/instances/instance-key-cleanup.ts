import type { Log } from '../../domain/base/log.ts'
import { wholeListAt } from '../../domain/instances/instance.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { InstanceWatch } from './watch.ts'

export interface InstanceKeyCleanupOptions {
  /** Removes the account's keys of instances that are not listed. @throws ProblemError the keychain's, no-account */
  readonly forgetGone: (listed: ReadonlySet<number>) => Promise<void>
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  readonly log: Log
}

/** Lets the instances' own keys that the user wanted kept go with the instances. */
export class InstanceKeyCleanup {
  readonly #options: InstanceKeyCleanupOptions

  constructor(options: InstanceKeyCleanupOptions) {
    this.#options = options
  }

  /** Removes the keys of instances that are gone, by each new list, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { watch, forgetGone, log } = this.#options
    let seenAt: number | null = null
    for await (const latest of watch.snapshot.watch(signal)) {
      const { instances } = latest
      const fetchedAt = wholeListAt(latest)
      if (instances === null || fetchedAt === null || fetchedAt === seenAt) continue
      seenAt = fetchedAt
      try {
        await forgetGone(new Set(instances.map(({ id }) => id)))
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        log.warn(`A key of an instance that is gone could not be removed yet: ${error.problem.kind}`)
      }
    }
  }
}
