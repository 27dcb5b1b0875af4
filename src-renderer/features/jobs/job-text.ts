import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { JobEnd } from '#domain/jobs/job-definition.ts'
import { jobStep, type Job, type JobExit, type JobStep } from '#domain/jobs/job.ts'
import type { InstanceState } from '#domain/instances/instance-status.ts'
import { chargeOf } from '#domain/money/money.ts'
import { copiedText } from '#shared/files/transfer-text.ts'
import { formatBytes, formatDuration, formatNumber, formatSpentUsd, formatUsdPerHour } from '#ui/format.ts'
import type { Mark, Tone } from '#ui/tone.ts'

export const jobsText = {
  about:
    'A job sends a folder to an instance, runs a command there, and brings the outputs back. Then the instance is kept, stopped, or destroyed, as you choose.',
  logEmpty: 'No output yet.',
} as const

/** After so long without news of a running command it's told when it was last heard from, in ms. */
const quietMs = 60_000

/** A job's state, in a few words with their tone. `now` in ms. */
export function jobMark(job: Job, now: number): Mark {
  if (job.outcome !== null) return outcomeMark(job)
  if (job.trouble?.reason.kind === 'other-job') return { tone: 'busy', label: 'Waiting for another job' }
  if (job.trouble !== null)
    return job.trouble.isRetrying
      ? { tone: 'warning', label: `${stepWords(job)}, retrying` }
      : { tone: 'warning', label: 'Waiting for you' }
  if (job.isCanceling) return { tone: 'busy', label: 'Canceling' }
  return { tone: 'busy', label: `${stepWords(job)}${progressWords(job, now)}` }
}

function outcomeMark({ outcome, exit }: Job): Mark {
  switch (outcome?.kind) {
    case undefined:
    case 'finished':
      return exit === null ? { tone: 'neutral', label: 'Finished' } : exitMark(exit)
    case 'canceled':
      return { tone: 'neutral', label: 'Canceled' }
    case 'not-rented':
      return { tone: 'bad', label: 'No instance rented' }
    case 'instance-gone':
      return { tone: 'bad', label: 'Instance is gone' }
    case 'given-up':
      return { tone: 'bad', label: 'Given up' }
    default:
      return assertNever(outcome)
  }
}

/** How the command ended. */
function exitMark(exit: JobExit): Mark {
  switch (exit.kind) {
    case 'code':
      return exit.code === 0
        ? { tone: 'good', label: 'Finished, exit code 0' }
        : { tone: 'bad', label: `Exit code ${exit.code}` }
    case 'canceled':
      return { tone: 'neutral', label: 'Canceled' }
    case 'lost':
      return { tone: 'bad', label: exit.why === 'restarted' ? 'Lost in a restart' : 'Command is gone' }
    default:
      return assertNever(exit)
  }
}

/** What may be done with the instance, as a choice. */
export const endLabels: Readonly<Record<JobEnd, string>> = {
  keep: 'Keep instance',
  stop: 'Stop instance',
  destroy: 'Destroy instance',
}

/** What is being done, as one word or two. */
function stepWords(job: Job): string {
  const { step, place } = job
  switch (step) {
    case 'instance':
      return place.kind === 'rent' ? 'Renting' : 'Waiting for instance'
    case 'upload':
      return 'Uploading'
    case 'start':
      return 'Starting'
    case 'run':
      return 'Running'
    case 'fetch':
      return 'Downloading'
    case 'verify':
      return 'Comparing'
    case 'end':
      return { keep: 'Finishing', stop: 'Stopping instance', destroy: 'Destroying instance' }[job.end]
    default:
      return assertNever(step)
  }
}

function progressWords({ step, progress, startedAt }: Job, now: number): string {
  if (step === 'run' && startedAt !== null) return `, ${formatDuration(now - startedAt)}`
  const isCopying = step === 'upload' || step === 'fetch'
  if (!isCopying || progress === null || progress.bytes === 0) return ''
  return `, ${formatNumber(Math.floor((100 * progress.bytesDone) / progress.bytes))}%`
}

type StepState = 'done' | 'failed' | 'now' | 'trouble' | 'stopped' | 'open'

/** One of the seven steps, as the job's page lists it. */
export interface StepLine {
  readonly step: JobStep
  readonly state: StepState
  readonly label: string
  /** How far it is, or how it ended; empty for nothing to say. */
  readonly detail: string
}

/** The same for ears. */
export const stepStateWords: Readonly<Record<StepState, string>> = {
  done: 'Done',
  failed: 'Failed',
  now: 'Now',
  trouble: 'Needs attention',
  stopped: 'Not completed',
  open: 'Not started',
}

export const stepTones: Readonly<Record<StepState, Tone>> = {
  done: 'good',
  failed: 'bad',
  now: 'busy',
  trouble: 'warning',
  stopped: 'neutral',
  open: 'neutral',
}

/** All steps of a job, with how each stands. `now` in ms. */
export function stepLines(job: Job, now: number): readonly StepLine[] {
  const current = jobStep.options.indexOf(job.step)
  const isFinished =
    job.outcome?.kind === 'finished' || (job.outcome?.kind === 'canceled' && job.step === 'end')
  return jobStep.options.map((step, index) => {
    const isDone = isFinished || index < current
    const state = isDone ? stateDone(step, job) : index > current ? 'open' : stateNow(job)
    return { step, state, label: stepLabel(step, job), detail: stepDetail(step, state, job, now) }
  })
}

