import type { Clock } from '../../domain/base/clock.ts'
import { hasLasted } from '../../domain/ssh/connection-lifecycle.ts'
import type { KeptTransfer } from './transfer-store.ts'
import type { Log } from '../../domain/base/log.ts'
import {
  isOver,
  type ConflictChoice,
  type SkippedEntry,
  type Transfer,
  type TransferOrder,
  type TransferPhase,
  type TransferProblem,
} from '../../domain/files/transfer.ts'
import { TransferSpeed } from './transfer-speed.ts'
import { createApartChannels } from './apart-channels.ts'
import { Canceled } from './copy-file.ts'
import { knownProblem } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { mostNamed } from './limits.ts'
import { removeParts } from './remove-parts.ts'
import { runCopy } from './copy-job.ts'
import { sessionPatienceMs, type Connect, type ConnectApart } from './session.ts'
import type { SessionPool } from './session-pool.ts'
import { shortenedPath } from './shortened.ts'
import { spreadTree } from './spread-tree.ts'

export interface TransferTaskOptions extends KeptTransfer {
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
  /** Something of its `value` is new. */
  readonly onChange: () => void
}

/** For what is half done to be cleared away before it is over; a dead link would take for ever. */
const leaveMs = 2_000
/** After a cancel it is tried for longer: on a slow line it stands behind megabytes that were sent before. */
const clearMs = 60_000
/** A piece may take a minute over a slow line before it is answered. */
const patienceMs = 120_000
/** From here on a file is large, and an instance far: below, more channels cost more than they bring. */
const largeBytes = 64 * 1024 * 1024
const farMs = 10
/** Links in a row that did not last, after which it's given up. */
const mostLosses = 5

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
  /** Given once, it holds for later tries too. */
  #choice: ConflictChoice | null
  #answer: ((choice: ConflictChoice) => void) | null = null

  constructor(options: TransferTaskOptions) {
    this.#options = options
    this.#choice = options.choice
    if (options.failed !== null) this.#phase = { kind: 'failed', problem: options.failed }
  }

  /** What a later run has to know; `null` when it is over for good. */
  get kept(): KeptTransfer | null {
    const { id, order } = this.#options
    const phase = this.#phase
    if (phase.kind === 'done' || phase.kind === 'cancelled') return null
    return { id, order, choice: this.#choice, failed: phase.kind === 'failed' ? phase.problem : null }
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

  /** Back to the queue, when it has failed or was canceled. */
  prepareAgain(): void {
    this.#end = new AbortController()
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
    if (this.#phase.kind === 'waiting') this.#show({ kind: 'cancelled' })
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
    if (this.#options.order.direction === 'upload') this.#showCanceled(signal)
    if (signal.reason instanceof Canceled) await this.removeParts()
    this.#showCanceled(signal)
  }

  /** Whether it has begun a half file of another transfer, too. */
  holds(part: string, { direction, instanceId }: TransferOrder): boolean {
    const { order } = this.#options
    if (order.direction !== direction) return false
    return (direction === 'download' || order.instanceId === instanceId) && this.#parts.has(part)
  }

  /**
   * Of tries that failed or whose link was lost. What is out of reach stays, and so does what a run of Slipway before
   * has left, as far as none since has gone on with it.
   */
  async removeParts(): Promise<void> {
    for (const part of this.#parts) if (this.#options.isOfAnother(part)) this.#parts.delete(part)
    await removeParts(this.#parts, { ...this.#options, signal: this.#gone.signal })
  }

  /** Not when it is to be tried again already. */
  #showCanceled(signal: AbortSignal): void {
    if (signal === this.#end.signal && !this.isOver) this.#show({ kind: 'cancelled' })
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
    const { instanceId } = order
    const session = await sessions.acquire({ instanceId, purpose: 'copy', connect, patienceMs, signal })
    const patience = patienceMs / sessionPatienceMs
    const apart = createApartChannels({ instanceId, connect: connectApart, clock, log, patience })
    const isFar = (): boolean => (session.roundTripMs() ?? 0) >= farMs
    const remoteTree = spreadTree(session.tree, {
      leastBytes: largeBytes,
      more: async () => (isFar() ? apart.trees() : []),
    })
    const close = (): void => {
      apart.close()
      session.close()
    }
    // A run that has stopped clears up over the link; if that is dead, its calls are ended from here.
    const cleared = new AbortController()
    const onAbort = (): void => {
      // What is under way there needn't be waited for.
      apart.close()
      void this.#waitForClearing(signal, cleared.signal).finally(close)
    }
    signal.addEventListener('abort', onAbort, { once: true, signal: cleared.signal })
    const show = (phase: TransferPhase): void => {
      if (!signal.aborted) this.#show(phase)
    }
    const [source, target] = order.direction === 'upload' ? [localTree, remoteTree] : [remoteTree, localTree]
    try {
      await runCopy({
        source,
        target,
        order,
        clock,
        signal,
        written,
        roundTripMs: session.roundTripMs,
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
      throw await session.explain(error)
    } finally {
      cleared.abort()
      close()
    }
  }

  /**
   * Resolves when it is no longer to be waited for that a stopped run clears up over its session. What is half done on
   * this computer is cleared up once the session is closed.
   */
  async #waitForClearing(stopped: AbortSignal, cleared: AbortSignal): Promise<void> {
    const { clock, order } = this.#options
    await clock.sleep(leaveMs)
    const isForLonger = order.direction === 'upload' && stopped.reason instanceof Canceled
    if (cleared.aborted || !isForLonger) return
    this.#showCanceled(stopped)
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
    const side = order.direction === 'upload' ? 'remote' : 'local'
    return { kind: 'failed', side, path: order.to, detail: `an unexpected fault, in the log under ${id}` }
  }

  #show(phase: TransferPhase): void {
    this.#phase = phase
    this.#options.onChange()
  }
}

function isLoss(problem: TransferProblem): boolean {
  return problem.kind === 'connection' && problem.problem.kind === 'link-lost'
}
