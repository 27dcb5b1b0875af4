import type { Clock } from '../../domain/base/clock.ts'
import type { KeychainState } from '../../domain/vault/keychain-state.ts'
import type { Latest } from '../../domain/base/latest.ts'
import { ApiKeys } from './keys/api-keys.ts'
import { BackupSets, backupValue, type BackupValue } from './codes/backup-code-sets.ts'
import { HostPasswords } from './keys/host-passwords.ts'
import { InstanceKeys } from './keys/instance-keys.ts'
import type { Keychain } from './keychain/keychain.ts'
import { SecretList } from './codes/secret-list.ts'
import { SessionKeys } from './keys/session-keys.ts'
import { type KeyPair, SshKey } from './keys/ssh-key.ts'
import { Passphrases } from './keys/passphrases.ts'
import { Totp, totpValue, type TotpValue } from './codes/totp.ts'
import type { CorrectedClock } from './codes/corrected-clock.ts'
import { IndexEntries, type BackupListing, type TotpListing, type VaultIndexFile } from './vault-index.ts'

export interface VaultOptions {
  readonly keychain: Keychain
  readonly index: VaultIndexFile
  readonly clock: Clock
  readonly correctedClock: Pick<CorrectedClock, 'now' | 'toLocal'>
  readonly randomId: () => string
  readonly makeKeyPair: (comment: string) => KeyPair
  /** Told of one-time password secrets and backup codes, so that they can be kept out of the log. */
  readonly remember: (secret: string) => void
}

/** Everything secret, each kind behind its own door. */
export interface Vault {
  readonly apiKeys: ApiKeys
  readonly sessionKeys: SessionKeys
  readonly instanceKeys: InstanceKeys
  readonly passphrases: Passphrases
  readonly hostPasswords: HostPasswords
  readonly sshKey: SshKey
  readonly totp: Totp
  readonly backupCodes: BackupSets
  /** What is listed of one-time passwords and backup codes. */
  readonly totpList: SecretList<TotpListing, TotpValue>
  readonly backupList: SecretList<BackupListing, BackupValue>
  /** Whether secrets can be kept now. While it is `unavailable`, new ones last for this run only. */
  readonly state: Latest<KeychainState>
  readonly check: () => Promise<KeychainState>
  /** As {@link Vault.check}: to be asked before a service makes a secret that it shows once. */
  readonly canKeep: () => Promise<KeychainState>
}

export function createVault(options: VaultOptions): Vault {
  const { keychain, clock, correctedClock, randomId, makeKeyPair, remember } = options
  const index = new IndexEntries(options.index)
  const totpList = new SecretList<TotpListing, TotpValue>({
    keychain,
    index,
    prefix: 'totp',
    secret: totpValue,
    what: 'one-time password',
    listingOf: (entry) => (entry.kind === 'totp' ? entry.listing : null),
    entryOf: (listing) => ({ kind: 'totp', listing }),
  })
  const backupList = new SecretList<BackupListing, BackupValue>({
    keychain,
    index,
    prefix: 'backup',
    secret: backupValue,
    what: 'set of backup codes',
    listingOf: (entry) => (entry.kind === 'backup-codes' ? entry.listing : null),
    entryOf: (listing) => ({ kind: 'backup-codes', listing }),
  })
  return {
    apiKeys: new ApiKeys({ keychain, index, clock }),
    sessionKeys: new SessionKeys({ keychain, index }),
    instanceKeys: new InstanceKeys({ keychain, index, clock, remember }),
    passphrases: new Passphrases({ keychain, index, clock }),
    hostPasswords: new HostPasswords({ keychain, index, clock }),
    sshKey: new SshKey({ keychain, index, clock, randomId, makeKeyPair }),
    totp: new Totp({ list: totpList, clock, correctedClock, randomId, remember }),
    backupCodes: new BackupSets({ list: backupList, now: clock.now, randomId, remember }),
    totpList,
    backupList,
    state: keychain.state,
    check: keychain.check,
    canKeep: keychain.check,
  }
}
