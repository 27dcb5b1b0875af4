import type { AccountState } from '../../../domain/accounts/account.ts'
import type { KeychainState } from '../../../domain/vault/keychain-state.ts'
import type { SkippedKey } from '../../../domain/base/key-fault.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Preferences } from '../../../domain/settings/settings.ts'
import {
  holdsPublicKey,
  type IdentityFileState,
  type PublicKey,
  type SshAccess,
} from '../../../domain/ssh/ssh-key.ts'
import type { HostLogin, KeptHostPassword } from '../../../domain/ssh/ssh-login.ts'
import type { IdentityFiles } from './identity-files.ts'
import type { HostConfig } from '../config/host-config.ts'
import type { Identities, Identity, LockedIdentity } from './identities.ts'

/** The key pair in the vault, seen from here. */
export interface VaultKey {
  readonly publicKey: () => PublicKey | null
  /** Returns the key made before if there is one. */
  readonly create: (comment: string) => Promise<PublicKey>
  readonly privateKey: () => Promise<
    | { readonly kind: 'found'; readonly value: string }
    | { readonly kind: 'absent' | 'missing' | 'locked' | 'unavailable' }
  >
}

export interface SshAccessOptions {
  readonly vaultKey: VaultKey
  readonly files: IdentityFiles
  readonly hostPasswords: {
    readonly kept: readonly KeptHostPassword[]
    readonly forget: (login: HostLogin) => Promise<void>
  }
  readonly preferences: Latest<Preferences>
  readonly account: Latest<AccountState>
  readonly keychain: Latest<KeychainState>
  /** The agent's socket (SSH_AUTH_SOCK), or `null`. */
  readonly agentSocket: string | null
}

/** Follows what this machine can log in with, and whether the account knows its key. */
export class LoginKeys {
  readonly state: Latest<SshAccess>
  readonly #options: SshAccessOptions
  #trouble: SshAccess['vaultKeyTrouble'] = null
  #files: readonly IdentityFileState[] = []

  constructor(options: SshAccessOptions) {
    this.#options = options
    this.state = new Latest(this.#current())
  }

  /** Until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { preferences, account, keychain } = this.#options
    await Promise.all([
      this.#on(preferences, signal, () => this.refresh()),
      this.#on(account, signal, () => this.#publish()),
      this.#on(keychain, signal, () => this.#probe()),
    ])
  }

  /** The key made before, or a new one. @throws ProblemError keychain-locked, storage-failed */
  async createKey(): Promise<PublicKey> {
    const key = await this.#options.vaultKey.create(keyComment)
    await this.#probe()
    return key
  }

  /** @throws ProblemError invalid-input when no login could be tried with it, storage-failed */
  addIdentityFile(path: string): Promise<void> {
    return this.#options.files.add(path)
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable, storage-failed */
  removeIdentityFile(path: string): Promise<void> {
    return this.#options.files.remove(path)
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable, storage-failed */
  async forgetPassphrase(path: string): Promise<void> {
    await this.#options.files.forgetPassphrase(path)
    await this.refresh()
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable, storage-failed */
  async forgetHostPassword(login: HostLogin): Promise<void> {
    await this.#options.hostPasswords.forget(login)
    this.#publish()
  }

  /** Looks at the files again. */
  async refresh(): Promise<void> {
    this.#files = await this.#options.files.states()
    this.#publish()
  }

  /** What a login is tried with, read anew each time: keychains get locked, and files change. */
  async identities(config: HostConfig): Promise<Identities> {
    const { vaultKey, files, agentSocket } = this.#options
    const chosen = await files.identities(config.identityFiles)
    const keys: (Identity | LockedIdentity)[] = []
    const skipped: SkippedKey[] = []
    const answer = await vaultKey.privateKey()
    if (answer.kind === 'found') keys.push({ name: 'Slipway’s key', privateKey: answer.value })
    else if (answer.kind !== 'absent')
      skipped.push({ name: 'Slipway’s key', why: { code: keychainFaults[answer.kind] } })
    if (config.trouble !== null)
      skipped.push({ name: '~/.ssh/config', why: { code: 'not-read', detail: config.trouble } })
    const named = await files.publicKeys(config.identityFiles)
    return {
      keys: [...keys, ...chosen.keys],
      agentSocket,
      ...(config.identitiesOnly ? { agentKeys: named } : { agentKeysFirst: named }),
      skipped: [...skipped, ...chosen.skipped],
    }
  }

  async #on(source: Latest<unknown>, signal: AbortSignal, act: () => Promise<void> | void): Promise<void> {
    for await (const _ of source.watch(signal)) await act()
  }

  async #probe(): Promise<void> {
    const { vaultKey } = this.#options
    if (vaultKey.publicKey() === null) {
      this.#trouble = null
    } else {
      const { kind } = await vaultKey.privateKey()
      this.#trouble = kind === 'found' ? null : kind === 'absent' ? 'missing' : kind
    }
    this.#publish()
  }

  #publish(): void {
    this.state.set(this.#current())
  }

  #current(): SshAccess {
    const { vaultKey, account, agentSocket } = this.#options
    const key = vaultKey.publicKey()
    const user = account.value.kind === 'connected' ? account.value.user : null
    return {
      vaultKey: key,
      vaultKeyTrouble: this.#trouble,
      identityFiles: this.#files,
      otherPassphrases: this.#options.files.otherKept,
      hostPasswords: this.#options.hostPasswords.kept,
      agent: agentSocket === null ? 'absent' : 'available',
      onAccount: user === null || key === null ? null : holdsPublicKey(user.ssh_key, key.line),
    }
  }
}

/** Names the key in `authorized_keys`, on the service and on machines. */
const keyComment = 'slipway'

const keychainFaults = {
  missing: 'not-in-keychain',
  locked: 'keychain-locked',
  unavailable: 'keychain-unavailable',
} as const
