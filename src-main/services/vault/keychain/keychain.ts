import type { z } from 'zod'
import type { Clock } from '../../../domain/base/clock.ts'
import type { KeychainState } from '../../../domain/vault/keychain-state.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { type KeychainBackend, KeychainLocked } from './keychain-backend.ts'
import { parseJson } from '../../../domain/base/json-value.ts'

/** Why there is no answer. Never means that an entry is absent. */
export type Closed = Exclude<KeychainState, { readonly kind: 'available' }>

export type ReadAnswer<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** Not there, in a keychain that was seen to be open. */
  | { readonly kind: 'absent' }
  | Closed

/** `too-long`: over what one entry may take; nothing was written. */
export type WriteAnswer = { readonly kind: 'written' } | { readonly kind: 'too-long' } | Closed
export type RemoveAnswer = { readonly kind: 'removed' } | Closed

/**
 * Entries of the operating system's keychain, with answers that can be relied on. Nothing here throws or
 * waits for ever.
 */
export interface Keychain {
  /** As the last answer showed it. `unavailable` before the first: call {@link Keychain.check}. */
  readonly state: Latest<KeychainState>
  readonly check: () => Promise<KeychainState>
  /** An entry that is there but cannot be understood is `unavailable`: it is neither absent nor to be replaced. */
  readonly read: <T>(account: string, schema: z.ZodType<T>) => Promise<ReadAnswer<T>>
  /** Written, read back and found the same. After `unavailable` it may still arrive late. */
  readonly write: (account: string, value: unknown) => Promise<WriteAnswer>
  /** Also when it was not there: afterwards it is not. */
  readonly remove: (account: string) => Promise<RemoveAnswer>
}

export interface KeychainOptions {
  readonly backend: KeychainBackend
  readonly clock: Clock
  /** How long an answer may take; the system may be asking its user for a password meanwhile. */
  readonly deadlineMs: number
}

/** A probe that is written and deleted again: the only thing that tells an empty keychain from a closed one. */
const canary = { account: 'canary', value: 'v1.canary' } as const

export function createKeychain({ backend, clock, deadlineMs }: KeychainOptions): Keychain {
  const state = new Latest<KeychainState>(unavailable('The keychain hasn’t been checked yet.'))
  // One at a time for all entries, not only for each: a call that hangs holds a thread of Node's small pool,
  // and four of them would stop every file operation of the program.
  const queue = new SerialQueue()

  const note = (next: KeychainState): void => {
    if (JSON.stringify(next) !== JSON.stringify(state.value)) state.set(next)
  }

  /** `work` answers, which shows that the keychain is available, or throws. */
  async function ask<T>(work: () => Promise<T>): Promise<T | Closed> {
    const answered = new AbortController()
    let late = false
    const answer = queue.take(async (): Promise<T | Closed> => {
      // Nobody waits for it any more, and a write must not come out of the blue.
      if (late) return unavailable(slow(deadlineMs))
      try {
        const result = await work()
        note({ kind: 'available' })
        return result
      } catch (error) {
        const closed = closedBy(error)
        note(closed)
        return closed
      } finally {
        answered.abort()
      }
    })
    const deadline = clock.sleep(deadlineMs, answered.signal).then(
      () => {
        late = true
        const closed = unavailable(slow(deadlineMs))
        note(closed)
        return closed
      },
      () => answer,
    )
    return Promise.race([answer, deadline])
  }

  /** What `look` returns is true of an open keychain: it was open before and after. */
  async function whileOpen<T>(look: () => Promise<T>): Promise<T> {
    await backend.set(canary.account, canary.value)
    const seen = await look()
    if ((await backend.get(canary.account)) !== canary.value) {
      // Throws KeychainLocked if it was closed in between.
      await backend.set(canary.account, canary.value)
      throw new Error('The keychain doesn’t store what is put into it.')
    }
    await backend.delete(canary.account)
    return seen
  }

  return {
    state,

    check: async () => {
      await ask(() => whileOpen(() => Promise.resolve()))
      return state.value
    },

    read: (account, schema) =>
      ask(async () => {
        const text = (await backend.get(account)) ?? (await whileOpen(() => backend.get(account)))
        if (text === null) return { kind: 'absent' }
        const decoded = decodeEntry(text, schema)
        if (decoded === null) return unavailable(`Slipway doesn’t know the format of the entry ${account}.`)
        return { kind: 'found', value: decoded.value }
      }),

    write: async (account, value) => {
      const text = encodeEntry(value)
      if (text === null) return { kind: 'too-long' }
      return ask(async () => {
        await backend.set(account, text)
        const kept = (await backend.get(account)) ?? (await whileOpen(() => backend.get(account)))
        if (kept !== text) throw new Error('The keychain gave back something else than was put into it.')
        return { kind: 'written' }
      })
    },

    remove: (account) =>
      ask(async () => {
        await backend.delete(account)
        if ((await whileOpen(() => backend.get(account))) !== null)
          throw new Error('The keychain did not remove the entry.')
        return { kind: 'removed' }
      }),
  }
}

function unavailable(detail: string): Extract<KeychainState, { kind: 'unavailable' }> {
  return { kind: 'unavailable', detail }
}

function slow(deadlineMs: number): string {
  return `The keychain didn’t answer within ${deadlineMs / 1000} s. It may be waiting for its password.`
}

function closedBy(error: unknown): Closed {
  if (error instanceof KeychainLocked) return { kind: 'locked', detail: error.message }
  return unavailable(error instanceof Error ? error.message : String(error))
}

/**
 * What one entry may take, in bytes: Windows keeps 2,560, and one limit for all systems keeps a vault portable.
 */
export const largestValueBytes = 2400

const prefix = 'v1.'

/**
 * A value as it is kept: `v1.` and base64url of JSON, so that it is plain ASCII without NUL (values are cut
 * there) or line breaks (they can corrupt a keyring without a password). `null` when it would be too long.
 */
export function encodeEntry(value: unknown): string | null {
  const text = prefix + Buffer.from(JSON.stringify(value)).toString('base64url')
  return text.length > largestValueBytes ? null : text
}

/** The other way round; `null` for what this version did not write, or what does not fit the schema. */
export function decodeEntry<T>(text: string, schema: z.ZodType<T>): { readonly value: T } | null {
  if (!text.startsWith(prefix)) return null
  const parsed = schema.safeParse(parseJson(Buffer.from(text.slice(prefix.length), 'base64url').toString()))
  return parsed.success ? { value: parsed.data } : null
}
