import { z } from 'zod'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { bestEffort } from '../keychain/best-effort.ts'
import type { Keychain } from '../keychain/keychain.ts'
import type { IndexEntries, IndexEntry } from '../vault-index.ts'

const sessionEntry = z.object({ sessionKey: z.string() })

/** A session that a 2FA login opened, with its key. */
export interface KeptSession {
  readonly key: string
  readonly isAdmin: boolean
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly keptIn: 'keychain' | 'memory'
}

type SessionListing = Extract<IndexEntry, { kind: 'session-key' }>

interface SessionKeysOptions {
  readonly keychain: Pick<Keychain, 'read' | 'write' | 'remove' | 'state'>
  readonly index: IndexEntries
}

/** The session of each account, beside its API key and never over it. Losing one costs a login, no more. */
export class SessionKeys {
  readonly #options: SessionKeysOptions
  readonly #inMemory = new Map<string, KeptSession>()
  readonly #queue = new SerialQueue()
  /**
   * Accounts of which a session has ended while the keychain was closed, so that its key is still in there. It is used no
   * more, and goes when the keychain opens.
   */
  readonly left: Latest<readonly string[]>

  constructor(options: SessionKeysOptions) {
    this.#options = options
    this.left = new Latest(this.#ended())
  }

  /** `null` when there is none, or none that can be read now. */
  async read(keyId: string): Promise<KeptSession | null> {
    const remembered = this.#inMemory.get(keyId)
    if (remembered !== undefined) return remembered
    const listed = this.#listed(keyId)
    if (listed === undefined || listed.isEnded) return null
    const answer = await this.#options.keychain.read(entryOf(keyId), sessionEntry)
    if (answer.kind !== 'found') return null
    return {
      key: answer.value.sessionKey,
      isAdmin: listed.isAdmin,
      since: listed.since,
      keptIn: 'keychain',
    }
  }

  /** In memory where the keychain does not take it: another login gives another one. The one before does not come back. */
  async keep(
    keyId: string,
    session: Omit<KeptSession, 'keptIn'>,
    keepIn: 'keychain' | 'memory',
  ): Promise<{ readonly keptIn: 'keychain' | 'memory' }> {
    return this.#turn(async () => {
      const isKept = keepIn === 'keychain' && (await this.#write(keyId, session))
      const keptIn = isKept ? 'keychain' : 'memory'
      if (keptIn === 'memory') this.#inMemory.set(keyId, { ...session, keptIn })
      else this.#inMemory.delete(keyId)
      if (keepIn === 'memory')
        await bestEffort(async () => {
          await this.#noteEnd(keyId)
          await this.#removeEnded()
        })
      return { keptIn }
    })
  }

  /**
   * Ends it: it is used no more from here on, also after a new start. A keychain that is closed has its key until it
   * opens ({@link SessionKeys.left}).
   *
   * @throws ProblemError storage-failed: it is there as before then
   */
  async forget(keyId: string): Promise<void> {
    await this.#turn(async () => {
      // Noted first: the keychain may be closed, or not answer before the program ends.
      await this.#noteEnd(keyId)
      this.#inMemory.delete(keyId)
      // It has ended all the same: what is still listed is in `left`, and goes when the keychain opens next.
      await bestEffort(() => this.#removeEnded())
    })
  }

  /** Removes what is left in the keychain whenever it opens. Ends when the signal is aborted. */
  async follow(signal: AbortSignal, log: Log): Promise<void> {
    for await (const { kind } of this.#options.keychain.state.watch(signal))
      if (kind === 'available')
        // Not waited for: with a keychain that hangs, the program's end would be.
        this.#turn(() => this.#removeEnded()).catch((error: unknown) => {
          log.error('A session that has ended is still in the keychain', error)
        })
  }

  async #noteEnd(keyId: string): Promise<void> {
    const listed = this.#listed(keyId)
    if (listed !== undefined) await this.#list(keyId, { ...listed, isEnded: true })
  }

  async #removeEnded(): Promise<void> {
    for (const keyId of this.#ended()) {
      const answer = await this.#options.keychain.remove(entryOf(keyId))
      if (answer.kind !== 'removed') return
      await this.#list(keyId, undefined)
    }
  }

  async #write(keyId: string, { key, isAdmin, since }: Omit<KeptSession, 'keptIn'>): Promise<boolean> {
    const before = this.#listed(keyId)
    const listing = { kind: 'session-key', keyId, isAdmin, since } as const
    try {
      // Listed first: a key that no list names would stay behind unseen. It counts once it is there.
      await this.#list(keyId, { ...listing, isEnded: true })
      const answer = await this.#options.keychain.write(entryOf(keyId), { sessionKey: key })
      if (answer.kind === 'written') await this.#list(keyId, { ...listing, isEnded: false })
      // One that did not answer in time may take it later. The one before has ended, and is still in there.
      else if (answer.kind !== 'unavailable' && before === undefined) await this.#list(keyId, undefined)
      return answer.kind === 'written'
    } catch (error) {
      // The answer says that it is in memory only.
      if (error instanceof ProblemError) return false
      throw error
    }
  }

  #ended(): readonly string[] {
    return this.#listings()
      .filter(({ isEnded }) => isEnded)
      .map(({ keyId }) => keyId)
  }

  #listed(keyId: string): SessionListing | undefined {
    return this.#listings().find((entry) => entry.keyId === keyId)
  }

  #listings(): readonly SessionListing[] {
    return this.#options.index.all.filter((entry) => entry.kind === 'session-key')
  }

  /** In place of what is listed of the account. */
  async #list(keyId: string, listing: SessionListing | undefined): Promise<void> {
    await this.#options.index.change((entries) => [
      ...entries.filter((entry) => !(entry.kind === 'session-key' && entry.keyId === keyId)),
      ...(listing === undefined ? [] : [listing]),
    ])
  }

  async #turn<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.take(task)
    } finally {
      this.#tell()
    }
  }

  #tell(): void {
    const ended = this.#ended()
    if (ended.join() !== this.left.value.join()) this.left.set(ended)
  }
}

/** Its name in the keychain. */
export function entryOf(keyId: string): string {
  return `session/${keyId}`
}
