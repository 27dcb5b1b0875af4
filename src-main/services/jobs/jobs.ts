import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { Latest } from '../../domain/base/latest.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { JobEnd } from '../../domain/jobs/job-definition.ts'
import type { Job, JobOrder, JobTrouble, MissingOutputs } from '../../domain/jobs/job.ts'
import { identityOf, unknownIdentity } from '../../domain/instances/instance-identity.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { ifThere } from '../storage/disk.ts'
import { passRuleOn } from './end-step.ts'
import { remoteFolderOf } from './job-folders.ts'
import type { JobEntry, JobEvent } from './job-journal.ts'
import type { JobLog } from './job-log.ts'
import {
  jobEndedNotification,
  jobStuckNotification,
  jobUnguardedNotification,
  jobWaitingNotification,
} from './job-notifications.ts'
import { costUsdOf, endOf, instanceOf, sharesInstance, type JobRecord } from './job-record.ts'
import type { JobRecords } from './job-records.ts'
import { JobRun, type JobRunOptions } from './job-run.ts'
import type { JobServices } from './step-context.ts'
import { pauseAfterTroubleMs } from './trouble.ts'

export interface JobsOptions extends JobServices, Pick<JobRunOptions, 'isAsked' | 'isAlive'> {
  readonly records: JobRecords
  readonly seal: (text: string) => Promise<string>
  readonly notify: (notification: Notification) => void
  /** The folder of one job in the account's. */
  readonly folderOf: (id: string) => string
  readonly outputOf: (id: string) => Promise<JobLog>
  /** Deletes all that is kept of one but its entries. */
  readonly deleteFiles: (id: string) => Promise<void>
}

/** How often the window is told of progress. */
const tellMs = 250

type Begun = Extract<JobEntry, { readonly kind: 'begun' }>

/** All jobs of the account, also from former runs. Each goes on by itself, beside the others. */
export class Jobs {
  readonly state = new Latest<readonly Job[]>([])
  readonly #options: JobsOptions
  readonly #runs = new Map<string, { readonly run: JobRun; readonly output: JobLog }>()
  readonly #running = new Set<Promise<void>>()
  /** Why jobs aren't taken up yet. */
  readonly #waiting = new Map<string, JobTrouble>()
  readonly #beginning = new SerialQueue()
  /** Of its follower; nothing is done before there is one, or after. */
  #signal: AbortSignal | null = null
  #isTelling = false

  constructor(options: JobsOptions) {
    this.#options = options
    this.#publish()
  }

  /** How many go on. */
  get underWay(): number {
    return this.#options.records.unended().length
  }

  /** Whether what happens to the list is waited for: an instance is to run, or to be gone. */
  get waitsForList(): boolean {
    const { records } = this.#options
    return records.unended().some(({ step }) => step === 'instance' || step === 'end')
  }

