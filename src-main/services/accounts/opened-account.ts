import type { SignOutEffects, AccountsView, AccountLabel } from '../../domain/accounts/accounts.ts'
import type { PendingWork } from '../../domain/accounts/pending-work.ts'
import type { AccountIdentity } from '../../domain/base/account-identity.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { PageRequest } from '../../domain/workbench/page-request.ts'
import type { AccountSummary } from './account-summary.ts'
import type { AccountKey } from './account-key.ts'

/** An account that is open, as far as the list of all accounts needs it. */
export interface OpenAccount {
  readonly key: Pick<AccountKey, 'state' | 'holds' | 'use'>
  /** What its page is asked for from outside of it. */
  readonly pageRequests: { readonly give: (pageRequest: PageRequest) => void }
  /** What others are told of it. */
  readonly summary: AccountSummary
  /** Where its service and its machines are. */
  readonly hosts: () => readonly string[]
  /** Whether ssh knows this instance of it by name. */
  readonly namesInstance: (instanceId: number) => boolean
  readonly signOutEffects: () => SignOutEffects
  /** Takes what belongs to it out of the keychain; nothing acts in its name from then on. Throws as `signOut` does. */
  readonly signOut: () => Promise<void>
  /** Looks again at what the pages of other accounts may have changed. */
  readonly refresh: () => Promise<void>
  /** What nobody sees to once it has ended. */
  readonly pendingWork: () => PendingWork
  /** The computer slept: what was known of links and instances may be hours old. */
  readonly wake: () => void
  readonly dispose: () => Promise<void>
}

/** An account's place among the others. */
export interface AmongAccounts {
  /** How it is called where several are; `null` where it is the only one. */
  readonly name: () => string | null
  /** Brings it to the front. */
  readonly show: () => void
  /** Whether another one has an instance of this id, by whose name ssh then knows that one. */
  readonly isNamedElsewhere: (instanceId: number) => boolean
  /** Where the services and machines of the others are. */
  readonly otherHosts: () => readonly string[]
  readonly others: {
    readonly now: () => readonly AccountIdentity[]
    /** Tells when there are more or fewer of them. */
    readonly changes: Pick<Latest<unknown>, 'watch'>
  }
}

/** What the page of one account may ask about all of them. */
export interface SeenAccounts {
  readonly watch: (signal?: AbortSignal) => AsyncGenerator<AccountsView, void, void>
  readonly show: (id: string) => void
  /** Brings the account's page to the front, and to one of its instances. */
  readonly openInstance: (account: string, id: number) => void
  readonly add: () => void
  readonly connect: (request: ConnectRequest) => Promise<void>
  readonly describe: (id: string, words: AccountLabel) => Promise<void>
  readonly signOutEffects: () => SignOutEffects
  readonly signOut: () => Promise<void>
}

export interface ConnectRequest {
  readonly serviceAddress: string
  readonly apiKey: string
  readonly keepIn: 'keychain' | 'memory'
}
