import type { Clock } from '../../../domain/base/clock.ts'
import type { Log } from '../../../domain/base/log.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import type {
  HeldBack,
  Project,
  ProjectPhase,
  ProjectState,
  ReviewAnswers,
  ReviewOutcome,
  WatchFault,
} from '../../../domain/files/project.ts'
import type { TransferProblem } from '../../../domain/files/transfer.ts'
import { Canceled } from '../copy-file.ts'
import { isLoss } from '../copy-session.ts'
import { knownProblem } from '../failure.ts'
import type { FileTree } from '../file-tree.ts'
import { carryOut, countsOf, type Tally } from './carry-out.ts'
import type { Comparison } from './compare-trees.ts'
import { HeldFiles, isSameIgnoring, mayUncover, type Admitted, type Ignoring } from './held-back.ts'
import { ProjectDifferences } from './project-differences.ts'
import { isSame, type FileStamp } from './push-decision.ts'
import type { PushedFiles } from './pushed-files.ts'
import { reviewOf } from './review.ts'
import { SentLines } from './sent-lines.ts'
import type { FolderSync, PushOrder } from './sync.ts'

export interface ProjectPushOptions {
  readonly project: Project
  /** What left files out of the last push; `null` before the first. */
  readonly ignoring: Ignoring | null
  readonly sync: FolderSync
  readonly localTree: FileTree
  readonly pushed: PushedFiles
  readonly clock: Clock
  readonly log: Log
  /** Something of its `state` is new; `often`: and will be again soon. */
  readonly onChange: (often: boolean) => void
  /** All that may be sent was sent, but for what changed there, too. @throws ProblemError storage-failed */
  readonly onPushed: (ignoring: Ignoring) => Promise<void>
}

/** What a push by itself came to. */
export type ChangesOutcome = 'done' | 'failed' | 'stopped'

const noChanges: ReadonlyMap<string, FileStamp | null> = new Map()
const noAnswers: ReviewAnswers = { replace: [], remove: [], keep: [] }

/** One project: how it differs, and its pushes, one at a time. */
export class ProjectPush {
  readonly #options: ProjectPushOptions
  readonly #queue = new SerialQueue()
  #phase: ProjectPhase = { kind: 'idle' }
  #last: ProjectState['last'] = null
  readonly #held = new HeldFiles()
  #project: Project
  #ignoring: Ignoring | null
  /** As of `#ignoring`, when the user last saw what a push would do; `null` once that was pushed. */
  #ignoringSeen: Ignoring | null = null
  /** What was being pushed by itself when the user canceled that: it isn't begun again before more changes. */
  #canceled = noChanges
  /** What was being pushed by itself when the connection was lost: it's begun again after a pause. */
  #lost = noChanges
  #watchFault: WatchFault | null = null
  /** Ends the push that is under way. */
  #current = new AbortController()
  readonly #gone = new AbortController()
  readonly #differences: ProjectDifferences

  constructor(options: ProjectPushOptions) {
    this.#options = options
    this.#project = options.project
    this.#ignoring = options.ignoring
    this.#differences = new ProjectDifferences({ ...options, held: this.#held })
  }

