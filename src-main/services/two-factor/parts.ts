import type { AccountState } from '../../domain/accounts/account.ts'
import type { KnownTwoFactor } from '../../domain/two-factor/two-factor.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { KeychainState } from '../../domain/vault/keychain-state.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { BackupSetView, ClockState, SavedBy, VaultEntry } from '../../domain/vault/vault-view.ts'
import type { TwoFactorClient } from '../rental-api/two-factor.ts'
import type { BackupCodeSets, TotpEntries } from '../vault/codes/two-factor-secrets.ts'
import type { PendingSteps } from './pending-steps.ts'

/** What the procedures need of the vault. */
export interface TwoFactorVault {
  readonly totp: TotpEntries
  readonly backupCodes: BackupCodeSets & {
    readonly markSaved: (setId: string, by: SavedBy) => Promise<void>
  }
  /** What is listed, without secrets. */
  readonly entries: Pick<Latest<readonly VaultEntry[]>, 'value' | 'watch'>
  readonly backupSets: Pick<Latest<readonly BackupSetView[]>, 'value' | 'watch'>
  /** Whether secrets can be kept now. */
  readonly check: () => Promise<KeychainState>
  readonly correctedClock: {
    readonly state: Pick<Latest<ClockState>, 'value' | 'watch'>
    /** A true time (ms) as this machine's clock will show it. */
    readonly toLocal: (trueMs: number) => number
  }
}

/** Where the key of a 2FA session is kept, beside the API key of the same account. */
export interface SessionStore {
  /** `null` when there is none, or none that can be read now. */
  readonly read: (keyId: string) => Promise<HeldSession | null>
  /** In memory when there is no keychain that takes it: another login gives another one. */
  readonly keep: (
    keyId: string,
    session: Omit<HeldSession, 'keptIn'>,
    keepIn: 'keychain' | 'memory',
  ) => Promise<{ readonly keptIn: 'keychain' | 'memory' }>
  /** Never used again from here on, whatever the keychain does. @throws ProblemError storage-failed */
  readonly forget: (keyId: string) => Promise<void>
  /** Accounts with a session that has ended and whose key a closed keychain still has. */
  readonly left: Pick<Latest<readonly string[]>, 'value' | 'watch'>
}

export type HeldSession = { readonly key: string } & NonNullable<KnownTwoFactor['session']>

/** What surrounds every procedure. */
export interface TwoFactorParts {
  readonly vault: TwoFactorVault
  readonly pendingSteps: PendingSteps
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly randomId: () => string
  readonly log: Log
  /** Told of each secret, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
}

/** What the account's 2FA needs besides. */
export interface TwoFactorAccountOptions extends TwoFactorParts {
  readonly account: Pick<Latest<AccountState>, 'value' | 'watch'>
  /** Asks for the account's record again. Never rejects. */
  readonly check: () => Promise<void>
  /** Speaks by the session of this key if there is one, else by the API key. */
  readonly clientOf: (sessionKey: string | null) => TwoFactorClient
  readonly sessions: SessionStore
  /** Has all of the account's requests go by this session, or by the API key. Throws as `AccountKey.useSession` does. */
  readonly useSession: (session: { readonly key: string; readonly drop: () => void } | null) => Promise<void>
}
