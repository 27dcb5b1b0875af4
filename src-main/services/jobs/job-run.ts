import type { JobOutcome, JobTrouble } from '../../domain/jobs/job.ts'
import { isHalted } from '../../domain/instances/instance-status.ts'
import { computePerHourUsd } from '../../domain/money/money.ts'
import type { JobEvent } from './job-journal.ts'
import type { JobLog } from './job-log.ts'
import { costUsdOf, type JobRecord } from './job-record.ts'
import { isOther } from './ready-instance.ts'
import type { JobServices, Progress } from './step-context.ts'
import { Steps } from './steps.ts'
import { pauseAfterTroubleMs, troubleOf } from './trouble.ts'

export interface JobRunOptions extends JobServices {
  readonly record: () => JobRecord
  readonly others: () => readonly JobRecord[]
  readonly write: (event: JobEvent) => Promise<void>
  readonly folder: string
  readonly output: JobLog
  /** Whether SSH waits for the user's answer about this instance. */
  readonly isAsked: (instanceId: number) => boolean
  /** Whether there is a connection to it now that answers. */
  readonly isAlive: (instanceId: number) => boolean
  /** Something of it is new. */
  readonly onChange: () => void
  /** It waits for the user. */
  readonly onWaiting: (trouble: JobTrouble) => void
  /** What is in its way doesn't pass, however often it's tried. */
  readonly onStuck: () => void
  readonly onEnded: (outcome: JobOutcome) => void
}

/** How often a command that writes nothing is said to be heard from, and whether a job is stuck is looked at. */
const heardMs = 15_000

/** What is retried for so long is told: some ten tries by then. */
const stuckMs = 5 * 60_000

/** Between two parts of a step: what would go on at once for ever doesn't hold up all else. */
const partMs = 50

/** The user has said something that the step must know. */
class Interrupted extends Error {}

const question: JobTrouble = { isRetrying: false, reason: { kind: 'question' } }

/** One job on its way, from where its journal says it is to its end. */
export class JobRun {
  progress: Progress | null = null
  heardAt: number | null = null
  readonly #options: JobRunOptions
  readonly #steps: Steps
  #trouble: JobTrouble | null = null
  /** Since when it's retried, and nothing has gone well. */
  #troubledSince: number | null = null
  #isToldStuck = false
  #failures = 0
  #isPausing = false
  /** Whether the list before had its instance running. */
  #ran = false
  #interruption = new AbortController()
  /** The step that the user was told of, and why it waits. */
  #told = ''

