import { assertNever } from '../../domain/base/assert-never.ts'
import type { JobExit } from '../../domain/jobs/job.ts'
import { outputsFolderName, outputsFolderOf } from './job-folders.ts'
import type { JobInstance } from './job-journal.ts'
import { doesWithout } from './job-record.ts'
import { endInstance } from './end-step.ts'
import { takeInstance } from './instance-step.ts'
import type { JobState } from './on-instance/instance-jobs.ts'
import { changedSince, compareOutputs, keepBaseline, type Comparison } from './outputs.ts'
import { readyInstance } from './ready-instance.ts'
import type { Found } from '../files/outputs/find-files.ts'
import type { StepContext } from './step-context.ts'
import { InTheWay } from './trouble.ts'

const mostNamed = 20
/** Outputs that differ are fetched once more by themselves. */
const mostFetches = 2
/** So often a rule that would stop the instance is put off while its outputs come; each time by an hour. */
const postponeMs = 30 * 60_000

/** The steps of one job, as far as they go on by themselves. What they have done before a crash is done again, to the same effect. */
export class Steps {
  readonly #context: StepContext
  #fetches = 0

  constructor(context: StepContext) {
    this.#context = context
  }

  /** Does the step that the job is at, or a part of it. @throws what is in the way, or the signal's reason */
  async next(signal: AbortSignal): Promise<void> {
    const { step } = this.#context.record()
    switch (step) {
      case 'instance':
        return takeInstance(this.#context, signal)
      case 'upload':
        return this.#upload(signal)
      case 'start':
        return this.#start(signal)
      case 'run':
        return this.#run(signal)
      case 'fetch':
      case 'verify':
        return this.#bringBack(step, signal)
      case 'end':
        return endInstance(this.#context, signal)
      default:
        return assertNever(step)
    }
  }

  async #upload(signal: AbortSignal): Promise<void> {
    const { record, write, files, folder, showProgress } = this.#context
    const { definition, folder: local, remoteFolder: remote, canceling } = record()
    // Nothing was started.
    if (canceling !== null) return write({ kind: 'end', outputs: null })
    const instance = await this.#ready(signal)
    if (instance === null) return
    const { honorGitignore, exclude } = definition.send
    const { skipped, skippedCount, unsentCount } = await files.upload({
      ...{ instanceId: instance.id, local, remote, honorGitignore },
      exclude: [...exclude, `/${outputsFolderName}/`],
      ...{ onProgress: showProgress, signal },
    })
    if (unsentCount > 0)
      throw new InTheWay({
        isRetrying: false,
        reason: {
          kind: 'left-out',
          count: unsentCount,
          entries: skipped.slice(0, Math.min(unsentCount, mostNamed)),
        },
      })
    await keepBaseline(folder, (await this.#find(instance, signal)).files)
    await write({ kind: 'start', unsentLinks: skippedCount })
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { record, write, jobsOn } = this.#context
    const { id, definition, remoteFolder, canceling } = record()
    const instance = await this.#ready(signal)
    if (instance === null) return
    const jobs = jobsOn(instance.id)
    if (canceling === null) await this.#guard(instance)
    const state =
      canceling === null
        ? await jobs.start({ jobId: id, folder: remoteFolder, command: definition.command }, signal)
        : // It may have been started, and its reply be lost.
          await jobs.cancel(id, signal)
    if (state.kind === 'none' || state.kind === 'refused') throw refusedBy(state)
    await write({ kind: 'run' })
  }

  /** The command runs also without a rule: that is told. */
  async #guard(instance: JobInstance): Promise<void> {
    const { record, write, rules, log } = this.#context
    const { id, definition, isUnguarded } = record()
    if (definition.stopAfterMinutes === null) return
    try {
      await rules.arm(id, instance.id, definition.stopAfterMinutes)
      if (isUnguarded) await write({ kind: 'guarding', isSet: true })
    } catch (error) {
      log.error(`The auto-stop rule of job ${id} couldn't be set`, error)
      if (!isUnguarded) await write({ kind: 'guarding', isSet: false })
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { record, write, jobsOn, output, noteHeard } = this.#context
    const { id } = record()
    const instance = await this.#ready(signal)
    if (instance === null) return
    if (record().isUnguarded) await this.#guard(instance)
    const jobs = jobsOn(instance.id)
    if (record().canceling !== null) {
      // To cancel one that isn't known there looks like its end.
      const known = await jobs.look(id, signal)
      if (known.kind === 'none') throw unknownJob()
      const canceled = await jobs.cancel(id, signal)
      if (canceled.kind === 'refused') throw refusedBy(canceled)
      // It was asked, and killed; what's left is tried again.
      if (canceled.kind === 'running')
        throw new InTheWay({ isRetrying: true, reason: { kind: 'on-instance', why: 'still-running' } })
    }
    const state = await jobs.follow(
      { jobId: id, from: output.size },
      async (bytes) => {
        noteHeard()
        await output.append(bytes)
      },
      signal,
    )
    noteHeard()
    const exit = exitOf(state)
    if (exit !== null) await write({ kind: 'fetch', exit })
  }

  /** Fetches and compares. Nothing is done with the instance before all is the same, or the user does without. */
  async #bringBack(step: 'fetch' | 'verify', signal: AbortSignal): Promise<void> {
    const { record, write } = this.#context
    if (record().definition.fetch.length === 0) return write({ kind: 'end', outputs: null })
    return step === 'fetch' ? this.#fetch(signal) : this.#verify(signal)
  }

  /** @param differing paths of those that are fetched although they seem to be here */
  async #fetch(signal: AbortSignal, differing: readonly string[] = []): Promise<void> {
    const { record, write, files, showProgress } = this.#context
    const { folder, remoteFolder: remote } = record()
    const instance = await this.#ready(signal)
    if (instance === null) return
    await this.#keepingAlive(signal, async () => {
      const { files: wanted, unmatched } = await this.#changed(instance, signal)
      const order = {
        ...{ instanceId: instance.id, base: folder, local: this.#outputsFolder, remote },
        ...{ files: wanted, differing: new Set(differing) },
        ...{ onProgress: showProgress, signal },
      }
      const { skipped } = wanted.length === 0 ? { skipped: [] } : await files.fetch(order)
      // Of a command that was canceled, outputs needn't be there.
      const missing = record().exit?.kind === 'canceled' ? [] : unmatched
      const entries = [
        ...missing.map((path) => ({ path, reason: { kind: 'no-match' } as const })),
        ...skipped,
      ]
      const paths = entries.map(({ path }) => path)
      if (entries.length > 0 && !doesWithout(record(), 'left-out', paths))
        throw new InTheWay({
          isRetrying: false,
          reason: { kind: 'left-out', count: entries.length, entries: entries.slice(0, mostNamed) },
        })
    })
    this.#fetches += 1
    await write({ kind: 'verify' })
  }

