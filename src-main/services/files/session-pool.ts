import type { Clock } from '../../domain/base/clock.ts'
import type { FileSide } from '../../domain/files/transfer.ts'
import { createDeadline, type Deadline, orAborted } from '../ssh/deadline.ts'
import { TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { openSftpSession, sessionPatienceMs, type Connect, type SftpSession } from './session.ts'

/** What a session is wanted for: a look, which is short and waited for, or a copy, which fills the session. */
export type Purpose = 'look' | 'copy'

export interface Wish {
  readonly instanceId: number
  readonly purpose: Purpose
  readonly connect: Connect
  /** How long the server may leave everything without an answer, where it is more than usual. */
  readonly patienceMs?: number
  /** As of `createRemoteTree`. */
  readonly side?: FileSide
  /** Ends the wait for a session; what then happens on it is the work's own. */
  readonly signal: AbortSignal
}

/** A session that others may be using, too. */
export interface SharedSession extends Pick<SftpSession, 'roundTripMs' | 'explain' | 'ended'> {
  readonly tree: FileTree
  /** Gives it back, and ends what its tree was asked for. May be called again. */
  readonly close: () => void
}

interface Pooled {
  readonly session: SftpSession
  readonly users: Record<Purpose, number>
  readonly idle: Deadline
}

interface Opening {
  /** The channel that was asked for; without what is done where that is refused. */
  readonly attempt: Promise<Pooled>
  readonly outcome: Promise<Pooled>
  readonly end: AbortController
  waiting: number
}

/** The sessions on one instance. */
interface Place {
  readonly open: Set<Pooled>
  readonly opening: Map<Purpose, Opening>
  /** Resolve when the server has closed them, too. */
  readonly closing: Set<Promise<void>>
}

/** How long a session is kept that nobody uses, for the next look. */
const idleMs = 60_000
/** For a server to close a session that was closed here. Some never do. */
const closingMs = 5_000

/**
 * The SFTP sessions on all instances: at most two on each, one for copies and one for looks while a copy goes on, and
 * one where its server allows no more, for the sessions of a connection are counted (OpenSSH's MaxSessions) and needed
 * for shells. Those that ended are dropped before they are given to anybody. A new one is opened only when those before
 * are closed on both sides: dropbear before 2025 ends the whole connection when a session begins as another's file
 * server ends.
 */
export class SessionPool {
  readonly #clock: Clock
  readonly #places = new Map<number, Place>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws ConnectFailed, SshFailure, TransferFailure, or the signal's reason */
  async acquire(wish: Wish): Promise<SharedSession> {
    wish.signal.throwIfAborted()
    const place = this.#placeOf(wish.instanceId)
    const standing = standingFor(place, wish.purpose)
    if (standing) return this.#share(standing, wish)
    // Each by their own way: one waits until a lost link is back, another does not.
    const connection = await wish.connect(wish.instanceId, wish.signal)
    const madeMeanwhile = standingFor(place, wish.purpose)
    if (madeMeanwhile || place.opening.has(wish.purpose)) connection.release()
    if (madeMeanwhile) return this.#share(madeMeanwhile, wish)
    const opening = place.opening.get(wish.purpose) ?? this.#begin(place, wish.purpose, connection)
    opening.waiting += 1
    try {
      return this.#share(await orAborted(opening.outcome, wish.signal), wish)
    } finally {
      opening.waiting -= 1
      if (opening.waiting === 0) opening.end.abort(new Error('no one waits for the session any more'))
    }
  }

  /** Does something with a session. @throws whatever `work` throws, or as `acquire` does */
  async use<T>(wish: Wish, work: (tree: FileTree) => Promise<T>): Promise<T> {
    const session = await this.acquire(wish)
    try {
      return await work(session.tree)
    } catch (error) {
      throw await session.explain(error)
    } finally {
      session.close()
    }
  }

  /**
   * Closes what nobody uses now, where shells need the sessions that the server allows.
   *
   * @returns whether there was any, once the server has closed it, too
   */
  async closeIdle(instanceId: number): Promise<boolean> {
    const place = this.#places.get(instanceId)
    if (!place) return false
    for (const pooled of place.open) if (isIdle(pooled)) this.#close(place, pooled)
    const closing = [...place.closing]
    await Promise.all(closing)
    return closing.length > 0
  }

  /** Closes all sessions, also under those who use one now. */
  dispose(): void {
    for (const place of this.#places.values()) {
      for (const { end } of place.opening.values()) end.abort(new Error('Slipway ends'))
      for (const pooled of place.open) this.#close(place, pooled)
    }
  }

  #placeOf(instanceId: number): Place {
    const existing = this.#places.get(instanceId)
    if (existing) return existing
    const place: Place = { open: new Set(), opening: new Map(), closing: new Set() }
    this.#places.set(instanceId, place)
    return place
  }

  #begin(place: Place, purpose: Purpose, connection: Awaited<ReturnType<Connect>>): Opening {
    const end = new AbortController()
    const attempt = this.#opened(place, connection, end.signal)
    const outcome = attempt.catch((error: unknown) => inPlaceOfRefused(place, purpose, error))
    const opening: Opening = { attempt, outcome, end, waiting: 0 }
    place.opening.set(purpose, opening)
    void outcome
      .catch(() => undefined) // told to those who wait
      .finally(() => place.opening.delete(purpose))
    return opening
  }

  async #opened(
    place: Place,
    connection: Awaited<ReturnType<Connect>>,
    signal: AbortSignal,
  ): Promise<Pooled> {
    try {
      await orAborted(Promise.all(place.closing), signal)
    } catch (error) {
      connection.release()
      throw error
    }
    const session = await openSftpSession(connection, this.#clock, signal)
    const idle = createDeadline(this.#clock, idleMs, () => {
      // A server that ends and one that begins must not meet.
      if (place.opening.size > 0) idle.start()
      else this.#close(place, pooled)
    })
    const pooled: Pooled = { session, users: { look: 0, copy: 0 }, idle }
    place.open.add(pooled)
    session.ended.addEventListener('abort', () => this.#close(place, pooled), { once: true })
    if (session.ended.aborted || signal.aborted) this.#close(place, pooled)
    else idle.start()
    return pooled
  }

  #share(pooled: Pooled, { purpose, patienceMs = sessionPatienceMs, side }: Wish): SharedSession {
    const { session, users, idle } = pooled
    const own = session.share(patienceMs / sessionPatienceMs, side)
    users[purpose] += 1
    idle.stop()
    let isShared = true
    return {
      tree: own.tree,
      roundTripMs: session.roundTripMs,
      explain: session.explain,
      ended: session.ended,
      close: () => {
        if (!isShared) return
        isShared = false
        own.close()
        users[purpose] -= 1
        if (isIdle(pooled) && !session.ended.aborted) idle.start()
      },
    }
  }

  #close(place: Place, pooled: Pooled): void {
    if (!place.open.delete(pooled)) return
    const { session, idle } = pooled
    idle.stop()
    const enough = new AbortController()
    const closed = Promise.race([
      session.close(),
      this.#clock.sleep(closingMs, enough.signal).catch(() => undefined),
    ]).finally(() => {
      enough.abort()
      place.closing.delete(closed)
    })
    place.closing.add(closed)
  }
}

function isIdle({ users }: Pooled): boolean {
  return users.look + users.copy === 0
}

/** One that stands and serves that purpose well: a look stands in line behind all that a copy has asked for. */
function standingFor({ open }: Place, purpose: Purpose): Pooled | undefined {
  const standing = [...open].filter(({ session }) => !session.ended.aborted)
  if (purpose === 'look') return standing.find(({ users }) => users.copy === 0)
  return standing.find(({ users }) => users.copy > 0) ?? standing.find(isIdle)
}

/** A server that takes no second session has a first one, which everybody shares then. @throws what it was refused with */
async function inPlaceOfRefused(place: Place, purpose: Purpose, error: unknown): Promise<Pooled> {
  if (!(error instanceof TransferFailure) || error.problem.kind !== 'no-files') throw error
  const other = place.opening.get(purpose === 'look' ? 'copy' : 'look')
  await other?.attempt.catch(() => undefined)
  const [any] = [...place.open].filter(({ session }) => !session.ended.aborted)
  if (any === undefined) throw error
  return any
}
