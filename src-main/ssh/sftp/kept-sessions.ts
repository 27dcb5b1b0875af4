import type { Clock } from '../../domain/clock.ts'
import { createDeadline, type Deadline } from '../deadline.ts'
import type { FileTree } from './file-tree.ts'
import { orAborted } from '../or-aborted.ts'
import { openSftpSession, type Connect, type SftpSession } from './session.ts'

interface Kept {
  readonly session: Promise<SftpSession>
  readonly end: AbortController
  readonly idle: Deadline
  users: number
}

/** How long a channel is kept for the next look. */
const idleMs = 60_000
/** Longer than a link that is lost takes to be noticed (link-watch.ts), which says more. */
const patienceMs = 35_000

/** One SFTP channel for each instance that is looked at, kept a while for the next look. */
export class KeptSessions {
  readonly #connect: Connect
  readonly #clock: Clock
  readonly #kept = new Map<number, Kept>()

  constructor(connect: Connect, clock: Clock) {
    this.#connect = connect
    this.#clock = clock
  }

  /**
   * @param signal ends the wait for a channel; what then happens on it is the work's own
   * @throws whatever `work` throws, what stood against a connection, or the signal's reason
   */
  async use<T>(
    instanceId: number,
    work: (tree: FileTree) => Promise<T>,
    signal = new AbortController().signal,
  ): Promise<T> {
    const kept = this.#keep(instanceId)
    kept.idle.stop()
    kept.users += 1
    try {
      const session = await orAborted(kept.session, signal)
      try {
        return await work(session.tree)
      } catch (error) {
        if (session.isOver()) this.#drop(instanceId, kept)
        throw await session.explain(error)
      }
    } finally {
      kept.users -= 1
      if (kept.users === 0 && this.#kept.get(instanceId) === kept) kept.idle.start()
    }
  }

  /** Closes all channels, also under those who use one now. */
  dispose(): void {
    for (const [instanceId, kept] of this.#kept) this.#drop(instanceId, kept)
  }

  #keep(instanceId: number): Kept {
    const existing = this.#kept.get(instanceId)
    if (existing) return existing
    const end = new AbortController()
    const session = openSftpSession(this.#connect, instanceId, this.#clock, patienceMs, end.signal)
    const idle = createDeadline(this.#clock, idleMs, () => this.#drop(instanceId, kept))
    const kept: Kept = { session, end, idle, users: 0 }
    this.#kept.set(instanceId, kept)
    // The next look tries anew.
    session.catch(() => this.#drop(instanceId, kept))
    return kept
  }

  #drop(instanceId: number, kept: Kept): void {
    if (this.#kept.get(instanceId) === kept) this.#kept.delete(instanceId)
    kept.idle.stop()
    kept.end.abort(new Error('not looked at any more'))
    kept.session.then(
      (session) => session.close(),
      () => undefined, // told where it was asked for
    )
  }
}