  async #verify(signal: AbortSignal): Promise<void> {
    const { record, write, jobsOn } = this.#context
    const { remoteFolder: remote } = record()
    const instance = await this.#ready(signal)
    if (instance === null) return
    const folder = this.#outputsFolder
    const { same, differing } = await this.#keepingAlive(signal, async (): Promise<Comparison> => {
      // Of the others the user was told.
      const changed = (await this.#changed(instance, signal)).files
      const files = changed.filter(({ fault }) => fault === null)
      return compareOutputs({ files, folder, remote }, jobsOn(instance.id).hash, signal)
    })
    if (differing.length === 0 || doesWithout(record(), 'differ', differing))
      return write({ kind: 'end', outputs: { ...same, folder } })
    if (this.#fetches < mostFetches) return this.#fetch(signal, differing)
    // The next try begins with both once more.
    this.#fetches = 0
    throw new InTheWay({
      isRetrying: false,
      reason: { kind: 'differ', count: differing.length, paths: differing.slice(0, mostNamed) },
    })
  }

  /** `null` when it's gone, with which the job has ended. */
  async #ready(signal: AbortSignal): Promise<JobInstance | null> {
    const { record, end } = this.#context
    const { instance } = record()
    if (instance === null) throw new Error('The job has no instance')
    if ((await readyInstance(this.#context, instance, signal)) !== null) return instance
    await end({ kind: 'instance-gone' })
    return null
  }

  async #find(instance: JobInstance, signal: AbortSignal): Promise<Found> {
    const { record, files } = this.#context
    const { definition, remoteFolder: remote } = record()
    if (definition.fetch.length === 0) return { files: [], unmatched: [] }
    return files.find({ instanceId: instance.id, remote, patterns: definition.fetch, signal })
  }

  async #changed(instance: JobInstance, signal: AbortSignal): Promise<Found> {
    const { files, unmatched } = await this.#find(instance, signal)
    return { files: await changedSince(this.#context.folder, files), unmatched }
  }

  get #outputsFolder(): string {
    return outputsFolderOf(this.#context.record())
  }

  /** While outputs come, the instance isn't idle, whatever it may take itself for. */
  async #keepingAlive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { record, rules, clock, log } = this.#context
    const { id, instance } = record()
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    const postpone = async (): Promise<void> => {
      while (instance !== null && !either.aborted) {
        await rules
          .postpone(instance.id)
          .catch((error: unknown) =>
            log.error(`The auto-stop rule of job ${id} couldn't be postponed`, error),
          )
        await clock.sleep(postponeMs, either).catch(() => undefined) // over
      }
    }
    const postponing = postpone()
    try {
      return await work()
    } finally {
      over.abort()
      await postponing
    }
  }
}

function refusedBy(state: Extract<JobState, { readonly kind: 'none' | 'refused' }>): InTheWay {
  const why = state.kind === 'none' ? 'failed' : state.why
  // The one that has the folder ends some time.
  const isRetrying = why === 'busy-folder' || why === 'no-answer'
  return new InTheWay({ isRetrying, reason: { kind: 'on-instance', why } })
}

function unknownJob(): InTheWay {
  return new InTheWay({ isRetrying: false, reason: { kind: 'on-instance', why: 'unknown-job' } })
}

/** `null` while it runs. @throws InTheWay when the instance can't tell */
function exitOf(state: JobState): JobExit | null {
  switch (state.kind) {
    case 'running':
      return null
    case 'exited':
      return state.isCanceled ? { kind: 'canceled' } : { kind: 'code', code: state.code }
    case 'lost':
      return { kind: 'lost', why: state.why }
    case 'none':
      throw unknownJob()
    case 'refused':
      throw refusedBy(state)
    default:
      return assertNever(state)
  }
}
