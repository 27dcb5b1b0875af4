import type { Clock } from '../../domain/base/clock.ts'
import { hasLasted } from '../../domain/ssh/connection-lifecycle.ts'
import type { KeptTransfer } from './transfer-store.ts'
import type { Log } from '../../domain/base/log.ts'
import { transferNotification } from '../../domain/notifications/done-notifications.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import {
  isOver,
  isQueued,
  isSamePlace,
  type ConflictChoice,
  type SkippedEntry,
  type Transfer,
  type TransferOrder,
  type TransferPhase,
  type TransferProblem,
} from '../../domain/files/transfer.ts'
import { TransferSpeed } from './transfer-speed.ts'
import { Canceled } from './copy-file.ts'
import { knownProblem } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { mostNamed } from './limits.ts'
import { removeParts } from './remove-parts.ts'
import { runCopy } from './copy-job.ts'
import { isLoss, mostLosses, openCopyEnds } from './copy-session.ts'
import type { Connect, ConnectApart } from './session.ts'
import type { SessionPool } from './session-pool.ts'
import { shortenedPath } from './shortened.ts'

export interface TransferTaskOptions extends KeptTransfer {
  /** It began in an earlier run of Slipway. */
  readonly isResumed: boolean
  readonly localTree: FileTree
  readonly sessions: SessionPool
  readonly connect: Connect
  /** A connection of its own for large files from afar. */
  readonly connectApart: ConnectApart
  /** For a link that was lost: waits until there is one again. */
  readonly regain: Connect
  /** Whether there is a connection to the instance now. */
  readonly isConnected: (instanceId: number) => boolean
  /** Whether another transfer goes on with this half file, or may. */
  readonly isOfAnother: (part: string) => boolean
  readonly clock: Clock
  readonly log: Log
  readonly notify: (notification: Notification) => void
  /** Something of its `value` is new. */
  readonly onChange: () => void
}

/** For what is half done to be cleared away before it is over; a dead link would take for ever. */
const leaveMs = 2_000
/** After a cancel it is tried for longer: on a slow line it stands behind megabytes that were sent before. */
const clearMs = 60_000

/** Its user paused it: what is half done stays, and is gone on with. */
class Paused extends Error {
  override readonly name = 'Paused'
}

/** One transfer: what it is, where it stands, and its runs. */
export class TransferTask {
  readonly #options: TransferTaskOptions
  #phase: TransferPhase = { kind: 'waiting' }
  #total = { files: 0, bytes: 0 }
  #done = { files: 0, bytes: 0 }
  /** The first of them. */
  #skipped: SkippedEntry[] = []
  #skippedCount = 0
  #speed = new TransferSpeed()
  /** Half files in the target, as far as they were written to in this run of Slipway. */
  readonly #parts = new Set<string>()
  #end = new AbortController()
  /** Nothing is cleared away any more. */
  readonly #gone = new AbortController()
  /** Given once, it holds for as long as the transfer goes on, and not for what its user tries again. */
  #choice: ConflictChoice | null
  #answer: ((choice: ConflictChoice) => void) | null = null
  #notifies: boolean
  /** When its run began; `null` for one that goes on after a restart, which took longer than is known. */
  #since: number | null = null
  #isResumed: boolean

  constructor(options: TransferTaskOptions) {
    this.#options = options
    this.#choice = options.choice
    this.#notifies = options.notifies
    this.#isResumed = options.isResumed
    if (options.failed !== null) this.#phase = { kind: 'failed', problem: options.failed }
    else if (options.isPaused) this.#phase = { kind: 'paused' }
  }

