import type { Client, SFTPWrapper } from 'ssh2'
import { openWideSftp } from '../channel-window.ts'
import { Silence, type Patience } from './silence.ts'

/** SSH_FX_* of draft-ietf-secsh-filexfer-02 section 7, as ssh2 numbers its errors. */
export const statusCodes = {
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  unsupported: 8,
} as const

type Callback<T> = (error: Error | null | undefined, value: T) => void

/** The channel is gone: what was asked may have been done. */
export class ChannelEnded extends Error {
  constructor() {
    super('The SFTP channel has ended')
    this.name = 'ChannelEnded'
  }
}

/** The server left all that it was asked without an answer, for longer than anybody waits. */
export class ServerSilent extends ChannelEnded {
  constructor() {
    super()
    this.name = 'ServerSilent'
  }
}

/** For what may take a server as long as its disk does: so many times the patience. */
export const asLongAsDisksTake = 8

/** An SFTP channel whose calls are promises, and always come to an end: at the latest with the channel. */
export class SftpCalls {
  readonly #sftp: SFTPWrapper
  readonly #silence: Silence
  /** What waits for an answer, and how many times the patience it may take. */
  readonly #pending = new Map<(error: Error) => void, number>()
  readonly #end = new AbortController()
  #isWatched = false

  /** @throws whatever ssh2 says when the server has no SFTP, or refuses */
  static async open(client: Client, patience: Patience): Promise<SftpCalls> {
    return new SftpCalls(await openWideSftp(client), patience)
  }

  private constructor(sftp: SFTPWrapper, patience: Patience) {
    this.#sftp = sftp
    this.#silence = new Silence(patience)
    // ssh2 keeps what is asked after the end, and never answers it.
    for (const event of ['end', 'close', 'error']) sftp.on(event, () => this.#giveUp(new ChannelEnded()))
  }

  /** Whether the channel has ended: every further call fails. */
  get isOver(): boolean {
    return this.#end.signal.aborted
  }

  /** `start` gets the channel and the callback of its one call. */
  call<T>(start: (sftp: SFTPWrapper, done: Callback<T>) => void, patience = 1): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(this.#end.signal.reason)
      this.#pending.set(reject, patience)
      this.#watch()
      const done: Callback<T> = (error, value) => {
        this.#silence.end()
        this.#pending.delete(reject)
        if (!error) resolve(value)
        // As ssh2 answers for a server that is gone, before it says so.
        else reject(error.message === 'No response from server' ? new ChannelEnded() : error)
      }
      try {
        start(this.#sftp, done)
      } catch (error) {
        this.#pending.delete(reject)
        throw error
      }
    })
  }

  /** For calls of an extension that the server may lack; `null` when it does. */
  async extension<T>(start: (sftp: SFTPWrapper, done: Callback<T>) => void, patience = 1): Promise<T | null> {
    try {
      return await this.call(start, patience)
    } catch (error) {
      // ssh2 throws this one itself.
      if (error instanceof Error && /does not support this extended request/i.test(error.message)) return null
      if (statusOf(error) === statusCodes.unsupported) return null
      throw error
    }
  }

  /** Ends the channel, and whatever still waits for an answer, which a dead link would never give. */
  close(): void {
    this.#sftp.end()
    this.#giveUp(new ChannelEnded())
  }

  #giveUp(why: ChannelEnded): void {
    if (this.isOver) return
    this.#end.abort(why)
    const waiting = [...this.#pending.keys()]
    this.#pending.clear()
    for (const reject of waiting) reject(why)
  }

  /** One watch for all calls: an answer to any of them is a sign of life. */
  #watch(): void {
    if (this.#isWatched) return
    this.#isWatched = true
    const waitsFor = (): number | null =>
      this.#pending.size === 0 ? null : Math.max(1, ...this.#pending.values())
    void this.#silence.isTooLong(waitsFor, this.#end.signal).then((isTooLong) => {
      this.#isWatched = false
      if (isTooLong) this.#giveUp(new ServerSilent())
      // Asked after the last look.
      else if (this.#pending.size > 0) this.#watch()
    })
  }
}

/** The server's status, or `null` when it is not the server that says no. */
export function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null
}
