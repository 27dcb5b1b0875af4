import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { Job } from '#domain/jobs/job.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import type { Statement } from '#ui/tone.ts'
import { jobFormText, type JobRates } from './job-form-text.ts'
import { noOutputsText, outputsText, rateWords, stepLabel } from './job-text.ts'

/**
 * How a job ended: what that means for outputs and money, and what to do; `null` while it goes on.
 *
 * @param jobs all, as another one may still stop or destroy an instance that this one has kept
 */
export function outcomeText(job: Job, jobs: readonly Job[] = []): Statement | null {
  const { outcome } = job
  switch (outcome?.kind) {
    case undefined:
      return null
    case 'finished':
      return {
        ...finishedWords(job),
        text: `${outputsSentence(job)} ${instanceSentence(job, outcome.instance, jobs)}`,
      }
    case 'canceled':
      return {
        tone: 'neutral',
        title: 'You canceled this job',
        text: `${outputsSentence(job)} ${instanceSentence(job, outcome.instance, jobs)}`,
      }
    case 'not-rented':
      return {
        tone: 'bad',
        title: 'No instance was rented',
        text: 'No offer within your limits led to a running instance, and none is left for this job. If Slipway tried some, you were charged until they were destroyed: check Spending. Change the limits or the search, and run the job again.',
      }
    case 'instance-gone':
      return {
        tone: 'bad',
        title: 'The instance is gone',
        text: `It’s no longer listed, or its ID belongs to another instance. ${lostOutputs(job)} Check Instances for what you’re charged.`,
      }
    case 'given-up':
      return {
        tone: 'bad',
        title: `Given up: ${stepLabel(outcome.step, job).toLowerCase()}`,
        text:
          job.instanceId === null
            ? 'An instance may have been rented for it, and you may be charged. Check Instances.'
            : `${outputsSentence(job)} ${leftSentence(job, jobs)}`,
      }
    default:
      return assertNever(outcome)
  }
}

function finishedWords({ exit }: Job): Pick<Statement, 'tone' | 'title'> {
  switch (exit?.kind) {
    case undefined:
      return { tone: 'neutral', title: 'Finished' }
    case 'code':
      return exit.code === 0
        ? { tone: 'good', title: 'The command finished with exit code 0' }
        : { tone: 'bad', title: `The command failed with exit code ${exit.code}` }
    case 'canceled':
      return { tone: 'neutral', title: 'The command was canceled' }
    case 'lost':
      return {
        tone: 'bad',
        title:
          exit.why === 'restarted'
            ? 'The instance restarted while the command ran'
            : 'The command is gone from the instance',
      }
    default:
      return assertNever(exit)
  }
}

function outputsSentence(job: Job): string {
  if (job.outputs === null) return noOutputsText(job)
  return job.outputs.files === 0 ? 'No new or changed file came back.' : `${outputsText(job)} came back.`
}

function lostOutputs({ outputs }: Job): string {
  return outputs === null ? 'Outputs that weren’t downloaded are lost.' : 'The outputs are on this computer.'
}

function instanceSentence(
  job: Job,
  instance: 'none' | 'kept' | 'stopped' | 'destroyed',
  jobs: readonly Job[],
): string {
  const name = `Instance ${job.instanceId ?? ''}`.trim()
  switch (instance) {
    case 'none':
      return 'No instance is left for this job. If one was rented, you were charged until it was destroyed: check Spending.'
    case 'kept':
      if (job.instanceId === null)
        return 'The instance that was rented for this job was kept: you’re charged for it until you stop or destroy it. Check Instances.'
      return `${name} was kept: you’re charged ${rateWords(job)} while it runs, until you stop or destroy it.${isLeftBehind(job) ? ruleSentence(job) : ''}${laterEnd(job, jobs)}`
    case 'stopped':
      return `${name} was stopped: you’re still charged for its disk until you destroy it.`
    case 'destroyed':
      return `${name} was destroyed, and its charges ended.`
    default:
      return assertNever(instance)
  }
}