  /** What a later run has to know; `null` when it is over for good. */
  get kept(): KeptTransfer | null {
    const { id, order } = this.#options
    const phase = this.#phase
    if (phase.kind === 'done' || phase.kind === 'cancelled') return null
    const failed = phase.kind === 'failed' ? phase.problem : null
    const isPaused = phase.kind === 'paused'
    return { id, order, choice: this.#choice, failed, isPaused, notifies: this.#notifies }
  }

  get value(): Transfer {
    const { id, order } = this.#options
    return {
      id,
      order,
      phase: this.#phase,
      progress: {
        files: this.#total.files,
        filesDone: this.#done.files,
        bytes: this.#total.bytes,
        bytesDone: this.#done.bytes,
        bytesPerSecond: this.#speed.bytesPerSecond,
        remainingSeconds: this.#speed.remainingSeconds(this.#total.bytes - this.#done.bytes),
      },
      skipped: [...this.#skipped],
      skippedCount: this.#skippedCount,
      notifies: this.#notifies,
    }
  }

  get isOver(): boolean {
    return isOver(this.#phase)
  }

  /** Time has passed: also nothing moving is something to tell. */
  tick(): void {
    if (this.#phase.kind === 'copying') this.#speed.note(this.#options.clock.now(), this.#done.bytes)
  }

  /** What to do with files that are there already; without effect when that is not asked. */
  answer(choice: ConflictChoice): void {
    this.#answer?.(choice)
  }

  /** Whether a notification tells of its end, once; without effect when it is over. */
  setNotifies(on: boolean): void {
    if (this.isOver || on === this.#notifies) return
    this.#notifies = on
    this.#options.onChange()
  }

  /** Until it's begun again, which goes on where it is; without effect when it is over. */
  pause(): void {
    if (this.isOver || this.#phase.kind === 'paused') return
    this.#end.abort(new Paused())
    // Nothing is left to be done about it, however long a run takes to end.
    this.#show({ kind: 'paused' })
  }

  /** Back to the queue, when it has failed, or was paused or canceled. */
  prepareAgain(): void {
    // Until then anything may have been written under the names.
    if (this.isOver) this.#choice = null
    this.#end = new AbortController()
    this.#isResumed = false
    this.#reset()
    this.#show({ kind: 'waiting' })
  }

  /**
   * @param reason a `Canceled` leaves nothing half done; any other leaves what a later try goes on with, and ends
   * what a cancel is still clearing away
   */
  stop(reason: Error): void {
    this.#end.abort(reason)
    if (!(reason instanceof Canceled)) this.#gone.abort()
    if (isQueued(this.#phase) && (this.#phase.kind === 'waiting' || reason instanceof Canceled))
      this.#show({ kind: 'cancelled' })
  }

  /**
   * Resolves when it is over, whatever came of it, and nothing more is done about it. A link that is lost is waited
   * for.
   */
  async run(): Promise<void> {
    const { signal } = this.#end
    const { connect, regain, clock } = this.#options
    // No longer than one run: another transfer may go on with a part that this one has left.
    const written = new Map<string, number>()
    let losses = 0
    this.#since = this.#isResumed ? null : clock.now()
    while (!signal.aborted) {
      const since = clock.now()
      this.#reset()
      try {
        await (losses === 0
          ? this.#copy('connecting', connect, written, signal)
          : this.#copy('reconnecting', regain, written, signal))
        return this.#show({ kind: 'done' })
      } catch (error) {
        if (signal.aborted) break
        const problem = this.#problemOf(error)
        if (hasLasted(since, clock.now())) losses = 0
        losses += 1
        if (!isLoss(problem) || losses > mostLosses) return this.#show({ kind: 'failed', problem })
      }
    }
    // An instance may take its time.
    if (this.#options.order.target.side === 'remote') this.#showCanceled(signal)
    if (signal.reason instanceof Canceled) await this.removeParts()
    this.#showCanceled(signal)
  }

  /** Whether it has begun a half file of another transfer, too. */
  holds(part: string, { target }: TransferOrder): boolean {
    return isSamePlace(this.#options.order.target, target) && this.#parts.has(part)
  }

  /**
   * Of tries that failed or whose link was lost. What is out of reach stays, and so does what a run of Slipway before
   * has left, as far as none since has gone on with it.
   */
  async removeParts(): Promise<void> {
    for (const part of this.#parts) if (this.#options.isOfAnother(part)) this.#parts.delete(part)
    const { target } = this.#options.order
    await removeParts(this.#parts, { ...this.#options, target, signal: this.#gone.signal })
  }

  /** Not when it is to be tried again already. */
  #showCanceled(signal: AbortSignal): void {
    if (signal.reason instanceof Paused || this.isOver) return
    if (signal === this.#end.signal) this.#show({ kind: 'cancelled' })
  }

  #skip({ path, reason }: SkippedEntry): void {
    this.#skippedCount += 1
    if (this.#skipped.length < mostNamed) this.#skipped.push({ path: shortenedPath(path), reason })
  }

  #reset(): void {
    this.#total = { files: 0, bytes: 0 }
    this.#done = { files: 0, bytes: 0 }
    this.#skipped = []
    this.#skippedCount = 0
    this.#speed = new TransferSpeed()
  }

  async #copy(
    kind: 'connecting' | 'reconnecting',
    connect: Connect,
    written: Map<string, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const { order, localTree, sessions, connectApart, clock, log } = this.#options
    this.#show({ kind })
    const ways = { sessions, connect, connectApart, clock, log }
    const ends = await openCopyEnds({ ...ways, ...order, localTree, signal })
    // A run that has stopped clears up over the link; if that is dead, its calls are ended from here.
    const cleared = new AbortController()
    const onAbort = (): void => {
      ends.leaveApart()
      void this.#waitForClearing(signal, cleared.signal, ends.closeSource).finally(ends.close)
    }
    signal.addEventListener('abort', onAbort, { once: true, signal: cleared.signal })
    const show = (phase: TransferPhase): void => {
      if (!signal.aborted) this.#show(phase)
    }
    try {
      await runCopy({
        source: ends.source,
        target: ends.target,
        order,
        clock,
        signal,
        written,
        roundTripMs: ends.roundTripMs,
        events: {
          looking: (files) => show({ kind: 'looking', files }),
          ask: (paths) => this.#ask(paths, signal),
          copying: (total) => {
            this.#total = total
            show({ kind: 'copying' })
            this.tick()
          },
          bytes: (more) => (this.#done = { ...this.#done, bytes: this.#done.bytes + more }),
          fileDone: () => (this.#done = { ...this.#done, files: this.#done.files + 1 }),
          skipped: (entry) => this.#skip(entry),
          part: (path, isThere) => {
            if (isThere) this.#parts.add(path)
            else this.#parts.delete(path)
          },
        },
      })
    } catch (error) {
      throw await ends.explain(error)
    } finally {
      cleared.abort()
      ends.close()
    }
  }

  /**
   * Resolves when it is no longer to be waited for that a stopped run clears up over its session. What is half done on
   * this computer is cleared up once the session is closed.
   */
  async #waitForClearing(stopped: AbortSignal, cleared: AbortSignal, leaveSource: () => void): Promise<void> {
    const { clock, order } = this.#options
    await clock.sleep(leaveMs)
    const isForLonger = order.target.side === 'remote' && stopped.reason instanceof Canceled
    if (cleared.aborted || !isForLonger) return
    this.#showCanceled(stopped)
    // What it still reads may never come, and nothing is cleared up before.
    leaveSource()
    await clock.sleep(clearMs, AbortSignal.any([cleared, this.#gone.signal])).catch(() => undefined)
  }

  #ask(paths: readonly string[], signal: AbortSignal): Promise<ConflictChoice> {
    if (this.#choice !== null) return Promise.resolve(this.#choice)
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Canceled()), { once: true })
      this.#answer = (choice) => {
        this.#answer = null
        this.#choice = choice
        resolve(choice)
      }
      const named = paths.toSorted().slice(0, mostNamed).map(shortenedPath)
      this.#show({ kind: 'asking', count: paths.length, paths: named })
    })
  }

  #problemOf(error: unknown): TransferProblem {
    const known = knownProblem(error)
    if (known !== null) return known
    const { order, log } = this.#options
    const id = log.error('A transfer failed', error)
    const { side } = order.target
    return { kind: 'failed', side, path: order.to, detail: `an unexpected fault, in the log under ${id}` }
  }

  #show(phase: TransferPhase): void {
    this.#phase = phase
    if (this.#notifies) this.#notify()
    this.#options.onChange()
  }

  #notify(): void {
    const { notify, clock } = this.#options
    const seconds = this.#since === null ? null : Math.max(0, clock.now() - this.#since) / 1_000
    const notification = transferNotification(this.value, seconds)
    if (notification !== null) notify(notification)
    // A question is no end: the end is still to be told.
    if (this.isOver) this.#notifies = false
  }
}