  get state(): ProjectState {
    return {
      ...{ project: this.#project, phase: this.#phase, last: this.#last },
      ...{ heldBack: this.#held.counts, watchFault: this.#watchFault },
    }
  }

  /** From now on what changes here may be pushed by itself. */
  setReviewed(): void {
    this.#project = { ...this.#project, isReviewed: true }
  }

  /** The instance isn't running, and nothing can be pushed before it does. */
  wait(isWaiting: boolean): void {
    if (isWaiting) this.#show({ kind: 'waiting' })
    else if (this.#phase.kind === 'waiting') this.#show({ kind: 'idle' })
  }

  setWatchFault(fault: WatchFault | null): void {
    if (fault === this.#watchFault) return
    this.#watchFault = fault
    this.#options.onChange(false)
  }

  /** How both folders differ. Nothing is changed. Never rejects, but with the signal's reason. */
  review(asked: AbortSignal): Promise<ReviewOutcome> {
    const signal = AbortSignal.any([asked, this.#gone.signal])
    return this.#queue.take(async () => {
      try {
        const order = this.#order('asking', signal)
        const compared = await this.#options.sync.overLink(order, (session) =>
          this.#differences.compare(order, session),
        )
        const { pushed } = this.#options
        await pushed.learn(compared.lines)
        this.#held.show(compared)
        this.#ignoringSeen = compared.ignoring
        this.#show({ kind: 'idle' })
        return reviewOf(compared, (await pushed.all()).size)
      } catch (error) {
        this.#show({ kind: 'idle' })
        signal.throwIfAborted()
        return { kind: 'failed', problem: this.#problemOf(error) }
      }
    })
  }

  /**
   * Pushes what differs. What changed there is replaced, and what is gone here deleted, where the last review has shown it
   * and the user said so.
   */
  push(answers: ReviewAnswers): Promise<ChangesOutcome> {
    return this.#queue.take(() => this.#run(this.#order('asking', this.#begin()), answers))
  }

  /**
   * Pushes what changed here since the last push, as far as nobody has to be asked: see `HeldFiles.admitUnasked`. Without
   * any change but those that are held back, nothing is asked of the instance.
   *
   * @param onFolders the folders here, before anything is sent
   * @param whenUp resolves when the instance can be reached; not awaited without a change
   */
  async pushChanges(
    signal: AbortSignal,
    onFolders: (folders: readonly string[]) => void,
    whenUp: () => Promise<void>,
  ): Promise<ChangesOutcome> {
    const order = { ...this.#order('quiet', signal), onProgress: () => undefined }
    let changes = noChanges
    try {
      const before = this.#held.counts
      const { folders, scope, changes: found } = await this.#differences.changesHere(order)
      changes = found
      if (!isSameCounts(before, this.#held.counts)) this.#options.onChange(false)
      onFolders(folders)
      if (scope.size === 0 || isWithin(changes, this.#canceled)) {
        if (this.#phase.kind === 'failed' || this.#isPausing) this.#show({ kind: 'idle' })
        return 'done'
      }
      // What the user pushes meanwhile isn't held up.
      await whenUp()
    } catch (error) {
      if (signal.aborted) return 'stopped'
      this.#show({ kind: 'failed', problem: this.#problemOf(error) })
      return 'failed'
    }
    return this.#queue.take(async () => {
      const outcome = await this.#run(
        this.#order('quiet', AbortSignal.any([signal, this.#begin()])),
        noAnswers,
        true,
      )
      this.#canceled = outcome === 'stopped' ? changes : noChanges
      this.#lost = this.#phase.kind === 'reconnecting' ? changes : noChanges
      return outcome
    })
  }

  /** Ends what is under way, of which half files are removed; or what waits for a lost connection. */
  cancel(): void {
    this.#current.abort(new Canceled())
    if (!this.#isPausing) return
    this.#canceled = this.#lost
    this.#show({ kind: 'idle' })
  }

  /** Ends what is under way; a later push goes on with it. Resolves when it has ended. */
  async dispose(): Promise<void> {
    this.#gone.abort(new Error('the program ends'))
    await this.#queue.take(() => Promise.resolve())
  }

  get #isPausing(): boolean {
    return this.#phase.kind === 'reconnecting' && this.#lost.size > 0
  }

  #begin(): AbortSignal {
    this.#current = new AbortController()
    this.#lost = noChanges
    return AbortSignal.any([this.#current.signal, this.#gone.signal])
  }

  #order(manner: 'asking' | 'quiet', signal: AbortSignal): PushOrder {
    const { instanceId, local, remote, honorGitignore, excludes } = this.#project
    return {
      ...{ instanceId, local, remote, honorGitignore, excludes, manner, signal },
      // On save, whoever tries again looks first whether the instance runs.
      isRegained: manner === 'asking',
      onProgress: (progress) => {
        if (signal.aborted) return
        const isOften = progress.kind === 'looking' || progress.kind === 'copying'
        this.#show(progress.kind === 'copying' ? { ...progress, kind: 'pushing' } : progress, isOften)
      },
    }
  }

  /** @param isScoped only where something changed here is looked at there */
  async #run(order: PushOrder, answers: ReviewAnswers, isScoped = false): Promise<ChangesOutcome> {
    const { sync, pushed, clock, log } = this.#options
    const { signal } = order
    const sent = new SentLines(pushed)
    const written = new Map<string, number>()
    const tally: Tally = { arrived: new Set(), removed: new Set(), skipped: [] }
    try {
      signal.throwIfAborted()
      const { ignoring, isUncovered } = await sync.overLink(order, async (session) => {
        // What arrived over a link that was lost is to be known.
        await sent.settled()
        tally.skipped = []
        const compared = await this.#differences.compare(order, session, isScoped)
        await pushed.learn(compared.lines)
        const admitted = await this.#admit(compared, answers, isScoped)
        await carryOut(
          { ...this.#options, order, session, compared, written, sent, tally, held: this.#held },
          admitted,
        )
        return { ...compared, ...admitted }
      })
      await sent.settled()
      this.#last = { at: clock.now(), ...countsOf(tally) }
      await this.#pushedAll(isUncovered ? null : ignoring, isScoped)
      this.#show({ kind: 'idle' })
      return 'done'
    } catch (error) {
      await sent
        .settled()
        .catch((fault: unknown) => void log.error('What was pushed could not be kept', fault))
      if (tally.arrived.size + tally.removed.size > 0) this.#last = { at: clock.now(), ...countsOf(tally) }
      if (signal.aborted) {
        this.#show({ kind: 'idle' })
        return 'stopped'
      }
      const problem = this.#problemOf(error)
      this.#show(isScoped && isLoss(problem) ? { kind: 'reconnecting' } : { kind: 'failed', problem })
      return 'failed'
    }
  }

  /** `isUncovered`: something waits that may have been ignored before. What is held then may be forgotten by a later scan. */
  async #admit(
    compared: Comparison,
    answers: ReviewAnswers,
    isScoped: boolean,
  ): Promise<Admitted & { readonly isUncovered: boolean }> {
    const { localTree, pushed } = this.#options
    const before = (isScoped ? null : this.#ignoringSeen) ?? this.#ignoring
    const mayBe = before !== null && (await mayUncover(localTree, before, compared.ignoring))
    const known = await pushed.all()
    const admitted = isScoped
      ? this.#held.admitUnasked(compared, mayBe, known.size)
      : this.#held.admitAnswered(compared, answers, mayBe)
    return { ...admitted, isUncovered: this.#held.counts.uncovered > 0 }
  }

  /** @param ignoring `null` while something waits that may have been ignored before */
  async #pushedAll(ignoring: Ignoring | null, isScoped: boolean): Promise<void> {
    if (!isScoped) {
      this.#held.answered()
      this.#ignoringSeen = null
    }
    if (ignoring === null) return
    if (isScoped && this.#ignoring !== null && isSameIgnoring(this.#ignoring, ignoring)) return
    this.#ignoring = ignoring
    await this.#options.onPushed(ignoring)
  }

  #problemOf(error: unknown): TransferProblem {
    const known = knownProblem(error)
    if (known !== null) return known
    const { log } = this.#options
    const detail =
      error instanceof ProblemError
        ? 'Slipway couldn’t save or read its list of pushed files'
        : `an unexpected fault, in the log under ${log.error('A push failed', error)}`
    return { kind: 'failed', side: 'local', path: this.#project.local, detail }
  }

  #show(phase: ProjectPhase, often = false): void {
    this.#phase = phase
    this.#options.onChange(often)
  }
}

function isSameCounts(one: HeldBack, other: HeldBack): boolean {
  return one.conflict === other.conflict && one.gone === other.gone && one.uncovered === other.uncovered
}

function isWithin(changes: typeof noChanges, canceled: typeof noChanges): boolean {
  return [...changes].every(([path, here]) => {
    const before = canceled.get(path)
    return before === undefined || before === null || here === null ? before === here : isSame(before, here)
  })
}