/** What another job still does with the instance, after a space; empty when none does. */
function laterEnd({ id, instanceId }: Job, jobs: readonly Job[]): string {
  const other = jobs.find(
    (one) => one.id !== id && one.instanceId === instanceId && one.outcome === null && one.end !== 'keep',
  )
  if (instanceId === null || other === undefined) return ''
  return ` When “${other.definition.name}” ends, Slipway ${other.end === 'stop' ? 'stops' : 'destroys'} the instance.`
}

/** Whether the job's auto-stop rule stays: else it's removed at the end. */
function isLeftBehind({ outcome, exit }: Job): boolean {
  return outcome?.kind === 'given-up' || (outcome?.kind === 'finished' && exit?.kind === 'lost')
}

/** What the job's auto-stop rule may still do, after a space; empty without one. */
function ruleSentence({ definition: { stopAfterMinutes }, isUnguarded, step }: Job): string {
  // The rule is set when the command is started.
  if (stopAfterMinutes === null || isUnguarded || step === 'instance' || step === 'upload') return ''
  return ` An auto-stop rule may stop the instance when it’s idle for ${counted(stopAfterMinutes, 'minute')}: you’re then charged for its disk.`
}

/** Of an instance whose job was given up. */
function leftSentence(job: Job, jobs: readonly Job[]): string {
  if (job.asked === null) return instanceSentence(job, 'kept', jobs)
  return `The service was asked to ${job.asked} instance ${job.instanceId} and may still do it. Until then, you’re charged ${rateWords(job)}. Check Instances.`
}

/** What canceling, giving up, and going on mean, before they're done. */
export const jobDialogText = {
  accept: 'These outputs won’t be downloaded:',
  forget: 'Its log is deleted. Outputs stay.',
  replace: 'The folder has another definition. You can’t undo this.',
} as const

/** Why a job can't run once more on its instance. */
export const notRunningText =
  'The instance that this job ran on isn’t running. Close this, and use “Change and run…” to choose another one.'

/** Where a job runs once more, and what that costs. @param nameOf an instance's name */
export function repeatText(
  place: Job['place'],
  { runUsd }: JobRates,
  nameOf: (id: number) => string,
): string {
  if (place.kind === 'instance') {
    const rate = rateWords({ perHourUsd: runUsd })
    return `The command runs again on ${nameOf(place.instanceId)}. You’re charged ${rate} for this instance.`
  }
  const { machines, capPerHourUsd } = place.plan
  const price = capPerHourUsd === null ? 'at any price' : `for at most ${formatUsdPerHour(capPerHourUsd)}`
  return `Slipway rents the cheapest offer of “${place.searchName}” ${price}, in at most ${counted(machines, 'attempt')}. ${jobFormText.rentStarts}`
}

/** What canceling does by now. */
export function cancelText({ instanceId, step }: Pick<Job, 'instanceId' | 'step'>): string {
  if (instanceId === null)
    return 'The command isn’t started. An instance that was just rented for it is destroyed.'
  switch (step) {
    case 'instance':
    case 'upload':
      return 'The command isn’t started. Files that were uploaded stay on the instance.'
    case 'start':
    case 'run':
      return 'The command and everything it started end: Slipway asks them to (TERM) and kills them 10 seconds later. Outputs that exist by then are downloaded.'
    case 'fetch':
    case 'verify':
    case 'end':
      return 'The command has ended. Outputs are still downloaded and compared.'
    default:
      return assertNever(step)
  }
}

/** What going on without outputs leads to. */
export function acceptText({ end }: Pick<Job, 'end'>): string {
  switch (end) {
    case 'keep':
      return 'The instance is kept, so you can still download them in Files.'
    case 'stop':
      return 'The instance is stopped. They stay on its disk until you destroy it, but Slipway can’t start it again.'
    case 'destroy':
      return 'The instance is destroyed, and they’re deleted with it. You can’t undo this.'
    default:
      return assertNever(end)
  }
}

/** What giving up leads to. @param jobs all */
export function giveUpText(job: Job, jobs: readonly Job[] = []): string {
  if (job.instanceId === null) return 'The job ends. An instance that was just rented for it is destroyed.'
  if (job.asked !== null) return `The job ends. ${leftSentence(job, jobs)}`
  return `The job ends. Instance ${job.instanceId} is kept, and you’re charged ${rateWords(job)} until you stop or destroy it. A command that’s still running there continues.${ruleSentence(job)}${laterEnd(job, jobs)}`
}
