import type { Client, SFTPWrapper } from 'ssh2'
import type { Clock } from '../../domain/clock.ts'
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

/** The server left all that it was asked without an answer, for longer than anybody waits. */
export class ServerSilent extends ChannelEnded {
  constructor() {
    super()
    this.name = 'ServerSilent'
  }
}

/** How long a server that was asked something may say nothing at all. */
export interface Patience {
  readonly clock: Clock
  readonly ms: number
}

/** For what may take a server as long as its disk does: so many times the patience. */
export const asLongAsDisksTake = 8

/** So often it is looked whether answers come; counted, because a computer that slept was not waiting. */
const checks = 4

/** An SFTP channel whose calls are promises, and always come to an end: at the latest with the channel. */
export class SftpCalls {
  readonly #sftp: SFTPWrapper
  readonly #patience: Patience
  /** What waits for an answer, and how many times the patience it may take. */
  readonly #pending = new Map<(error: Error) => void, number>()
  readonly #end = new AbortController()
  #isWatched = false
  #checksWithoutAnswer = 0

  /** @throws whatever ssh2 says when the server has no SFTP, or refuses */
  static async open(client: Client, patience: Patience): Promise<SftpCalls> {
    return new SftpCalls(await openWideSftp(client), patience)
  }

  private constructor(sftp: SFTPWrapper, patience: Patience) {
    this.#sftp = sftp
    this.#patience = patience
    // ssh2 keeps what is asked after the end, and never answers it.
    for (const event of ['end', 'close', 'error']) sftp.on(event, () => this.#giveUp(new ChannelEnded()))
  }

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
        this.#checksWithoutAnswer = 0
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
    this.#checksWithoutAnswer = 0
    void this.#untilAnswered().then((isAnswered) => {
      this.#isWatched = false
      if (!isAnswered) this.#giveUp(new ServerSilent())
    })
  }

  async #untilAnswered(): Promise<boolean> {
    const { clock, ms } = this.#patience
    while (this.#pending.size > 0) {
      // Cut short by the end of the channel, which leaves nothing that waits.
      await clock.sleep(ms / checks, this.#end.signal).catch(() => undefined)
      this.#checksWithoutAnswer += 1
      if (this.#checksWithoutAnswer > checks * Math.max(1, ...this.#pending.values()))
        return this.#pending.size === 0
    }
    return true
  }
}

/** The server's status, or `null` when it is not the server that says no. */
export function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null
}