  /** Takes up what was under way. */
  async follow(signal: AbortSignal): Promise<void> {
    this.#signal = signal
    const { records, watch, log } = this.#options
    for (const { id } of records.unended()) this.#start(id)
    for (const record of records.all.values())
      this.#stopRenting(record).catch((error: unknown) => {
        log.error(`The auto-retry of job ${record.id}, which was given up, goes on`, error)
      })
    for await (const _ of watch.snapshot.watch(signal)) {
      for (const { run } of this.#runs.values()) run.noteList()
      this.#publish()
    }
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Something about connections is new. */
  noteConnections(): void {
    for (const { run } of this.#runs.values()) {
      const { trouble } = run
      if (trouble?.reason.kind === 'question') run.tellWaiting(trouble)
    }
    this.#tellSoon()
  }

  /** The computer slept. */
  wake(): void {
    for (const { run } of this.#runs.values()) run.hurry()
  }

  /**
   * @throws ProblemError invalid-input, also where a job has asked for the instance to be stopped or destroyed;
   *   storage-failed, keychain-locked: nothing was begun then
   */
  begin({ definition, folder, place }: JobOrder): Promise<{ readonly id: string }> {
    return this.#beginning.take(async () => {
      const { seal } = this.#options
      const { options, ...shown } = place.kind === 'rent' ? place : { ...place, options: null }
      const sealedOptions = options === null ? null : await seal(JSON.stringify(options))
      return this.#begin({ definition, folder, place: shown, sealedOptions })
    })
  }

  /** The same order once more. @throws ProblemError as `begin`; while it goes on */
  repeat(id: string): Promise<{ readonly id: string }> {
    return this.#beginning.take(async () => {
      const record = this.#find(id)
      if (record.outcome === null) throw invalidInput('id', { code: 'busy' })
      return this.#begin(record)
    })
  }

  /** @throws ProblemError storage-failed; once the service was asked to stop or destroy the instance */
  async cancel(id: string, instance: JobEnd): Promise<void> {
    await this.#say(id, { kind: 'canceling', instance })
    const { outcome, canceling } = this.#find(id)
    if (outcome === null && canceling !== instance) throw invalidInput('id', { code: 'ended' })
  }

  retry(id: string): void {
    this.#find(id)
    this.#runs.get(id)?.run.interrupt()
  }

  /**
   * Goes on without these outputs, and no others: what it waits for may be more by now than the user was shown.
   *
   * @throws ProblemError storage-failed; when it doesn't wait for any
   */
  async acceptMissing(id: string, missing: MissingOutputs): Promise<void> {
    const { step } = this.#find(id)
    const reason = this.#runs.get(id)?.run.trouble?.reason
    const isComing = step === 'fetch' || step === 'verify'
    if (!isComing || reason?.kind !== missing.of) throw invalidInput('id', { code: 'ended' })
    await this.#say(id, { kind: 'accepting', ...missing })
  }

  /** Ends it at once, whatever it's at. @throws ProblemError storage-failed; also when what was rented for it can't be destroyed: once more tries that again */
  async giveUp(id: string): Promise<void> {
    const { retries, actions } = this.#options
    if (this.#find(id).outcome === null) await this.#endGivenUp(id)
    const ended = this.#find(id)
    if (ended.outcome?.kind !== 'given-up') return
    await this.#stopRenting(ended)
    // It came to run, and the job didn't get to take it.
    const came = ended.retry && ended.instance === null ? retries.outcomeOf(ended.retry.id) : null
    if (came?.kind === 'running') await actions.destroy(came.instanceId)
  }

  async #endGivenUp(id: string): Promise<void> {
    const { records, clock } = this.#options
    const record = this.#find(id)
    const run = this.#runs.get(id)?.run
    const perHourUsd = run?.perHourUsd ?? record.perHourUsd
    const costUsd = costUsdOf(record, perHourUsd, clock.now())
    const outcome = { kind: 'given-up', step: record.step } as const
    await records.append(id, { kind: 'ended', outcome, perHourUsd, costUsd })
    run?.interrupt()
    await passRuleOn({ ...this.#options, record: () => record, others: () => this.#othersOf(record) })
    this.#publish()
  }

  /** @throws ProblemError storage-failed; while it goes on */
  async forget(id: string): Promise<void> {
    const { records, deleteFiles } = this.#options
    if (this.#find(id).outcome === null) throw invalidInput('id', { code: 'busy' })
    await records.append(id, { kind: 'forgotten' })
    this.#runs.delete(id)
    this.#publish()
    await deleteFiles(id)
  }

  /** @throws ProblemError storage-failed */
  async setNotifying(id: string, isOn: boolean): Promise<void> {
    this.#find(id)
    await this.#options.records.append(id, { kind: 'notifying', isOn })
    this.#publish()
  }

  /** What one has written. @throws ProblemError storage-failed; when it isn't known */
  async outputOf(id: string): Promise<JobLog> {
    this.#find(id)
    return this.#runs.get(id)?.output ?? this.#options.outputOf(id)
  }

  record(id: string): JobRecord {
    return this.#find(id)
  }

  async #begin({
    definition,
    folder,
    place,
    sealedOptions,
  }: Pick<Begun, 'definition' | 'folder' | 'place' | 'sealedOptions'>): Promise<{
    readonly id: string
  }> {
    const { records, watch, randomId } = this.#options
    if (!isAbsolute(folder) || (await ifThere(stat(folder)))?.isDirectory() !== true)
      throw invalidInput('folder', { code: 'not-available' })
    const isSamePlace = (other: JobRecord): boolean =>
      place.kind === 'instance' && instanceOf(other)?.id === place.instanceId
    if (records.unended().some((other) => other.folder === folder && isSamePlace(other)))
      throw invalidInput('folder', { code: 'busy' })
    if (records.unended().some((other) => other.asked !== null && isSamePlace(other)))
      throw invalidInput('instanceId', { code: 'not-available' })
    const listed = place.kind === 'instance' ? watch.find(place.instanceId) : undefined
    const id = randomId()
    await records.begin(id, {
      ...{ definition, folder, place, sealedOptions },
      remoteFolder: remoteFolderOf(folder),
      identity: place.kind === 'instance' ? (listed ? identityOf(listed.record) : unknownIdentity) : null,
    })
    this.#start(id)
    this.#publish()
    return { id }
  }

  async #say(
    id: string,
    event: Extract<JobEvent, { readonly kind: 'canceling' | 'accepting' }>,
  ): Promise<void> {
    if (this.#find(id).outcome !== null) return
    await this.#options.records.append(id, event)
    this.#runs.get(id)?.run.interrupt()
    this.#publish()
  }

  /** What was begun for one that was given up isn't wanted, also when Slipway has ended before that was said. */
  async #stopRenting({ outcome, retry }: JobRecord): Promise<void> {
    const wasRenting = outcome?.kind === 'given-up' && outcome.step === 'instance'
    if (wasRenting && retry !== null) await this.#options.retries.stop(retry.id, 'destroy')
  }

  /** Other jobs that still use its instance. */
  #othersOf(record: JobRecord): readonly JobRecord[] {
    return this.#options.records.unended().filter((other) => sharesInstance(other, record))
  }

  #find(id: string): JobRecord {
    const record = this.#options.records.get(id)
    if (record === undefined) throw invalidInput('id', { code: 'not-listed' })
    return record
  }

  #start(id: string): void {
    const signal = this.#signal
    if (signal === null || signal.aborted) return
    const running = this.#run(id, signal).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #run(id: string, signal: AbortSignal): Promise<void> {
    const { records, retries, folderOf, log } = this.#options
    const kept = this.#find(id)
    // One that isn't known any more has been forgotten, so it had ended.
    const forgotten: JobRecord = { ...kept, outcome: { kind: 'given-up', step: kept.step } }
    const record = (): JobRecord => records.get(id) ?? forgotten
    try {
      const output = await this.#open(id, signal)
      const run = new JobRun({
        ...this.#options,
        ...{ record, output, folder: folderOf(id) },
        others: () => this.#othersOf(record()),
        write: async (event) => {
          await records.append(id, event)
          this.#publish()
          if (event.kind === 'guarding' && !event.isSet) this.#tell(jobUnguardedNotification(record()))
        },
        onChange: () => this.#tellSoon(),
        onStuck: () => this.#tell(jobStuckNotification(record())),
        onWaiting: (trouble) => this.#tell(jobWaitingNotification(record(), trouble)),
        onEnded: (outcome) => {
          const { retry, isNotifying } = record()
          const hasRetryEnded = retry !== null && retries.outcomeOf(retry.id) !== null
          if (isNotifying) this.#tell(jobEndedNotification(record(), outcome, hasRetryEnded))
        },
      })
      this.#runs.set(id, { run, output })
      await run.follow(signal)
    } catch (error) {
      if (!signal.aborted) log.error(`Job ${id} can't go on before Slipway next starts`, error)
    }
    this.#publish()
  }

  /** Its log, as soon as that can be read. @throws the signal's reason */
  async #open(id: string, signal: AbortSignal): Promise<JobLog> {
    const { outputOf, clock } = this.#options
    for (let failures = 1; ; failures += 1)
      try {
        const output = await outputOf(id)
        this.#waiting.delete(id)
        return output
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        this.#waiting.set(id, { isRetrying: true, reason: { kind: 'problem', problem: error.problem } })
        this.#publish()
        await clock.sleep(pauseAfterTroubleMs(failures), signal)
      }
  }

  #tell(notification: Notification | null): void {
    if (notification !== null) this.#options.notify(notification)
  }

  #tellSoon(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    void this.#options.clock.sleep(tellMs).then(() => {
      this.#isTelling = false
      this.#publish()
    })
  }

  #publish(): void {
    const { records } = this.#options
    this.state.set([...records.all.values()].map((record) => this.#viewOf(record)).reverse())
  }

  #viewOf(record: JobRecord): Job {
    const {
      sealedOptions: _1,
      remoteFolder: _2,
      retry: _3,
      canceling,
      accepted: _4,
      instance,
      ...shown
    } = record
    const { run, output } = this.#runs.get(record.id) ?? { run: null, output: null }
    const isOver = record.outcome !== null
    const perHourUsd = isOver || run === null ? record.perHourUsd : run.perHourUsd
    return {
      ...shown,
      instanceId: instance?.id ?? (record.place.kind === 'instance' ? record.place.instanceId : null),
      progress: isOver ? null : (run?.progress ?? null),
      trouble: run?.trouble ?? this.#waiting.get(record.id) ?? null,
      isCanceling: canceling !== null && !isOver,
      end: endOf(record),
      heardAt: run?.heardAt ?? null,
      perHourUsd,
      costUsd: isOver ? record.costUsd : costUsdOf(record, perHourUsd, this.#options.clock.now()),
      logBytes: output?.size ?? 0,
    }
  }
}
