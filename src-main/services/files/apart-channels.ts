import type { Clock } from '../../domain/base/clock.ts'
import type { FileTree } from './file-tree.ts'
import { openSftpSession, type Connect, type SftpSession } from './session.ts'

/**
 * OpenSSH's server takes 10 sessions on a connection (MaxSessions), and 2 MiB under way on each: from 50 ms away that is 40
 * MB/s, and 8 are as much as one processor of either side does.
 */
const mostChannels = 8

export interface ApartOptions {
  readonly instanceId: number
  /** Connects once more to where the shared connection leads, asking nobody. */
  readonly connect: Connect
  readonly clock: Clock
  /** How many times the usual the server may leave everything without an answer. */
  readonly patience: number
}

/** SFTP channels on a connection of their own, so that what goes over the shared one isn't held up. */
export interface ApartChannels {
  /** The instance's files over each channel; opened when first asked for. None where there is no such connection. */
  readonly trees: () => Promise<readonly FileTree[]>
  /** Whether one of them has ended, though nobody has closed it. */
  readonly isBroken: () => boolean
  /** Closes them, also those that are being opened. */
  readonly close: () => void
}

/** Opens nothing before it is asked to. */
export function createApartChannels({ instanceId, connect, clock, patience }: ApartOptions): ApartChannels {
  const closed = new AbortController()
  let opening: Promise<readonly FileTree[]> | null = null
  let isBroken = false

  async function open(): Promise<readonly FileTree[]> {
    const { signal } = closed
    const { client, ended, release } = await connect(instanceId, signal)
    signal.addEventListener('abort', release, { once: true })
    // The connection is given back once for all of them.
    const share = { client, ended, release: () => undefined }
    const attempts = await Promise.allSettled(
      Array.from({ length: mostChannels }, () => openSftpSession(share, clock, signal)),
    )
    const sessions = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    if (signal.aborted || sessions.length === 0) release()
    return sessions.map(treeOf)
  }

  function treeOf(session: SftpSession): FileTree {
    const { tree, close } = session.share(patience)
    const leave = (): void => {
      close()
      void session.close()
    }
    if (closed.signal.aborted) leave()
    else closed.signal.addEventListener('abort', leave, { once: true })
    session.ended.addEventListener('abort', () => (isBroken ||= !closed.signal.aborted), { once: true })
    return tree
  }

  return {
    // Without them the shared connection serves: why they're not to be had, it tells when it's about that, too.
    trees: () => (opening ??= open().catch(() => [])),
    isBroken: () => isBroken,
    close: () => closed.abort(new Error('the transfer needs them no more')),
  }
}