  constructor(options: JobRunOptions) {
    this.#options = options
    this.#steps = new Steps({
      ...options,
      end: (outcome) => this.#end(outcome),
      showProgress: (progress) => this.#showProgress(progress),
      showTrouble: (trouble) => this.#showTrouble(trouble),
      noteHeard: () => this.#noteHeard(),
    })
  }

  /** What keeps it from going on; what SSH asks comes first: whoever answers that goes on. */
  get trouble(): JobTrouble | null {
    const { record, isAsked } = this.#options
    const { instance, outcome } = record()
    if (outcome !== null) return null
    return instance !== null && isAsked(instance.id) ? question : this.#trouble
  }

  /** What an hour of its instance costs, $; as listed now, or as last known. */
  get perHourUsd(): number | null {
    const { record, watch } = this.#options
    const { instance, perHourUsd } = record()
    const listed = instance && watch.find(instance.id)
    if (instance === null || !listed || isOther(instance, listed)) return perHourUsd
    return computePerHourUsd(listed.record) ?? perHourUsd
  }

  /** Resolves when it has ended, or the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const hearing = this.#hear(AbortSignal.any([signal, over.signal]))
    try {
      while (!signal.aborted && this.#options.record().outcome === null) await this.#try(signal)
    } finally {
      over.abort()
      await hearing
    }
  }

  /** The step begins anew, by what its record says now, and at once. */
  interrupt(): void {
    this.#failures = 0
    this.#troubledSince = null
    this.#interruption.abort(new Interrupted())
  }

  /** A new list: what goes over SSH is broken off when the instance doesn't run any more, rather than waited for. */
  noteList(): void {
    const { record, watch } = this.#options
    const { instance, step } = record()
    const listed = instance && watch.find(instance.id)
    const runs = instance !== null && !!listed && !isHalted(listed) && !isOther(instance, listed)
    if (this.#ran && !runs && step !== 'instance' && step !== 'end') this.interrupt()
    this.#ran = runs
  }

  /** The computer slept: what is tried again is tried now. */
  hurry(): void {
    if (this.#trouble?.isRetrying === true && this.#isPausing) this.interrupt()
  }

  async #end(outcome: JobOutcome): Promise<void> {
    const { record, write, clock, onEnded } = this.#options
    const { perHourUsd } = this
    const costUsd = costUsdOf(record(), perHourUsd, clock.now())
    await write({ kind: 'ended', outcome, perHourUsd, costUsd })
    onEnded(outcome)
  }

  async #try(signal: AbortSignal): Promise<void> {
    const { record, clock, log } = this.#options
    this.#interruption = new AbortController()
    const either = AbortSignal.any([signal, this.#interruption.signal])
    const { step } = record()
    try {
      await this.#steps.next(either)
      this.#failures = 0
      this.#troubledSince = null
      if (record().outcome !== null) return
      // A part of it is done, such as that its rental has begun.
      if (record().step === step) return await clock.sleep(partMs, either).catch(() => undefined)
      this.progress = null
      this.#told = ''
      this.#isToldStuck = false
      this.#showTrouble(null)
    } catch (error) {
      if (either.aborted) return
      this.#failures += 1
      const trouble = troubleOf(error, log)
      this.#showTrouble(trouble)
      this.#isPausing = true
      const pauseMs = trouble.isRetrying ? pauseOf(trouble, this.#failures) : null
      await (pauseMs === null ? aborted(either) : clock.sleep(pauseMs, either).catch(() => undefined)) // woken
      this.#isPausing = false
    }
  }

  async #hear(signal: AbortSignal): Promise<void> {
    const { record, clock, isAlive } = this.#options
    while (!signal.aborted) {
      const { step, instance } = record()
      if (step === 'run' && instance !== null && this.#trouble === null && isAlive(instance.id))
        this.#noteHeard()
      this.#tellStuck()
      await clock.sleep(heardMs, signal).catch(() => undefined) // over
    }
  }

  #showProgress(progress: Progress): void {
    this.progress = progress
    this.#trouble = null
    if (progress.bytesDone > 0) this.#troubledSince = null
    this.#options.onChange()
  }

  #showTrouble(trouble: JobTrouble | null): void {
    if (trouble === null && this.#trouble === null) return
    this.#trouble = trouble
    // What waits for the user, or for another job, isn't retried.
    if (trouble !== null)
      this.#troubledSince =
        trouble.isRetrying && trouble.reason.kind !== 'other-job'
          ? (this.#troubledSince ?? this.#options.clock.now())
          : null
    this.#options.onChange()
    if (trouble === null || trouble.isRetrying) return
    this.tellWaiting(trouble)
  }

  /** Once for each step and reason. */
  tellWaiting(trouble: JobTrouble): void {
    const now = `${this.#options.record().step} ${trouble.reason.kind}`
    if (now === this.#told) return
    this.#told = now
    this.#options.onWaiting(trouble)
  }

  /** Once for each step. */
  #tellStuck(): void {
    const { clock, onStuck } = this.#options
    if (this.#isToldStuck || this.#troubledSince === null || this.#trouble === null) return
    if (clock.now() - this.#troubledSince < stuckMs) return
    this.#isToldStuck = true
    onStuck()
  }

  #noteHeard(): void {
    this.heardAt = this.#options.clock.now()
    this.#trouble = null
    this.#troubledSince = null
    this.#options.onChange()
  }
}

/** @returns in ms; as long as the service asks for, where it does */
function pauseOf({ reason }: JobTrouble, failures: number): number {
  const problem = reason.kind === 'problem' ? reason.problem : null
  const askedMs = problem?.kind === 'rate-limited' ? (problem.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(askedMs, pauseAfterTroubleMs(failures))
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
