import type { Clock } from '../domain/clock.ts'
import type { KeychainState } from '../domain/keychain-state.ts'
import type { Latest } from '../domain/latest.ts'
import { ApiKeys } from './api-keys.ts'
import { InstanceKeys } from './instance-keys.ts'
import type { Keychain } from './keychain.ts'
import { type KeyPair, SshKey } from './ssh-key.ts'
import { IndexEntries, type VaultIndexFile } from './vault-index.ts'

export interface VaultOptions {
  readonly keychain: Keychain
  readonly index: VaultIndexFile
  readonly clock: Clock
  readonly randomId: () => string
  readonly makeKeyPair: (comment: string) => KeyPair
}

/** Everything secret, each kind behind its own door. */
export interface Vault {
  readonly apiKeys: ApiKeys
  readonly instanceKeys: InstanceKeys
  readonly sshKey: SshKey
  /** Whether secrets can be kept now. While it is `unavailable`, new ones last for this run only. */
  readonly state: Latest<KeychainState>
  readonly check: () => Promise<KeychainState>
}

export function createVault({ keychain, index, clock, randomId, makeKeyPair }: VaultOptions): Vault {
  const entries = new IndexEntries(index)
  return {
    apiKeys: new ApiKeys({ keychain, index: entries, clock }),
    instanceKeys: new InstanceKeys({ keychain, index: entries, clock }),
    sshKey: new SshKey({ keychain, index: entries, clock, randomId, makeKeyPair }),
    state: keychain.state,
    check: keychain.check,
  }
}
