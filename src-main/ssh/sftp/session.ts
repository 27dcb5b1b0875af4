import type { Clock } from '../../domain/clock.ts'
import type { SshProblem } from '../../domain/ssh.ts'
import type { InstanceConnection } from '../connections.ts'
import { problemOfRefusedChannel, SshFailure } from '../failure.ts'
import { orAborted } from '../or-aborted.ts'
import { askRoundTrip, measureRoundTrip } from '../round-trip.ts'
import { toldLoss } from '../told-loss.ts'
import { TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { createRemoteTree } from './remote-tree.ts'
import { ChannelEnded, ServerSilent, SftpCalls } from './sftp-calls.ts'
import { Silence, type Patience } from './silence.ts'

/** A share in the connection to an instance, as `Connections.acquire` gives it. */
export type Connect = (
  instanceId: number,
  signal: AbortSignal,
) => Promise<Pick<InstanceConnection, 'client' | 'ended' | 'release'>>

type Share = Awaited<ReturnType<Connect>>

/** A channel for files on one instance, with its share in the connection. */
export interface SftpSession {
  readonly tree: FileTree
  /** How long the way to the instance and back takes; `null` as long as it is not known. */
  readonly roundTripMs: () => number | null
  /** What an error of the tree means: of one that comes from a channel that ended, why it did. */
  readonly explain: (error: unknown) => Promise<unknown>
  readonly isOver: () => boolean
  readonly close: () => void
}

/** Longer than a link that is lost takes to be noticed (link-watch.ts), which says more. */
const openingPatienceMs = 35_000

/**
 * An SFTP channel on an instance.
 *
 * @param patienceMs how long its server may leave everything without an answer
 * @throws ConnectFailed, SshFailure, TransferFailure, or the signal's reason
 */
export async function openSftpSession(
  connect: Connect,
  instanceId: number,
  clock: Clock,
  patienceMs: number,
  signal: AbortSignal,
): Promise<SftpSession> {
  const connection = await connect(instanceId, signal)
  try {
    let roundTripMs: number | null = null
    // Twice, and the least: one of them may have stood in line behind something else.
    const measure = async (): Promise<void> => {
      const ms = await measureRoundTrip(connection.client, clock)
      if (ms !== null) roundTripMs = Math.min(ms, roundTripMs ?? ms)
    }
    void measure().then(measure)
    const ask = (): Promise<void> | null => askRoundTrip(connection.client)
    const opening = opened(connection, { clock, ms: patienceMs, ask })
    const wanted = orSilent(orAborted(opening, signal), { clock, ms: openingPatienceMs, ask })
    const calls = await orClosed(wanted, opening)
    return { ...sessionOf(calls, connection, clock), roundTripMs: () => roundTripMs }
  } catch (error) {
    connection.release()
    throw error
  }
}

function sessionOf(calls: SftpCalls, connection: Share, clock: Clock): Omit<SftpSession, 'roundTripMs'> {
  return {
    tree: createRemoteTree(calls),
    explain: async (error) => {
      if (!(error instanceof ChannelEnded)) return error
      if (error instanceof ServerSilent) return new TransferFailure({ kind: 'silent' }, { cause: error })
      const untold: SshProblem = { kind: 'link-lost', detail: 'the instance ended the transfer of files' }
      const problem = (await toldLoss(connection, clock)) ?? untold
      return new TransferFailure({ kind: 'connection', problem }, { cause: error })
    },
    isOver: () => calls.isOver,
    close: () => {
      calls.close()
      connection.release()
    },
  }
}

/** @throws TransferFailure silent, when the server leaves the wish for a channel without an answer for too long */
async function orSilent<T>(opening: Promise<T>, patience: Patience): Promise<T> {
  const over = new AbortController()
  const isTooLong = new Silence(patience).isTooLong(() => (over.signal.aborted ? null : 1), over.signal)
  const silent = Promise.withResolvers<never>()
  void isTooLong.then((isIt) => {
    if (isIt) silent.reject(new TransferFailure({ kind: 'silent' }))
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
      (calls) => calls.close(),
      () => undefined, // it never opened
    )
    throw error
  }
}

async function opened({ client, ended }: Share, patience: Patience): Promise<SftpCalls> {
  try {
    return await SftpCalls.open(client, patience)
  } catch (error) {
    const lost = await Promise.race([ended, Promise.resolve(null)])
    throw new SshFailure(lost ?? problemOfRefusedChannel(error), { cause: error })
  }
}
