import type { Client, SFTPWrapper } from 'ssh2'
import { openWideSftp } from '../channel-window.ts'

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

/** An SFTP channel whose calls are promises, and always come to an end: at the latest with the channel. */
export class SftpCalls {
  readonly #sftp: SFTPWrapper
  readonly #pending = new Set<(error: Error) => void>()
  #isOver = false

  /** @throws whatever ssh2 says when the server has no SFTP, or refuses */
  static async open(client: Client): Promise<SftpCalls> {
    return new SftpCalls(await openWideSftp(client))
  }

  private constructor(sftp: SFTPWrapper) {
    this.#sftp = sftp
    // ssh2 keeps what is asked after the end, and never answers it.
    for (const event of ['end', 'close', 'error']) sftp.on(event, () => this.#giveUp())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** `start` gets the channel and the callback of its one call. */
  call<T>(start: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(new ChannelEnded())
      this.#pending.add(reject)
      const done: Callback<T> = (error, value) => {
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
  async extension<T>(start: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T | null> {
    try {
      return await this.call(start)
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
    this.#giveUp()
  }

  #giveUp(): void {
    this.#isOver = true
    const waiting = [...this.#pending]
    this.#pending.clear()
    for (const reject of waiting) reject(new ChannelEnded())
  }
}

/** The server's status, or `null` when it is not the server that says no. */
export function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null
}
