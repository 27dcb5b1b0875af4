import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../domain/base/clock.ts'
import { closedProblem, writeProblem } from '../keychain/keychain-problem.ts'
import type { Keychain } from '../keychain/keychain.ts'
import type { IndexEntries } from '../vault-index.ts'

const passphraseEntry = z.object({ passphrase: z.string() })

/** Passphrases of private key files, kept only when the user asks for it, by the path of the file. */
export class Passphrases {
  readonly #keychain: Keychain
  readonly #index: IndexEntries
  readonly #clock: Clock

  constructor({ keychain, index, clock }: { keychain: Keychain; index: IndexEntries; clock: Clock }) {
    this.#keychain = keychain
    this.#index = index
    this.#clock = clock
  }

  /** Paths of the files whose passphrases are kept. */
  get paths(): readonly string[] {
    return this.#index.all.flatMap((entry) => (entry.kind === 'passphrase' ? [entry.path] : []))
  }

  /** `null` also while the keychain is closed: the user can be asked instead, and nothing is replaced by that. */
  async read(path: string): Promise<string | null> {
    if (!this.paths.includes(path)) return null
    const answer = await this.#keychain.read(entryOf(path), passphraseEntry)
    return answer.kind === 'found' ? answer.value.passphrase : null
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable, invalid-input (too long), storage-failed */
  async keep(path: string, passphrase: string): Promise<void> {
    const answer = await this.#keychain.write(entryOf(path), { passphrase })
    if (answer.kind !== 'written') throw writeProblem(answer, 'passphrase')
    if (this.paths.includes(path)) return
    try {
      const since = this.#clock.now()
      await this.#index.change((entries) => [...entries, { kind: 'passphrase', path, since }])
    } catch (error) {
      // A secret that no list names would stay behind unseen.
      await this.#keychain.remove(entryOf(path))
      throw error
    }
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable: it is still there then; storage-failed */
  async forget(path: string): Promise<void> {
    if (!this.paths.includes(path)) return
    const answer = await this.#keychain.remove(entryOf(path))
    if (answer.kind !== 'removed') throw closedProblem(answer)
    await this.#index.change((entries) =>
      entries.filter((entry) => !(entry.kind === 'passphrase' && entry.path === path)),
    )
  }
}

/** Its name in the keychain; a path may be longer than one may be. */
export function entryOf(path: string): string {
  return `passphrase/${createHash('sha256').update(path).digest('base64url')}`
}
