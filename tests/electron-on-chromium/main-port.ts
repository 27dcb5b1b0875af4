import { EventEmitter } from 'node:events'
import type { MessagePortMain } from 'electron'

/** Where a port's messages go. */
interface FarEnd {
  readonly post: (value: unknown) => void
  readonly close: () => void
}

/**
 * Electron's MessagePortMain: what arrives waits for `start`, `close` is told when the other side has ended it,
 * and what is posted after the end is dropped.
 */
export class MainPort
  extends EventEmitter
  implements Pick<MessagePortMain, 'postMessage' | 'start' | 'close'>
{
  readonly #farEnd: FarEnd
  #waiting: unknown[] | null = []
  #isClosed = false

  constructor(farEnd: FarEnd) {
    super()
    this.#farEnd = farEnd
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0) throw new TypeError('This double carries no ports inside of messages.')
    if (!this.#isClosed) this.#farEnd.post(message)
  }

  start(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const value of waiting) this.receive(value)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#farEnd.close()
  }

  /** Called by the link: the other side has posted. */
  receive(value: unknown): void {
    if (this.#isClosed) return
    if (this.#waiting) this.#waiting.push(value)
    else this.emit('message', { data: value, ports: [] })
  }

  /** Called by the link: the other side is gone. */
  end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.emit('close')
  }
}
