import type { AccountState } from '../domain/account.ts'
import type { KeychainState } from '../domain/keychain-state.ts'
import { Latest } from '../domain/latest.ts'
import type { Preferences } from '../domain/settings.ts'
import { holdsPublicKey, type PublicKey, type SshAccess } from '../domain/ssh-key.ts'
import type { Identities, Identity } from './identities.ts'
import { readIdentityFile } from './identity-file.ts'

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
  readonly preferences: Latest<Preferences>
  readonly account: Latest<AccountState>
  readonly keychain: Latest<KeychainState>
  /** The agent's socket (SSH_AUTH_SOCK), or `null`. */
  readonly agentSocket: string | null
}

/** Follows what this machine can log in with, and whether the account knows its key. */
export class SshAccessWatch {
  readonly state: Latest<SshAccess>
  readonly #options: SshAccessOptions
  #trouble: SshAccess['vaultKeyTrouble'] = null

  constructor(options: SshAccessOptions) {
    this.#options = options
    this.state = new Latest(this.#current())
  }

  /** Until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { preferences, account, keychain } = this.#options
    await Promise.all([
      this.#on(preferences, signal, () => this.#publish()),
      this.#on(account, signal, () => this.#publish()),
      this.#on(keychain, signal, () => this.#probe()),
    ])
  }

  async createKey(comment: string): Promise<PublicKey> {
    const key = await this.#options.vaultKey.create(comment)
    await this.#probe()
    return key
  }

  /** What a login is tried with, read anew each time: keychains get locked, and files change. */
  async identities(): Promise<Identities> {
    const { vaultKey, preferences, agentSocket } = this.#options
    const keys: Identity[] = []
    const skipped: string[] = []
    const answer = await vaultKey.privateKey()
    if (answer.kind === 'found') keys.push({ name: 'Slipway’s key', privateKey: answer.value })
    else if (answer.kind !== 'absent') skipped.push(`Slipway’s key (${troubleWords[answer.kind]})`)
    const { identityFile } = preferences.value
    if (identityFile !== null) {
      const file = await readIdentityFile(identityFile)
      if (file.kind === 'usable') keys.push({ name: identityFile, privateKey: file.privateKey })
      else skipped.push(`${identityFile} (${file.why})`)
    }
    return { keys, agentSocket, skipped }
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
    const { vaultKey, preferences, account, agentSocket } = this.#options
    const key = vaultKey.publicKey()
    const user = account.value.kind === 'connected' ? account.value.user : null
    return {
      vaultKey: key,
      vaultKeyTrouble: this.#trouble,
      identityFile: preferences.value.identityFile,
      agent: agentSocket === null ? 'absent' : 'available',
      onAccount: user === null || key === null ? null : holdsPublicKey(user.ssh_key, key.line),
    }
  }
}

const troubleWords = {
  missing: 'it is gone from the keychain',
  locked: 'the keychain is locked',
  unavailable: 'the keychain cannot be reached',
} as const
