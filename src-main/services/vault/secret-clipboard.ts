import { createHash } from 'node:crypto'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'

/** The system's clipboard. */
export interface Clipboard {
  /** Kept out of the clipboard's history where the system can do that. */
  readonly writeSecret: (text: string) => Promise<void>
  readonly read: () => Promise<string>
  readonly clear: () => void
}

export interface SecretClipboardOptions {
  readonly clipboard: Clipboard
  readonly clock: Clock
  readonly log: Log
}

const clearAfterMs = 30_000
/** It is another program's to answer, which may hang; the end of Slipway does not wait for that. */
const readMs = 1_000

/** Puts secrets into the clipboard and takes them out again, unless something else is in it by then. */
export class SecretClipboard {
  readonly #options: SecretClipboardOptions
  /** Of what was put there: enough to know it again, and no copy of it. */
  #held: { readonly digest: string; readonly timer: AbortController } | null = null
  /** Of what was taken out: it may be in there still. */
  #cleared: string | null = null
  /** When it will be cleared, ms since the epoch; `null` when nothing of the vault is in it. */
  readonly clearsAtMs = new Latest<number | null>(null)

  constructor(options: SecretClipboardOptions) {
    this.#options = options
  }

  async copy(text: string): Promise<{ readonly clearsAtMs: number }> {
    const { clipboard, clock } = this.#options
    await clipboard.writeSecret(text)
    this.#held?.timer.abort()
    const timer = new AbortController()
    this.#held = { digest: digestOf(text), timer }
    this.#cleared = null
    const clearsAtMs = clock.now() + clearAfterMs
    this.clearsAtMs.set(clearsAtMs)
    clock.sleep(clearAfterMs, timer.signal).then(
      () => this.clear(),
      () => undefined, // something else was copied, or it was cleared before
    )
    return { clearsAtMs }
  }

  /** Now, if it still holds what was put there. Never throws: the program may be ending. */
  async clear(): Promise<void> {
    const held = this.#held
    if (held === null) return
    this.#held = null
    held.timer.abort()
    this.clearsAtMs.set(null)
    this.#cleared = held.digest
    await this.#takeOut(held.digest)
  }

  /**
   * To be called when the window gets the keyboard. On Wayland only who has it may change the clipboard and is told what
   * is in it, so what was taken out at another time may be in there still: it is looked for again. Never throws.
   */
  async focused(): Promise<void> {
    const digest = this.#cleared
    if (digest !== null && (await this.#takeOut(digest)) && this.#cleared === digest) this.#cleared = null
  }

  /** Whether the clipboard has answered. */
  async #takeOut(digest: string): Promise<boolean> {
    const { clipboard, clock, log } = this.#options
    const late = new AbortController()
    const silence = clock.sleep(readMs, late.signal).then(
      () => null,
      () => null, // it has answered
    )
    try {
      const text = await Promise.race([clipboard.read(), silence])
      if (text === null) log.warn(`The clipboard did not answer within ${readMs} ms, so it was not cleared`)
      else if (digestOf(text) === digest) clipboard.clear()
      return text !== null
    } catch (error) {
      log.error('The clipboard could not be cleared', error)
      return false
    } finally {
      late.abort()
    }
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
