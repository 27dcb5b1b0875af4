import type { Readable } from 'node:stream'
import type { Client, ClientChannel } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import { problemOfRefusedChannel, SshFailure } from '../failure.ts'
import { orAborted } from '../deadline.ts'
import { endCommand } from './end-command.ts'
import { markedCommand } from './end-processes.ts'

export interface ExecuteOptions {
  readonly client: Client
  readonly command: string
  /** What it reads; nothing where this is not told. A stream is read as fast as the command takes it, and ends with it. */
  readonly input?: string | Readable
  /** So much of its output is taken as fast as it comes; 0 where this is not told. */
  readonly unpacedBytes?: number
  /** For its environment, where the server takes it. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock: Clock
  /** Of this command alone, as {@link markedCommand} takes it. */
  readonly id: string
  /** Ends the command: politely at first. */
  readonly signal: AbortSignal
  /** Nothing more is read before what it returns has resolved; that never rejects. */
  readonly onOutput: (stream: 'out' | 'error', bytes: Uint8Array) => void | Promise<void>
}

/** How a command ended. */
export interface Exit {
  /** Both `null` when the channel ended and nobody said how. */
  readonly code: number | null
  readonly signal: string | null
  /** It was stopped and did not end: it may go on there. */
  readonly isLeft: boolean
}

/** A flood is read at this pace, and held back at its source: nobody reads faster. */
const paceMs = 100
const bytesPerPace = 1024 * 1024

/**
 * Runs a command by the user's login shell, without a terminal (RFC 4254 section 6.5).
 *
 * @throws SshFailure channel-refused, or the signal's reason before it has begun
 */
export async function execute(options: ExecuteOptions): Promise<Exit> {
  const { client, clock, id, signal, onOutput } = options
  const channel = await opened(options)
  const closed = Promise.withResolvers<boolean>()
  let exit: Exit = { code: null, signal: null, isLeft: false }
  // Not by the event `exit`: one that comes with the answer is told before anybody listens.
  channel.on('close', (code?: number | null, name?: string) => {
    if (code !== undefined) exit = { code, signal: name ?? null, isLeft: false }
    closed.resolve(code !== undefined)
  })
  // Told by the end of the connection.
  channel.on('error', () => closed.resolve(false))

  let pending = -(options.unpacedBytes ?? 0)
  let taken: Promise<unknown> = Promise.resolve()
  let waiting: Promise<unknown> | null = null
  const take = (stream: 'out' | 'error', bytes: Buffer): void => {
    const taking = onOutput(stream, bytes)
    if (taking !== undefined) taken = Promise.all([taken, taking])
    pending += bytes.length
    const isPaced = pending >= bytesPerPace
    if (!isPaced && taking === undefined) return
    if (isPaced) pending = Number.NEGATIVE_INFINITY
    // Both: they share the channel's window.
    channel.pause()
    channel.stderr.pause()
    const until = Promise.all([waiting, taken, isPaced ? clock.sleep(paceMs) : null]).then(() => {
      if (isPaced) pending = 0
      // The other stream may have brought something after this was paused.
      if (waiting !== until) return
      channel.resume()
      channel.stderr.resume()
    })
    waiting = until
  }
  channel.on('data', (bytes: Buffer) => take('out', bytes))
  channel.stderr.on('data', (bytes: Buffer) => take('error', bytes))
  const { input } = options
  if (typeof input === 'object') input.pipe(channel)
  else channel.end(input)

  let ending: Promise<unknown> = Promise.resolve()
  const stop = (): void => {
    ending = endCommand({ client, channel, id, clock }, closed.promise).then((hasEnded) => {
      if (!hasEnded) exit = { ...exit, isLeft: true }
      // A dead link closes nothing.
      closed.resolve(false)
    })
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await closed.promise
    await taken
    // It is said to be stopped when the rest of it is, too.
    await ending
    return exit
  } finally {
    signal.removeEventListener('abort', stop)
    if (typeof input === 'object') input.destroy()
  }
}

/** On a link that stalls a channel may never open, or long after nobody wants it any more. */
async function opened({
  client,
  command,
  env = {},
  id,
  clock,
  signal,
}: ExecuteOptions): Promise<ClientChannel> {
  const opening = openChannel(client, markedCommand(command, id), env)
  try {
    return await orAborted(opening, signal)
  } catch (error) {
    if (signal.aborted)
      void opening.then(
        (late) => {
          late.resume()
          late.stderr.resume()
          const closed = new Promise<boolean>((resolve) => late.on('close', () => resolve(false)))
          return endCommand({ client, channel: late, id, clock }, closed)
        },
        () => undefined, // it was not begun
      )
    throw error
  }
}

function openChannel(
  client: Client,
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(new SshFailure(problemOfRefusedChannel(error), { cause: error }))
    }
    try {
      client.exec(command, { env: { ...env } }, (error, channel) => {
        if (error) refuse(error)
        else resolve(channel)
      })
    } catch (error) {
      // ssh2 throws when the connection has just gone.
      refuse(error)
    }
  })
}
