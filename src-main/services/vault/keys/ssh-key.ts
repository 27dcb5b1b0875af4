import { z } from 'zod'
import { assertNever } from '../../../domain/base/assert-never.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import type { PublicKey } from '../../../domain/ssh/ssh-key.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import type { SecretAnswer } from './api-keys.ts'
import { closedProblem } from '../keychain/keychain-problem.ts'
import type { Keychain } from '../keychain/keychain.ts'
import type { IndexEntries, IndexEntry } from '../vault-index.ts'

export interface KeyPair {
  /** In OpenSSH's own format, without a passphrase. */
  readonly privateKey: string
  readonly publicKey: PublicKey
}

export interface SshKeyOptions {
  readonly keychain: Keychain
  readonly index: IndexEntries
  readonly clock: Clock
  readonly randomId: () => string
  readonly makeKeyPair: (comment: string) => KeyPair
}

const sshKeyEntry = z.object({ privateKey: z.string() })

/** The key pair that Slipway made for this machine. */
export class SshKey {
  readonly #options: SshKeyOptions
  readonly #queue = new SerialQueue()
  /** A pair that lasts for this run only, because there is no keychain. */
  #inMemory: KeyPair | null = null

  constructor(options: SshKeyOptions) {
    this.#options = options
  }

  /** The public part; the keychain is not asked. */
  publicKey(): PublicKey | null {
    return this.#inMemory?.publicKey ?? this.#newest()?.publicKey ?? null
  }

  /**
   * The key made before, or a new one. It is in the keychain, and was read back, before it is returned:
   * nobody is given a public key whose private part was lost. Without a keychain it lasts for this run. A key
   * that is missing from an open keychain is followed by a new one under a new name; its entry stays in the
   * index, since another keychain may still hold it.
   *
   * @throws ProblemError keychain-locked, storage-failed
   */
  create(comment: string): Promise<PublicKey> {
    return this.#queue.take(async () => {
      const known = this.#newest()
      if (known && this.#inMemory === null) {
        const answer = await this.#read(known.id)
        if (answer.kind !== 'missing') return known.publicKey
      }
      const pair = this.#inMemory ?? this.#options.makeKeyPair(comment)
      await this.#keep(pair)
      return pair.publicKey
    })
  }

  /** The private part, in OpenSSH's format. `absent`: none was made. */
  async privateKey(): Promise<SecretAnswer> {
    if (this.#inMemory) return { kind: 'found', value: this.#inMemory.privateKey }
    const known = this.#newest()
    return known ? this.#read(known.id) : { kind: 'absent' }
  }

  async #read(id: string): Promise<Exclude<SecretAnswer, { kind: 'absent' }> | { readonly kind: 'missing' }> {
    const answer = await this.#options.keychain.read(entryOf(id), sshKeyEntry)
    if (answer.kind === 'found') return { kind: 'found', value: answer.value.privateKey }
    return answer.kind === 'absent' ? { kind: 'missing' } : answer
  }

  async #keep(pair: KeyPair): Promise<void> {
    const { keychain, randomId } = this.#options
    const id = randomId()
    const answer = await keychain.write(entryOf(id), { privateKey: pair.privateKey })
    switch (answer.kind) {
      case 'written':
        await this.#list(id, pair.publicKey)
        this.#inMemory = null
        return
      case 'unavailable':
        this.#inMemory = pair
        return
      case 'locked':
        throw closedProblem(answer)
      case 'too-long':
        throw new Error('The private key is too long for the keychain')
      default:
        assertNever(answer)
    }
  }

  async #list(id: string, publicKey: PublicKey): Promise<void> {
    const { keychain, index, clock } = this.#options
    try {
      const since = clock.now()
      await index.change((entries) => [...entries, { kind: 'ssh-key', id, publicKey, since }])
    } catch (error) {
      // Nobody has been given the public part: the private one is of no use to anybody.
      await keychain.remove(entryOf(id))
      throw error
    }
  }

  #newest(): Extract<IndexEntry, { kind: 'ssh-key' }> | undefined {
    return this.#options.index.all.findLast((entry) => entry.kind === 'ssh-key')
  }
}

/** Its name in the keychain. */
export function entryOf(id: string): string {
  return `ssh/${id}`
}
