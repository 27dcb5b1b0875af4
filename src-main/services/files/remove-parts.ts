import type { Log } from '../../domain/base/log.ts'
import type { FilePlace } from '../../domain/files/transfer.ts'
import type { FileTree } from './file-tree.ts'
import type { Connect } from './session.ts'
import type { SessionPool } from './session-pool.ts'

export interface RemoveOptions {
  /** Whose they are. */
  readonly target: FilePlace
  readonly localTree: FileTree
  readonly sessions: SessionPool
  readonly connect: Connect
  /** Whether there is a connection to the instance now. */
  readonly isConnected: (instanceId: number) => boolean
  readonly log: Log
  /** Nothing is waited for any more. */
  readonly signal: AbortSignal
}

/**
 * Removes half files of a transfer, as far as they can be reached: those on an instance only over a connection that
 * stands, for none is made for it. Those that are gone are taken out of `parts`. What fails is logged.
 */
export async function removeParts(parts: Set<string>, options: RemoveOptions): Promise<void> {
  const { target, localTree, isConnected, log, signal } = options
  if (parts.size === 0) return
  try {
    if (target.side === 'local') await removeFrom(localTree, parts)
    else if (!signal.aborted && isConnected(target.instanceId))
      await removeThere(parts, target.instanceId, options)
  } catch (error) {
    if (!signal.aborted) log.error('Half a file could not be removed', error)
  }
}

async function removeThere(
  parts: Set<string>,
  instanceId: number,
  { sessions, connect, signal }: RemoveOptions,
): Promise<void> {
  const session = await sessions.acquire({ instanceId, purpose: 'copy', connect, signal })
  signal.addEventListener('abort', session.close, { once: true })
  try {
    await removeFrom(session.tree, parts)
  } finally {
    signal.removeEventListener('abort', session.close)
    session.close()
  }
}

/** A link that has come in its place is removed itself, and no folder is. */
async function removeFrom(tree: FileTree, parts: Set<string>): Promise<void> {
  const tried = await Promise.allSettled(
    [...parts].map(async (part) => {
      await tree.removeFile(part)
      parts.delete(part)
    }),
  )
  for (const one of tried) if (one.status === 'rejected') throw one.reason
}
