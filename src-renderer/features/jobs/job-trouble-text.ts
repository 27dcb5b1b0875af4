import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import { shownName } from '#domain/files/file-name.ts'
import type { Job, JobTrouble } from '#domain/jobs/job.ts'
import type { RentalRefusal } from '#domain/base/rental-refusal.ts'
import { serviceLine } from '#domain/rental-api/service-text.ts'
import { skipReasonText, transferProblemText } from '#shared/files/transfer-text.ts'
import type { Attempt } from '#ui/problems/attempt.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import { formatNumber } from '#ui/format.ts'
import { rateWords, stepLabel } from './job-text.ts'

type Reason = JobTrouble['reason']
/** The script's answers, on the instance. */
type Refusal = Extract<Reason, { kind: 'on-instance' }>['why']

/** What keeps a job from going on: what it means for money and outputs, and what to do; `null` while nothing does. */
export function troubleText(job: Job): ProblemText | null {
  const { trouble } = job
  if (trouble === null) return null
  const { title, meaning, nextStep } = reasonText(trouble.reason, job)
  return {
    title,
    meaning: `${meaning} ${chargeSentence(job)}`.trim(),
    nextStep:
      trouble.isRetrying && !mayLastForever(trouble.reason)
        ? 'Slipway keeps trying. You don’t need to do anything.'
        : nextStep,
  }
}

/** Whether the user may want to do something, though Slipway keeps trying. */
function mayLastForever(reason: Reason): boolean {
  return reason.kind === 'still-starting' || (reason.kind === 'on-instance' && reason.why === 'still-running')
}

function reasonText(reason: Reason, job: Job): ProblemText {
  switch (reason.kind) {
    case 'problem':
      return reason.problem.kind === 'rental-refused'
        ? refusedRental(reason.problem.reason)
        : problemText(reason.problem, attemptOf(job))
    case 'transfer':
      return {
        title: job.step === 'run' ? followFailed.title : `Couldn’t ${lowerFirst(stepLabel(job.step, job))}`,
        meaning: `${transferProblemText(reason.problem)}${job.step === 'run' ? followFailed.meaning : ''}`,
        nextStep: 'When that’s fixed, try again.',
      }
    case 'question':
      return {
        title: 'The connection needs your answer',
        meaning: 'The job waits until you answer.',
        nextStep: 'Select “Try again” to see the question.',
      }
    case 'not-running':
      return {
        title: `Instance ${job.instanceId ?? ''} isn’t running`.replace('  ', ' '),
        meaning: `Its state is “${serviceLine(reason.status, 100)}”. Outputs are still on its disk.`,
        nextStep:
          'If it runs again, the job continues. Otherwise, give up: the API has no request that starts an instance.',
      }
    case 'still-starting':
      return {
        title: `Instance ${job.instanceId ?? ''} is still starting`.replace('  ', ' '),
        meaning: 'Startup usually takes 1–5 minutes. The job continues when the instance runs.',
        nextStep: 'If it never starts, give up, and destroy it on Instances.',
      }
    case 'on-instance':
      return refusals[reason.why]
    case 'other-job':
      return {
        title: 'Another job still runs on this instance',
        meaning: `“${reason.name}” isn’t finished. Then the instance is ${job.end === 'stop' ? 'stopped' : 'destroyed'}.`,
        nextStep: '',
      }
    case 'differ':
      return {
        title: `${counted(reason.count, 'output isn’t', 'outputs aren’t')} the same on this computer as on the instance`,
        meaning: `${firstOf(reason)} Something may still be writing to ${reason.count === 1 ? 'the file' : 'them'}. Nothing is stopped or destroyed until they’re the same.`,
        nextStep: 'Try again to download them, or go on without them.',
      }
    case 'left-out':
      if (job.step === 'upload')
        return {
          title: `${counted(reason.count, 'file')} couldn’t be uploaded`,
          meaning: `${firstOf(reason)} The command isn’t started.`,
          nextStep:
            'Fix them on this computer and try again, or give up, and add them to “Also skip” in another job.',
        }
      return {
        title: `${counted(reason.count, 'output')} couldn’t be downloaded`,
        meaning: `${firstOf(reason)} Nothing is stopped or destroyed until you decide.`,
        nextStep:
          'Rename them on the instance, copy there what a link leads to, or create what’s missing, and try again. Or go on without them.',
      }
    default:
      return assertNever(reason)
  }
}

