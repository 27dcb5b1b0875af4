import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Job, JobTrouble } from '../../domain/jobs/job.ts'
import type { RentOptions } from '../../domain/renting/rent-request.ts'
import type { RetryOutcome, RetryPlan, RetryView } from '../../domain/renting/retry.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import type { JobFiles } from '../files/outputs/job-files.ts'
import type { InstanceActions } from '../instances/actions.ts'
import type { InstanceWatch } from '../instances/watch.ts'
import type { JobEvent } from './job-journal.ts'
import type { JobLog } from './job-log.ts'
import type { JobRecord } from './job-record.ts'
import type { InstanceJobs } from './on-instance/instance-jobs.ts'

export type Progress = NonNullable<Job['progress']>

/** What of renting jobs use. */
export interface JobRetries {
  readonly state: Pick<Latest<readonly RetryView[]>, 'value' | 'watch'>
  /** Of one that has ended, also when it isn't shown any more; `null` while it goes on, and when it isn't known. */
  readonly outcomeOf: (id: string) => RetryOutcome | null
  /** Begins with the cheapest offer within the plan. @throws ProblemError, or the signal's reason: nothing was begun then */
  readonly beginCheapest: (order: {
    readonly id: string
    readonly options: RentOptions
    readonly query: OfferQuery
    readonly plan: RetryPlan
    readonly signal: AbortSignal
  }) => Promise<void>
  readonly stop: (id: string, machine: 'keep' | 'destroy') => Promise<void>
}

/** What of auto-stop rules jobs use. Each has the id of its job. */
export interface JobRules {
  /** Has the instance stop itself when it has been idle for so long, unless such a rule is there. @throws ProblemError */
  readonly arm: (jobId: string, instanceId: number, minutes: number) => Promise<void>
  /** Postpones those that jobs have on an instance by an hour. @throws ProblemError storage-failed */
  readonly postpone: (instanceId: number) => Promise<void>
  /** Removes the rule, or leaves it to another job, when there is one. @throws ProblemError storage-failed */
  readonly disarm: (jobId: string, heirId: string | null) => Promise<void>
}

/** What all jobs share. */
export interface JobServices {
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'find' | 'refresh'>
  readonly actions: InstanceActions
  readonly retries: JobRetries
  readonly rules: JobRules
  readonly files: JobFiles
  readonly jobsOn: (instanceId: number) => InstanceJobs
  /** What was sealed; `null` when its key is gone. @throws ProblemError keychain-locked */
  readonly unseal: (sealed: string) => Promise<string | null>
  readonly randomId: () => string
  readonly clock: Clock
  readonly log: Log
}

/** One job, for its steps. */
export interface StepContext extends JobServices {
  readonly record: () => JobRecord
  /** Other jobs that still use its instance. */
  readonly others: () => readonly JobRecord[]
  /** On the disk when it resolves. @throws ProblemError storage-failed */
  readonly write: (event: JobEvent) => Promise<void>
  /** Ends it, with what it has cost. @throws ProblemError storage-failed */
  readonly end: (outcome: NonNullable<Job['outcome']>) => Promise<void>
  /** Of the job alone, in the account's folder. */
  readonly folder: string
  readonly output: JobLog
  readonly showProgress: (progress: Progress) => void
  /** In the way while a step waits; `null` when nothing is any more. */
  readonly showTrouble: (trouble: JobTrouble | null) => void
  readonly noteHeard: () => void
}
