import type { Account, Accounts } from '../accounts.ts'
import type { Clock } from '../clock.ts'
import { type Challenges, createChallenges } from './challenges.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { refreshLockout } from './lockout.ts'
import { createState, type TwoFactorState } from './state.ts'

/** Stores behind the service that may be down: of open windows, and of challenges that authorize a new method. */
export const STORES = ['authorizations', 'authorization-challenges'] as const
export type StoreName = (typeof STORES)[number]

/** What the 2FA endpoints work on. */
export interface TwoFactor {
  readonly clock: Clock
  readonly accounts: Accounts
  readonly challenges: Challenges
  readonly delivery: Delivery
  readonly storesDown: Set<StoreName>
  /** The account's state as it is now: lockouts that are over have ended. */
  stateOf(account: Account): TwoFactorState
  nextMethodId(): number
}

export function createTwoFactor({
  clock,
  accounts,
}: {
  readonly clock: Clock
  readonly accounts: Accounts
}): TwoFactor {
  const states = new Map<Account, TwoFactorState>()
  let lastMethodId = 5000
  return {
    clock,
    accounts,
    challenges: createChallenges(clock),
    delivery: createDelivery(clock),
    storesDown: new Set(),
    stateOf(account) {
      const state = states.get(account) ?? createState()
      states.set(account, state)
      for (const method of state.methods) refreshLockout(method, clock.now())
      return state
    },
    nextMethodId() {
      lastMethodId += 1
      return lastMethodId
    },
  }
}
