import type { KeyFault } from '../../../domain/base/key-fault.ts'
import type { Log } from '../../../domain/base/log.ts'
import type { KeyQuestion, PassphraseAnswer } from '../../../domain/ssh/ssh-passphrase.ts'
import { fingerprintOf } from '../protocol/public-key.ts'
import { unlock, type Unlocked } from './unlock.ts'

/** Asks the user for a key's passphrase; `null` when it is not to be used. */
export type AskPassphrase = (question: KeyQuestion, signal: AbortSignal) => Promise<PassphraseAnswer | null>

/** Where passphrases are kept, by the path of their key. */
export interface PassphraseStore {
  readonly read: (path: string) => Promise<string | null>
  /** @throws ProblemError keychain-locked, keychain-unavailable, storage-failed */
  readonly keep: (path: string, passphrase: string) => Promise<void>
  readonly forget: (path: string) => Promise<void>
}

export interface LockedKey {
  /** As the user knows it. */
  readonly path: string
  readonly text: string
  readonly publicKey: Buffer | null
}

/** What a locked key came to. */
export type Opened =
  | { readonly kind: 'open'; readonly privateKey: string }
  | { readonly kind: 'unusable'; readonly why: KeyFault }

/** Keys that were opened with their passphrases; open they stay in memory until Slipway quits. */
export class LockedKeys {
  readonly #store: PassphraseStore
  readonly #log: Log
  /** Told every passphrase, so that none gets into the log. */
  readonly #remember: (secret: string) => void
  /** By the text of the file: another key in its place is asked about anew. */
  readonly #opened = new Map<string, string>()
  readonly #asking = new Set<{ readonly text: string; readonly isOpen: AbortController }>()

  constructor(options: {
    readonly store: PassphraseStore
    readonly log: Log
    readonly remember: (secret: string) => void
  }) {
    this.#store = options.store
    this.#log = options.log
    this.#remember = options.remember
  }

  /** Whether a login needs no passphrase for it any more. @param text of the file */
  isOpen(text: string): boolean {
    return this.#opened.has(text)
  }

  /** Closes what was opened with this file. */
  close(text: string): void {
    this.#opened.delete(text)
  }

  /** Opens a key with the passphrase that is kept for it, or by asking; once for all who want it meanwhile. */
  async open(key: LockedKey, ask: AskPassphrase): Promise<Opened> {
    const before = this.#opened.get(key.text)
    if (before !== undefined) return { kind: 'open', privateKey: before }
    let trouble: KeyQuestion['trouble'] = null
    let attempt = 0
    const kept = await this.#store.read(key.path)
    if (kept !== null) {
      const tried = await this.#try(key, kept)
      if (tried.kind !== 'locked') return tried
      trouble = 'kept-is-wrong'
    }
    for (;;) {
      attempt += 1
      const answer = await this.#ask(key, { attempt, trouble }, ask)
      if (answer === null) return { kind: 'unusable', why: { code: 'locked' } }
      if (answer === 'opened-elsewhere') return this.open(key, ask)
      const tried = await this.#try(key, answer.passphrase)
      if (tried.kind === 'open' && answer.remember) await this.#keep(key.path, answer.passphrase)
      if (tried.kind !== 'locked') return tried
      trouble = 'wrong'
    }
  }

  async #ask(
    { path, text, publicKey }: LockedKey,
    again: Pick<KeyQuestion, 'attempt' | 'trouble'>,
    ask: AskPassphrase,
  ): Promise<PassphraseAnswer | 'opened-elsewhere' | null> {
    const asking = { text, isOpen: new AbortController() }
    this.#asking.add(asking)
    try {
      const fingerprint = publicKey === null ? null : fingerprintOf(publicKey)
      const answer = await ask({ path, fingerprint, ...again }, asking.isOpen.signal)
      return asking.isOpen.signal.aborted ? 'opened-elsewhere' : answer
    } finally {
      this.#asking.delete(asking)
    }
  }

  async #try({ text }: LockedKey, passphrase: string): Promise<Unlocked> {
    this.#remember(passphrase)
    const tried = await unlock(text, passphrase)
    if (tried.kind === 'open') {
      this.#opened.set(text, tried.privateKey)
      for (const { text: asked, isOpen } of this.#asking) if (asked === text) isOpen.abort()
    }
    return tried
  }

  /** The login goes on all the same: it will be asked for again, that is all. */
  async #keep(path: string, passphrase: string): Promise<void> {
    try {
      await this.#store.keep(path, passphrase)
    } catch (error) {
      this.#log.error('A passphrase could not be kept', error)
    }
  }
}
