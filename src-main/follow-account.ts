import { ownerOf } from './domain/base/account-identity.ts'
import type { AccountState } from './domain/accounts/account.ts'
import type { Latest } from './domain/base/latest.ts'
import type { Log } from './domain/base/log.ts'
import type { WatchedInstance } from './domain/instances/instance.ts'
import type { AccountBound } from './services/instances/account-bound.ts'
import type { Renting } from './services/renting/renting.ts'
import type { InstanceWatch } from './services/instances/watch.ts'

/**
 * Takes up what belongs to the account once it is connected, and lets it go when it is signed out. A new key changes
 * nothing of it: what is under way goes on.
 */
export async function followAccount({
  account,
  check,
  renting,
  bound,
  remembered,
  watch,
  log,
  signal,
}: {
  readonly account: Latest<AccountState>
  /** Asks the service who the account is. */
  readonly check: () => Promise<void>
  readonly renting: Renting
  /** What else belongs to the account, in the order in which it is taken up. */
  readonly bound: readonly AccountBound[]
  /** The account's instances as they were last known. */
  readonly remembered: () => readonly WatchedInstance[]
  readonly watch: InstanceWatch
  readonly log: Log
  readonly signal: AbortSignal
}): Promise<void> {
  let current: string | null = null
  for await (const state of account.watch(signal)) {
    const next = state.kind === 'connected' ? state.accountId : null
    if (next === current) continue
    const isNewKey = next !== null && current !== null
    current = next
    if (isNewKey) {
      // The former key may have been refused for a while: nobody waits for the next poll.
      void watch.refresh()
      continue
    }
    watch.stop()
    renting.leave()
    for (const one of bound) one.leave(state.kind)
    if (state.kind !== 'connected') continue
    if (state.checkedAt === null) void check()
    try {
      await renting.resume(ownerOf(state))
    } catch (error) {
      log.error('The renting journal could not be read; open rentals are taken up at the next start', error)
    }
    for (const one of bound) {
      try {
        await one.enter(state)
      } catch (error) {
        log.error('What was kept for this account could not be read', error)
      }
    }
    watch.start(remembered())
  }
}
