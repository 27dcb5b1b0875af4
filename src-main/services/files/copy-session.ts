import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import {
  instanceOf,
  type FileSide,
  type TransferOrder,
  type TransferProblem,
} from '../../domain/files/transfer.ts'
import { createApartChannels } from './apart-channels.ts'
import { knownProblem, TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { sessionPatienceMs, type Connect, type ConnectApart } from './session.ts'
import type { SessionPool, SharedSession } from './session-pool.ts'
import { spreadTree } from './spread-tree.ts'

export interface CopySessionOptions {
  readonly instanceId: number
  /** As of `createRemoteTree`. */
  readonly side?: FileSide
  readonly sessions: SessionPool
  readonly connect: Connect
  /** A connection of its own for large files from afar. */
  readonly connectApart: ConnectApart
  readonly clock: Clock
  readonly log: Log
  /** Ends the wait for the session. */
  readonly signal: AbortSignal
}

/** An instance's files, for a copy. */
export interface CopySession extends Pick<SharedSession, 'roundTripMs' | 'explain' | 'ended'> {
  readonly tree: FileTree
  /** Closes the further channels: what is under way there needn't be waited for. */
  readonly leaveApart: () => void
  /** Gives all back, and ends what the tree was asked for. */
  readonly close: () => void
}

/** A piece may take a minute over a slow line before it is answered. */
const patienceMs = 120_000
/** From here on a file is large, and an instance far: below, more channels cost more than they bring. */
const largeBytes = 64 * 1024 * 1024
const farMs = 10

/** Links in a row that did not last, after which a copy is given up. */
export const mostLosses = 5

/** Whether the link was lost, so that the copy goes on over the next one. */
export function isLoss(problem: TransferProblem): boolean {
  return problem.kind === 'connection' && problem.problem.kind === 'link-lost'
}

/** @throws ConnectFailed, SshFailure, TransferFailure, or the signal's reason */
export async function openCopySession(options: CopySessionOptions): Promise<CopySession> {
  const { instanceId, side = 'remote', sessions, connect, connectApart, clock, log, signal } = options
  const session = await sessions.acquire({
    ...{ instanceId, side, purpose: 'copy', connect, patienceMs, signal },
  })
  const patience = patienceMs / sessionPatienceMs
  const apart = createApartChannels({ instanceId, side, connect: connectApart, clock, log, patience })
  const isFar = (): boolean => (session.roundTripMs() ?? 0) >= farMs
  return {
    tree: spreadTree(session.tree, {
      leastBytes: largeBytes,
      more: async () => (isFar() ? apart.trees() : []),
    }),
    roundTripMs: session.roundTripMs,
    explain: session.explain,
    ended: session.ended,
    leaveApart: () => apart.close(),
    close: () => {
      apart.close()
      session.close()
    },
  }
}

export interface CopyEndsOptions
  extends Omit<CopySessionOptions, 'instanceId' | 'side'>, Pick<TransferOrder, 'source' | 'target'> {
  readonly localTree: FileTree
}

/** Both ends of a copy, with the sessions that they need: one, or two between instances. */
export interface CopyEnds extends Pick<CopySession, 'roundTripMs' | 'explain' | 'leaveApart' | 'close'> {
  readonly source: FileTree
  readonly target: FileTree
  /** Ends what is asked of the source alone; without effect where that's this computer. */
  readonly closeSource: () => void
}

/**
 * One after the other, so that nothing is held on the target while the source is waited for.
 *
 * @throws as `openCopySession`; between two instances the failure says whose it is
 */
export async function openCopyEnds({
  source,
  target,
  localTree,
  ...ways
}: CopyEndsOptions): Promise<CopyEnds> {
  const isBetween = source.side === 'remote' && target.side === 'remote'
  const ends: { readonly session: CopySession; readonly side: FileSide }[] = []

  async function open(place: TransferOrder['source'], side: FileSide): Promise<FileTree> {
    const instanceId = instanceOf(place)
    if (instanceId === null) return localTree
    try {
      const session = await openCopySession({ ...ways, instanceId, side })
      ends.push({ session, side })
      return session.tree
    } catch (error) {
      throw told(error, side)
    }
  }
  const told = (error: unknown, side: FileSide): unknown => (isBetween ? ofSide(error, side) : error)
  const close = (): void => {
    for (const { session } of ends) session.close()
  }

  try {
    return {
      source: await open(source, isBetween ? 'source' : 'remote'),
      target: await open(target, 'remote'),
      // What is under way is on both ways.
      roundTripMs: () => {
        const each = ends.map(({ session }) => session.roundTripMs())
        return each.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0)
      },
      explain: async (error) => {
        const ended = ends.find(({ session }) => session.ended.aborted) ?? ends.at(-1)
        if (ended === undefined) return error
        const explained = await ended.session.explain(error)
        return explained === error ? error : told(explained, ended.side)
      },
      leaveApart: () => {
        for (const { session } of ends) session.leaveApart()
      },
      closeSource: () => {
        for (const { session, side } of ends) if (side === 'source') session.close()
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function ofSide(error: unknown, side: FileSide): unknown {
  const problem = knownProblem(error)
  if (problem === null || problem.kind === 'slow-gitignore') return error
  return new TransferFailure({ ...problem, side }, { cause: error })
}
