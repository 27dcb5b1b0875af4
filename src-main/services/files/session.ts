import type { Clock } from '../../domain/base/clock.ts'
import type { SshProblem } from '../../domain/ssh/ssh.ts'
import type { FileSide, TransferProblem } from '../../domain/files/transfer.ts'
import type { ConnectionLease } from '../ssh/connection/connections.ts'
import { SshFailure, wordsOfRefusal } from '../ssh/failure.ts'
import { orAborted } from '../ssh/deadline.ts'
import { askRoundTrip, measureRoundTrip } from '../ssh/protocol/round-trip.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import { TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { createRemoteTree } from './remote-tree.ts'
import { CallsOfOne, ChannelEnded, ServerSilent, SftpCalls } from './sftp-calls.ts'
import { shortenedDetail } from './shortened.ts'
import { StallDetector, type Patience } from './stall-detector.ts'

/** A share in the connection to an instance, as `Connections.acquire` gives it. */
export type Connect = (
  instanceId: number,
  signal: AbortSignal,
) => Promise<Pick<ConnectionLease, 'client' | 'ended' | 'release'>>

/**
 * A connection besides the shared one, as `Connections.openApart` gives it; `null` where none is to be had.
 */
export type ConnectApart = (
  instanceId: number,
  signal: AbortSignal,
) => Promise<Pick<ConnectionLease, 'client' | 'ended' | 'breakOff' | 'release'> | null>

type Share = Awaited<ReturnType<Connect>>

/** A channel for files on one instance, with its share in the connection. */
export interface SftpSession {
  /**
   * The instance's files, for one of those who share the session.
   *
   * @param patience how many times the usual
   * @param side as of `createRemoteTree`
   */
  readonly share: (
    patience: number,
    side?: FileSide,
  ) => { readonly tree: FileTree; readonly close: () => void }
  /** How long the way to the instance and back takes; `null` as long as it is not known. */
  readonly roundTripMs: () => number | null
  /** What an error of a tree means: of one that comes from a channel that ended, why it did. */
  readonly explain: (error: unknown) => Promise<unknown>
  /** Aborted when it has ended, whoever ended it. */
  readonly ended: AbortSignal
  /** Resolves when the server has closed it, too. */
  readonly close: () => Promise<void>
}

/** How long the server may leave everything without an answer. Longer than a link that is lost takes to be noticed
 * (keepalive.ts), which says more. */
export const sessionPatienceMs = 35_000

/**
 * An SFTP channel on a connection, whose share it gives back at its end.
 *
 * @throws SshFailure, TransferFailure, or the signal's reason
 */
export async function openSftpSession(
  connection: Share,
  clock: Clock,
  signal: AbortSignal,
): Promise<SftpSession> {
  try {
    let roundTripMs: number | null = null
    // Twice, and the least: one of them may have stood in line behind something else.
    const measure = async (): Promise<void> => {
      const ms = await measureRoundTrip(connection.client, clock)
      if (ms !== null) roundTripMs = Math.min(ms, roundTripMs ?? ms)
    }
    void measure().then(measure)
    const ask = (): Promise<void> | null => askRoundTrip(connection.client)
    const patience: Patience = { clock, ms: sessionPatienceMs, ask }
    const opening = opened(connection, patience)
    const calls = await orClosed(orNotStarted(orAborted(opening, signal), patience), opening)
    return { ...sessionOf(calls, connection, clock), roundTripMs: () => roundTripMs }
  } catch (error) {
    connection.release()
    throw error
  }
}

function sessionOf(calls: SftpCalls, connection: Share, clock: Clock): Omit<SftpSession, 'roundTripMs'> {
  let isClosed = false
  let loss: Promise<SshProblem | null> | null = null
  // Found out while the share in the connection is held: without it the connection may end just because of that.
  const findLoss = (): void => {
    if (!isClosed) loss = connectionLoss(connection, clock)
  }
  calls.ended.addEventListener('abort', findLoss, { once: true })
  // ssh2 ends the channels of a lost connection later than the connection, and nobody is given one in between.
  void connection.ended.then(() => calls.close())
  return {
    share: (patience, side) => {
      const own = new CallsOfOne(calls, patience)
      return { tree: createRemoteTree(own, side), close: () => own.close() }
    },
    explain: async (error) => {
      if (!(error instanceof ChannelEnded)) return error
      if (error instanceof ServerSilent) return new TransferFailure({ kind: 'silent' }, { cause: error })
      const untold: SshProblem = { kind: 'link-lost', detail: { code: 'files-ended' } }
      const problem = (await loss) ?? untold
      return new TransferFailure({ kind: 'connection', problem }, { cause: error })
    },
    ended: calls.ended,
    close: async () => {
      isClosed = true
      const closed = calls.close()
      await loss
      connection.release()
      await closed
    },
  }
}

/** @throws TransferFailure not-started, when the server leaves the wish for a channel without an answer for too long */
async function orNotStarted<T>(opening: Promise<T>, patience: Patience): Promise<T> {
  const over = new AbortController()
  const isTooLong = new StallDetector(patience).isTooLong(() => (over.signal.aborted ? null : 1), over.signal)
  const silent = Promise.withResolvers<never>()
  void isTooLong.then((isIt) => {
    if (isIt) silent.reject(new TransferFailure({ kind: 'not-started' }))
  })
  try {
    return await Promise.race([opening, silent.promise])
  } finally {
    over.abort()
  }
}

/** A channel that opens when nobody waits for it any more is closed. */
async function orClosed(wanted: Promise<SftpCalls>, opening: Promise<SftpCalls>): Promise<SftpCalls> {
  try {
    return await wanted
  } catch (error) {
    void opening.then(
      (calls) => void calls.close(),
      () => undefined, // it never opened
    )
    throw error
  }
}

async function opened(connection: Share, patience: Patience): Promise<SftpCalls> {
  try {
    return await SftpCalls.open(connection.client, patience)
  } catch (error) {
    const lost = await connectionLoss(connection, patience.clock)
    if (lost !== null) throw new SshFailure(lost, { cause: error })
    throw new TransferFailure(whyNoFiles(error), { cause: error })
  }
}

/** What is wrong with the file server, from ssh2's error. The connection stands. */
function whyNoFiles(error: unknown): Extract<TransferProblem, { kind: 'no-files' }> {
  const kind = 'no-files'
  const words = error instanceof Error ? error.message : String(error)
  const refusal = wordsOfRefusal(error)
  if (refusal !== words) return { kind, why: 'session-refused', detail: shortenedDetail(refusal) }
  if (words.startsWith('Unable to start subsystem')) return { kind, why: 'no-sftp', detail: '' }
  const exit = /^Received (exit code \d+|signal \w+)/.exec(words)?.[1]
  if (exit !== undefined) return { kind, why: 'ended', detail: exit }
  return words.startsWith('Received unexpected SFTP session termination')
    ? { kind, why: 'ended', detail: '' }
    : { kind, why: 'garbled', detail: '' }
}
