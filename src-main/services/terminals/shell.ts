import type { PseudoTtyOptions } from 'ssh2'
import type { Clock } from '../../domain/base/clock.ts'
import type { ShellWish } from '../../domain/terminals/shell-wish.ts'
import { openGrantedShell, type GrantedShell } from '../ssh/protocol/channel-window.ts'
import type { ConnectionLease } from '../ssh/connection/connections.ts'
import { within } from '../ssh/deadline.ts'
import { problemOfRefusedChannel, SshFailure } from '../ssh/failure.ts'
import { OutputBatches } from './output-batches.ts'
import { windowOverrunBytes } from '../ssh/protocol/limits.ts'
import { measureRoundTrip } from '../ssh/protocol/round-trip.ts'
import { FlowControl } from './flow-control.ts'
import { shellCommand } from './shell-command.ts'

/** For an ssh2 whose windows cannot be reached: pause above, go on below (bytes the screen has not taken). */
const watermarks = { pauseAbove: 500 * 1024, resumeBelow: 100 * 1024 } as const

const openingDeadlineMs = 20_000

export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

/** How a shell ended: with a code, or by a signal (RFC 4254 section 6.10). */
export interface ShellExit {
  readonly code: number | null
  readonly signal: string | null
}

export interface Shell {
  readonly write: (data: string) => void
  readonly resize: (size: TerminalSize) => void
  /** The screen has taken so many bytes of this shell's output, in all. */
  readonly take: (total: number) => void
  /** Bytes of output given to `post` so far. */
  readonly posted: () => number
  /** Resolves when the channel is closed and all its output was posted; `null` when no exit was told. */
  readonly ended: Promise<ShellExit | null>
}

export interface ShellOptions {
  readonly connection: Pick<ConnectionLease, 'client' | 'agent' | 'locale' | 'ended' | 'breach'>
  readonly size: TerminalSize
  readonly wish: ShellWish
  /** Where it begins, by default at home. */
  readonly folder?: string | null
  /** Sends output on its way to the screen. */
  readonly post: (bytes: Uint8Array) => void
  readonly clock: Clock
  /** Closes the shell, and no other of the connection, also while it is being opened. */
  readonly signal: AbortSignal
}

/**
 * A login shell, or a session that outlives it, in a pseudo-terminal. Its server may send only what the screen has credit for, so a flood
 * stops at its source and Ctrl-C works at once.
 *
 * @throws SshFailure `channel-refused`, `link-lost`, or `unanswered` when the server leaves the question open; the
 *   signal's reason
 */
export async function openShell({
  connection,
  size,
  wish,
  folder = null,
  post,
  clock,
  signal,
}: ShellOptions): Promise<Shell> {
  const flowControl = new FlowControl()
  const noteRoundTrip = (ms: number | null): void => {
    if (ms !== null) flowControl.noteRoundTrip(ms)
  }
  const batches = new OutputBatches(post, clock)
  // Twice, before and after: one of them may have stood in line behind something else.
  void measureRoundTrip(connection.client, clock).then(noteRoundTrip)
  const opening = explained(
    connection,
    openGrantedShell(connection.client, ptyOf(size), FlowControl.first, {
      command: shellCommand(wish, folder),
      forwardsAgent: connection.agent?.isWanted ?? false,
      ...(connection.locale && { env: connection.locale }),
    }),
  )
  const lateness = (): SshFailure => new SshFailure({ kind: 'unanswered', step: 'shell' })
  const { channel, grant } = await orClosed(within(clock, openingDeadlineMs, opening, lateness), opening)
  if (signal.aborted) channel.close()
  signal.throwIfAborted()
  signal.addEventListener('abort', () => channel.close(), { once: true })
  void measureRoundTrip(connection.client, clock).then(noteRoundTrip)

  const onOutput = (piece: Buffer): void => {
    flowControl.receive(piece.length)
    if (grant !== null && flowControl.overrun > windowOverrunBytes)
      return connection.breach({ code: 'too-much-data' })
    batches.push(piece)
    if (grant === null && flowControl.backlog > watermarks.pauseAbove)
      for (const stream of streams) stream.pause()
  }
  // A pseudo-terminal has one stream; a server that uses the other all the same must not block the window.
  const streams = [channel, channel.stderr]
  for (const stream of streams) stream.on('data', onOutput)
  const ended = new Promise<ShellExit | null>((resolve) => {
    // Not by its event of that name: an exit that comes with the answer is told before anybody listens.
    channel.once('close', (code?: number | null, signal?: string) => {
      batches.flush()
      resolve(code === undefined ? null : { code, signal: signal ?? null })
    })
  })

  return {
    write: (data) => {
      if (channel.writable) channel.write(data)
    },
    resize: ({ cols, rows }) => {
      if (channel.writable) channel.setWindow(rows, cols, 0, 0)
    },
    take: (total) => {
      batches.take(total)
      const bytes = flowControl.take(total, clock.now())
      if (grant === null) {
        if (flowControl.backlog < watermarks.resumeBelow) for (const stream of streams) stream.resume()
      } else if (bytes > 0) grant(bytes)
    },
    posted: () => batches.posted,
    ended,
  }
}

function ptyOf({ cols, rows }: TerminalSize): PseudoTtyOptions {
  return { term: 'xterm-256color', cols, rows }
}

/** A shell that opens when nobody waits for it any more is closed. */
async function orClosed(
  wanted: Promise<GrantedShell>,
  opening: Promise<GrantedShell>,
): Promise<GrantedShell> {
  try {
    return await wanted
  } catch (error) {
    void opening.then(
      ({ channel }) => channel.close(),
      () => undefined, // it never opened
    )
    throw error
  }
}

/** ssh2 says the same of a server that refuses as of one that is gone. */
async function explained<T>(connection: ShellOptions['connection'], opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    const lost = await Promise.race([connection.ended, Promise.resolve(null)])
    throw new SshFailure(lost ?? problemOfRefusedChannel(error), { cause: error })
  }
}
