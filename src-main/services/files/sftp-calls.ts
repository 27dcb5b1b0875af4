import type { Client, SFTPWrapper } from 'ssh2'
import { openWideSftp } from '../ssh/protocol/channel-window.ts'
import { orAborted } from '../ssh/deadline.ts'
import { doneFrom, handleFrom, type ReadAnswer } from './remote-answers.ts'
import { StallDetector, type Patience } from './stall-detector.ts'

/** SSH_FX_* of draft-ietf-secsh-filexfer-02 section 7, as ssh2 numbers its errors. */
export const statusCodes = {
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  unsupported: 8,
} as const

export type Callback = (error: Error | null | undefined, answer?: unknown) => void

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

/** Starts the one call of a request: gets the channel and the callback. */
export type StartCall = (sftp: SFTPWrapper, done: Callback) => void

/** Calls of an SFTP channel as promises, which always come to an end: at the latest with the channel. */
export interface Calls {
  /**
   * @param read takes the answer for what it should be
   * @param patience how many times the usual the server may take
   * @throws ChannelEnded, OddAnswer, or what the server says
   */
  readonly call: <T>(start: StartCall, read: ReadAnswer<T>, patience?: number) => Promise<T>
  /** Calls what opens a file or folder, which is closed at the latest with these calls. @throws as `call` */
  readonly open: (start: StartCall) => Promise<Buffer>
  /** Closes what `open` gave, once: the server may give its handle to another file then. @throws as `call` */
  readonly closeHandle: (handle: Buffer) => Promise<void>
}

/** For calls of an extension that the server may lack; `null` when it does. @throws as `Calls.call` */
export async function callExtension<T>(
  calls: Pick<Calls, 'call'>,
  start: StartCall,
  read: ReadAnswer<T>,
  patience = 1,
): Promise<T | null> {
  try {
    return await calls.call(start, read, patience)
  } catch (error) {
    // ssh2 throws this one itself.
    if (error instanceof Error && /does not support this extended request/i.test(error.message)) return null
    if (statusOf(error) === statusCodes.unsupported) return null
    throw error
  }
}

/** An SFTP channel, for all who share it. */
export class SftpCalls implements Pick<Calls, 'call'> {
  readonly #sftp: SFTPWrapper
  readonly #stall: StallDetector
  /** What waits for an answer, and how many times the patience it may take. */
  readonly #pending = new Map<(error: Error) => void, number>()
  readonly #end = new AbortController()
  readonly #closed = Promise.withResolvers<undefined>()
  #isWatched = false

  /** @throws whatever ssh2 says when the server has no SFTP, or refuses */
  static async open(client: Client, patience: Patience): Promise<SftpCalls> {
    return new SftpCalls(await openWideSftp(client), patience)
  }

  private constructor(sftp: SFTPWrapper, patience: Patience) {
    this.#sftp = sftp
    this.#stall = new StallDetector(patience)
    // ssh2 keeps what is asked after the end, and never answers it.
    for (const event of ['end', 'close', 'error']) sftp.on(event, () => this.#giveUp(new ChannelEnded()))
    sftp.on('close', () => this.#closed.resolve(undefined))
  }

  /** Aborted when the channel has ended: every further call fails. */
  get ended(): AbortSignal {
    return this.#end.signal
  }

  call<T>(start: StartCall, read: ReadAnswer<T>, patience = 1): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.ended.aborted) return reject(this.ended.reason)
      this.#pending.set(reject, patience)
      this.#watch()
      const done: Callback = (error, answer) => {
        this.#stall.end()
        this.#pending.delete(reject)
        // As ssh2 answers for a server that is gone, before it says so.
        if (error) return reject(error.message === 'No response from server' ? new ChannelEnded() : error)
        try {
          resolve(read(answer))
        } catch (odd) {
          reject(odd)
        }
      }
      try {
        start(this.#sftp, done)
      } catch (error) {
        this.#pending.delete(reject)
        throw error
      }
    })
  }

  /**
   * Ends the channel, and whatever still waits for an answer, which a dead link would never give. Resolves when the
   * server has closed it, too: its file server is gone then.
   */
  close(): Promise<void> {
    this.#sftp.end()
    this.#giveUp(new ChannelEnded())
    return this.#closed.promise
  }

  #giveUp(why: ChannelEnded): void {
    if (this.ended.aborted) return
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
    void this.#stall.isTooLong(waitsFor, this.ended).then((isTooLong) => {
      this.#isWatched = false
      if (isTooLong) this.#giveUp(new ServerSilent())
      // Asked after the last look.
      else if (this.#pending.size > 0) this.#watch()
    })
  }
}

/** The calls of one who shares a channel: they end with their part, and the channel goes on. */
export class CallsOfOne implements Calls {
  readonly #calls: SftpCalls
  readonly #patience: number
  readonly #end = new AbortController()
  readonly #handles = new Set<Buffer>()

  /** @param patience how many times the channel's the server may take */
  constructor(calls: SftpCalls, patience: number) {
    this.#calls = calls
    this.#patience = patience
  }

  call<T>(start: StartCall, read: ReadAnswer<T>, patience = 1): Promise<T> {
    const { signal } = this.#end
    if (signal.aborted) return Promise.reject(new ChannelEnded())
    return orAborted(this.#calls.call(start, read, patience * this.#patience), signal)
  }

  open(start: StartCall): Promise<Buffer> {
    // Read also when the answer comes after the end.
    return this.call(start, (answer) => {
      const handle = handleFrom(answer)
      if (this.#end.signal.aborted) this.#leave(handle)
      else this.#handles.add(handle)
      return handle
    })
  }

  async closeHandle(handle: Buffer): Promise<void> {
    this.#end.signal.throwIfAborted()
    if (this.#handles.delete(handle)) await this.call((sftp, done) => sftp.close(handle, done), doneFrom)
  }

  /** Ends what still waits for an answer, and closes what is open: the channel, which would end it, goes on. */
  close(): void {
    this.#end.abort(new ChannelEnded())
    for (const handle of this.#handles) this.#leave(handle)
    this.#handles.clear()
  }

  #leave(handle: Buffer): void {
    void this.#calls
      .call((sftp, done) => sftp.close(handle, done), doneFrom, this.#patience)
      .catch(() => undefined) // nobody is left to tell
  }
}

/** The server's status, or `null` when it is not the server that says no. */
export function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null
}
