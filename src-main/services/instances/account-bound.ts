import type { AccountState } from '../../domain/accounts/account.ts'

export type AccountInUse = Extract<AccountState, { kind: 'connected' }>

/** What belongs to the account in use: `follow-account.ts` tells it when another one is. */
export interface AccountBound {
  /** Takes up what earlier runs left for this account, before its instances are watched. */
  readonly enter: (account: AccountInUse) => Promise<void>
  /** The account is used no more; what comes next is another one, or none. */
  readonly leave: (next: AccountState['kind']) => void
}
