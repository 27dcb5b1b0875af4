import { counted } from '../../domain/base/plural.ts'
import type { JobExit, JobOutcome, JobTrouble } from '../../domain/jobs/job.ts'
import type { Notification } from '../../domain/notifications/notification.ts'

/** What of a job is told. */
interface ToldJob {
  readonly definition: { readonly name: string }
  readonly exit: JobExit | null
  readonly outputs: { readonly files: number } | null
  readonly instance: { readonly id: number } | null
}

const path = '/jobs'

const charges = {
  kept: 'The instance still runs, and you’re charged for it.',
  stopped: 'The instance is stopped. You’re still charged for its disk.',
  destroyed: 'The instance is destroyed. All charges for it end.',
} as const

/**
 * `null`: its user knows, or auto-retry has told. Whoever gives a job up isn't told that it was.
 *
 * @param hasRetryEnded its auto-retry tells its own end
 */
export function jobEndedNotification(
  job: ToldJob,
  outcome: JobOutcome,
  hasRetryEnded: boolean,
): Notification | null {
  const { name } = job.definition
  switch (outcome.kind) {
    case 'finished': {
      const { outputs } = job
      const fetched = outputs === null ? [] : [`${counted(outputs.files, 'output file')} on this computer.`]
      return {
        kind: 'done',
        title: `Job “${name}” ${exitWords(job.exit)}`,
        body: [...fetched, charges[outcome.instance]].join(' '),
        instanceId: null,
        path,
      }
    }
    case 'instance-gone':
      return {
        kind: 'trouble',
        title: `The instance of job “${name}” is gone`,
        body: 'The service no longer lists it. Outputs that weren’t fetched are lost.',
        instanceId: null,
        path,
      }
    case 'not-rented':
      if (hasRetryEnded) return null
      return {
        kind: 'trouble',
        title: `No instance was rented for job “${name}”`,
        body: 'The job ended before anything was rented. You aren’t charged for it.',
        instanceId: null,
        path,
      }
    case 'given-up':
      if (hasRetryEnded) return null
      return {
        kind: 'trouble',
        title: `Job “${name}” was given up`,
        body: 'Slipway can’t tell whether an instance was rented for it. You may be charged: check Instances.',
        instanceId: null,
        path,
      }
    case 'canceled':
      return null
  }
}

function exitWords(exit: JobExit | null): string {
  if (exit?.kind === 'code') return exit.code === 0 ? 'finished' : `failed with exit code ${exit.code}`
  return exit?.kind === 'lost' ? 'was interrupted' : 'ended'
}

/** It runs all the same. */
export function jobUnguardedNotification(job: ToldJob): Notification {
  return {
    kind: 'trouble',
    title: `Job “${job.definition.name}” has no auto-stop rule`,
    body: 'The rule couldn’t be set. While Slipway is closed, the instance waits, and you’re charged for it.',
    instanceId: null,
    path,
  }
}

/** It's retried for ever, which may be charged for ever. */
export function jobStuckNotification(job: ToldJob): Notification {
  return {
    kind: 'trouble',
    title: `Job “${job.definition.name}” is stuck`,
    body: `Slipway has been retrying for 5 minutes and continues. Open the job to see why.${chargedWords(job)}`,
    instanceId: null,
    path,
  }
}

function chargedWords({ instance }: ToldJob): string {
  return instance === null ? '' : ' You’re charged for its instance meanwhile.'
}

/** It goes on only when its user has done something. */
export function jobWaitingNotification(job: ToldJob, { reason }: JobTrouble): Notification {
  const next = {
    problem: 'Open the job to see what’s wrong.',
    transfer: 'Files can’t be copied, or SSH doesn’t connect. Open the job to see why.',
    question: 'SSH needs your answer, such as about a host key. Open the job and answer.',
    'not-running': 'Its instance isn’t running. The job continues when the instance runs again.',
    'on-instance': 'The instance can’t run it. Open the job to see why.',
    differ: 'Outputs differ from those on the instance. Open the job and try again.',
    'left-out': 'Some files can’t be copied. Open the job to see which.',
    'other-job': 'Another job still runs on its instance.',
    'still-starting': 'Its instance is still starting.',
  }[reason.kind]
  return {
    kind: 'trouble',
    title: `Job “${job.definition.name}” is waiting for you`,
    body: `${next}${chargedWords(job)}`,
    instanceId: null,
    path,
  }
}
