import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import type { FileSide } from '../../domain/files/transfer.ts'
import { knownProblem } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { openSftpSession, type ConnectApart, type SftpSession } from './session.ts'

/**
 * OpenSSH's server takes 10 sessions on a connection (MaxSessions), and 2 MiB under way on each: from 50 ms away that is 40
 * MB/s, and 8 are as much as one processor of either side does.
 */
const mostChannels = 8

export interface ApartOptions {
  readonly instanceId: number
  /** As of `createRemoteTree`. */
  readonly side: FileSide
  readonly connect: ConnectApart
  readonly clock: Clock
  readonly log: Log
  /** How many times the usual the server may leave everything without an answer. */
  readonly patience: number
}

/** SFTP channels on a connection of their own, so that what goes over the shared one isn't held up. */
export interface ApartChannels {
  /** The instance's files over each channel; opened when first asked for. None where there is no such connection. */
  readonly trees: () => Promise<readonly FileTree[]>
  /** Closes them, also those that are being opened. */
  readonly close: () => void
}

/** Opens nothing before it is asked to. */
export function createApartChannels({
  instanceId,
  side,
  connect,
  clock,
  log,
  patience,
}: ApartOptions): ApartChannels {
  const closed = new AbortController()
  let opening: Promise<readonly FileTree[]> | null = null

  async function open(): Promise<readonly FileTree[]> {
    const { signal } = closed
    const lease = await connect(instanceId, signal)
    if (lease === null) return []
    const { client, ended, breakOff, release } = lease
    signal.addEventListener('abort', release, { once: true })
    // The connection is given back once for all of them.
    const share = { client, ended, release: () => undefined }
    const attempts = await Promise.allSettled(
      Array.from({ length: mostChannels }, () => openSftpSession(share, clock, signal)),
    )
    for (const attempt of attempts) if (attempt.status === 'rejected') note(attempt.reason)
    const sessions = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    // Without a channel, or once one has ended by itself, it is of no use, and isn't made again (`openApart`).
    const lose = (): void => {
      if (!signal.aborted) breakOff({ code: 'files-ended' })
    }
    if (sessions.length === 0) lose()
    if (signal.aborted) release()
    return sessions.map((session) => treeOf(session, lose))
  }

  function treeOf(session: SftpSession, onEnd: () => void): FileTree {
    const { tree, close } = session.share(patience, side)
    const leave = (): void => {
      close()
      void session.close()
    }
    if (closed.signal.aborted) leave()
    else closed.signal.addEventListener('abort', leave, { once: true })
    if (session.ended.aborted) onEnd()
    else session.ended.addEventListener('abort', onEnd, { once: true })
    return tree
  }

  /** The shared connection serves without them, and tells what is about that, too. */
  function note(error: unknown): void {
    if (closed.signal.aborted) return
    const problem = knownProblem(error)
    if (problem === null) log.error('A further connection for files failed', error)
    else if (problem.kind === 'host-key-changed')
      log.warn('A further connection for files was refused: the host key is not the trusted one')
  }

  async function opened(): Promise<readonly FileTree[]> {
    const trees = await open().catch((error: unknown) => (note(error), []))
    if (trees.length === 0) opening = null
    return trees
  }

  return {
    trees: () => (opening ??= opened()),
    close: () => closed.abort(new Error('the transfer needs them no more')),
  }
}