/** The command isn't what failed. */
const followFailed = {
  title: 'Couldn’t follow the command',
  meaning: ' The command runs on the instance without this connection.',
} as const

/** Why Slipway itself rents nothing for a job: of its rental, there's no sheet to check. */
function refusedRental({ code }: RentalRefusal): ProblemText {
  const title = 'Slipway rented nothing'
  const uncharged = 'You aren’t charged.'
  switch (code) {
    case 'retry-running':
      return {
        title,
        meaning: `Another auto-retry is running, and Slipway runs one at a time. ${uncharged}`,
        nextStep: 'Wait until it ends, or stop it on Instances, then try again.',
      }
    case 'no-ssh-key':
      return {
        title,
        meaning: `This computer has no SSH key to log in with. ${uncharged}`,
        nextStep: 'Create an SSH key in Settings, then try again.',
      }
    default:
      return {
        title,
        meaning: `The rental can’t be done as the job asks for it. ${uncharged}`,
        nextStep: 'Give up, then change the job’s rental or its limits and run it again.',
      }
  }
}

const refusals: Readonly<Record<Refusal, ProblemText>> = {
  'read-only': {
    title: 'No writable folder on the instance',
    meaning: 'Its home and its temporary folder are read-only, so the command can’t be started.',
    nextStep: 'Make one of them writable in a terminal, then try again. Or use another image.',
  },
  'disk-full': {
    title: 'The instance’s disk is full',
    meaning: 'The command can’t be started, or its log can’t be written.',
    nextStep: 'Free some space in a terminal, then try again.',
  },
  'no-procfs': {
    title: 'The instance has no /proc',
    meaning: 'Slipway couldn’t tell whether the command runs, so it isn’t started.',
    nextStep: 'Use another image, and run the job again.',
  },
  'no-answer': {
    title: 'The instance didn’t answer',
    meaning: 'You’re connected, but Slipway can’t tell how the command stands. It may be running.',
    nextStep: 'Try again. If this continues, look at the instance in a terminal.',
  },
  'busy-folder': {
    title: 'Another job runs in this folder on the instance',
    meaning: 'Two commands in one folder would overwrite each other’s files.',
    nextStep: 'Wait until it ends or cancel it, then try again.',
  },
  failed: {
    title: 'Couldn’t start the command',
    meaning: 'The instance can’t run Slipway’s script for jobs.',
    nextStep: 'Look at the instance in a terminal, then try again. Or use another image.',
  },
  'still-running': {
    title: 'The command doesn’t end',
    meaning:
      'Slipway asked it to (TERM) and tried to kill it. Something on the instance may hold it, such as a disk.',
    nextStep: 'Slipway keeps trying. You can end it in a terminal, or give up.',
  },
  'unknown-job': {
    title: 'The instance doesn’t know this job',
    meaning:
      'The command may still be running: the SSH user may have changed, or the home folder isn’t mounted. Nothing is stopped or destroyed.',
    nextStep: 'Log in as the same user as before or mount the folder, then try again. Or give up.',
  },
}

/** What the user wanted of the service by this step. */
function attemptOf(job: Job): Attempt {
  const { step, place, end } = job
  if (step === 'instance' && place.kind === 'rent') return 'rent'
  return step !== 'end' || end === 'keep' ? 'load' : end
}

type Missing = Extract<Reason, { kind: 'differ' | 'left-out' }>

/** The outputs that a job can go on without, with why where that's known; none where nothing is missing. */
export function missingOf({ step, trouble }: Job): readonly string[] {
  const reason = step === 'upload' ? undefined : trouble?.reason
  if (reason?.kind !== 'differ' && reason?.kind !== 'left-out') return []
  const named = namedOf(reason)
  const more = reason.count - named.length
  return more > 0 ? [...named, `${formatNumber(more)} more`] : named
}

function namedOf(reason: Missing): readonly string[] {
  return reason.kind === 'differ'
    ? reason.paths.map(shownName)
    : reason.entries.map(({ path, reason: why }) => `${shownName(path)} (${skipReasonText(why)})`)
}

/** The first of them in a sentence. */
function firstOf(reason: Missing): string {
  const shown = namedOf(reason).slice(0, 3)
  const more = reason.count - shown.length
  return more > 0 ? `${shown.join(', ')}, and ${formatNumber(more)} more.` : `${shown.join(', ')}.`
}

function chargeSentence(job: Job): string {
  return job.instanceId === null ? '' : `You’re charged ${rateWords(job)} meanwhile.`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