function stateDone(step: JobStep, { exit }: Job): StepState {
  return step === 'run' && exit !== null && exitMark(exit).tone === 'bad' ? 'failed' : 'done'
}

function stateNow({ outcome, trouble }: Job): StepState {
  if (outcome !== null) return 'stopped'
  return trouble === null ? 'now' : 'trouble'
}

/** A step as an order. */
export function stepLabel(step: JobStep, job: Job): string {
  switch (step) {
    case 'instance':
      return job.place.kind === 'rent' ? 'Rent an instance' : 'Wait for the instance'
    case 'upload':
      return 'Upload files'
    case 'start':
      return 'Start the command'
    case 'run':
      return 'Run the command'
    case 'fetch':
      return 'Download outputs'
    case 'verify':
      return 'Compare outputs'
    case 'end':
      return endStepLabel(job)
    default:
      return assertNever(step)
  }
}

function endStepLabel({ outcome, isCanceling, instanceId, end }: Job): string {
  const wanted = { keep: 'Keep the instance', stop: 'Stop the instance', destroy: 'Destroy the instance' }
  if (outcome?.kind === 'canceled' || outcome?.kind === 'finished')
    return {
      none: 'End the job',
      kept: wanted.keep,
      stopped: wanted.stop,
      destroyed: wanted.destroy,
    }[outcome.instance]
  return isCanceling && instanceId === null ? 'End the job' : wanted[end]
}

function stepDetail(step: JobStep, state: StepState, job: Job, now: number): string {
  if (state === 'open') return ''
  const isNow = state === 'now' || state === 'trouble'
  switch (step) {
    case 'instance':
      return job.instanceId === null ? '' : `Instance ${job.instanceId}`
    case 'upload':
      return isNow ? copiedDetail(job) : unsentDetail(job)
    case 'fetch':
      return isNow ? copiedDetail(job) : ''
    case 'run':
      return runDetail(job, isNow, now)
    case 'verify':
      return state === 'done' ? outputsText(job) : ''
    case 'start':
    case 'end':
      return ''
    default:
      return assertNever(step)
  }
}

function copiedDetail({ progress }: Job): string {
  return progress === null ? '' : copiedText(progress)
}

function unsentDetail({ unsentLinks }: Job): string {
  return unsentLinks === 0
    ? ''
    : `${counted(unsentLinks, 'link or special file', 'links or special files')} skipped`
}

function runDetail({ startedAt, exitedAt, exit, heardAt }: Job, isNow: boolean, now: number): string {
  const time = startedAt === null ? '' : formatDuration((exitedAt ?? now) - startedAt)
  if (!isNow) return exit === null ? time : [exitMark(exit).label, time].filter(Boolean).join(', ')
  const isQuiet = heardAt !== null && now - heardAt > quietMs
  return isQuiet ? `${time}, last heard from ${formatDuration(now - heardAt)} ago` : time
}

/** `12 files, 1.2 GB`; empty while none are here. */
export function outputsText({ outputs }: Job): string {
  if (outputs === null) return ''
  return outputs.files === 0 ? 'No files' : `${counted(outputs.files, 'file')}, ${formatBytes(outputs.bytes)}`
}

/** Why none came back, or haven't yet. */
export function noOutputsText({ definition, outcome }: Job): string {
  if (definition.fetch.length === 0) return 'The job asks for no outputs.'
  return outcome === null ? 'No outputs yet.' : 'No outputs were downloaded.'
}

/** How sure it is that outputs are the same here. */
export function comparedText({ outputs }: Job): string {
  if (outputs === null || outputs.files === 0) return ''
  const { files, bySha256 } = outputs
  if (bySha256 === files) return 'Same as on the instance: size and SHA-256 compared.'
  if (bySha256 === 0) return 'Same size as on the instance. It has no SHA-256 tool to compare content.'
  return `Sizes compared for all, SHA-256 for ${formatNumber(bySha256)} of ${formatNumber(files)}.`
}

/** `$0.12`, or that it isn't known. */
export function jobCostText({ costUsd }: Pick<Job, 'costUsd'>): string {
  return costUsd === null ? 'price unknown' : formatSpentUsd(costUsd)
}

/**
 * A job with what its instance costs now: a stopped one is charged for its disk alone.
 *
 * @param instance as it's listed, if it is
 */
export function withCharge(job: Job, instance: InstanceState | undefined): Job {
  if (job.outcome !== null || instance === undefined) return job
  const charge = chargeOf(instance)
  // A price that the list leaves out for once is the one it had.
  const known = charge.kind === 'compute' ? job.perHourUsd : null
  return { ...job, perHourUsd: charge.perHourUsd ?? known }
}

/** What the instance costs from here on, as the end of a sentence: `$0.42/h`. */
export function rateWords({ perHourUsd }: Pick<Job, 'perHourUsd'>): string {
  return perHourUsd === null ? '(price unknown)' : formatUsdPerHour(perHourUsd)
}
