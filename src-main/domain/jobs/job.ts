import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { actionKind } from '../instances/instance.ts'
import { skippedEntry, transferProblem } from '../files/transfer.ts'
import { offerQuery } from '../offers/offer.ts'
import { rentOptions } from '../renting/rent-request.ts'
import { retryPlan } from '../renting/retry.ts'
import { begunDefinition, jobDefinition, jobEnd } from './job-definition.ts'

const instanceId = z.number().int()

/** Where a job runs. */
const jobPlace = z.discriminatedUnion('kind', [
  /** On one that is rented already. It's waited for while it starts; a stopped one isn't started. */
  z.object({ kind: z.literal('instance'), instanceId }),
  /** On one that is rented for it, by auto-retry: the cheapest offer of a search within limits. */
  z.object({
    kind: z.literal('rent'),
    /** The saved search's name when the job was begun. */
    searchName: z.string().max(200),
    query: offerQuery,
    options: rentOptions,
    plan: retryPlan,
  }),
])
export type JobPlace = z.infer<typeof jobPlace>

/** What the window asks for. */
export const jobOrder = z.object({
  definition: jobDefinition,
  /** The project's folder on this computer, an absolute path. */
  folder: z.string().min(1).max(4096),
  place: jobPlace,
})
export type JobOrder = z.infer<typeof jobOrder>

/** What of an order is shown again, and repeated by: without what may be secret in a rental's request. */
export const shownPlace = z.discriminatedUnion('kind', [
  jobPlace.options[0],
  jobPlace.options[1].omit({ options: true }),
])

/** How the command ended. */
export const jobExit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('code'), code: z.number().int().min(0).max(255) }),
  /** The user stopped it. */
  z.object({ kind: z.literal('canceled') }),
  /** The instance started again, or the command's process is gone: it ended without a code. */
  z.object({ kind: z.literal('lost'), why: z.enum(['restarted', 'vanished']) }),
])
export type JobExit = z.infer<typeof jobExit>

/** The steps of a job, in their order. Each is in the journal before it's done. */
export const jobStep = z.enum([
  /** An instance is rented, or waited for. */
  'instance',
  'upload',
  'start',
  'run',
  'fetch',
  'verify',
  /** The instance is stopped or destroyed. */
  'end',
])
export type JobStep = z.infer<typeof jobStep>

/** What keeps a step from going on. Slipway tries again by itself where `isRetrying`; else it waits for the user. */
const jobTrouble = z.object({
  isRetrying: z.boolean(),
  reason: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('problem'), problem }),
    /** Files can't be sent or fetched, or the instance can't be reached. */
    z.object({ kind: z.literal('transfer'), problem: transferProblem }),
    /** SSH waits for the user's answer, such as about a host key. */
    z.object({ kind: z.literal('question') }),
    /** The instance isn't running: it's in this state of the service, or stopped by someone. */
    z.object({ kind: z.literal('not-running'), status: z.string().max(100) }),
    /** The instance takes longer to start than instances do. */
    z.object({ kind: z.literal('still-starting') }),
    /** The script on the instance can't do its part. `unknown-job`: where the login leads now, the job was never started; `still-running`: a canceled command doesn't end. */
    z.object({
      kind: z.literal('on-instance'),
      why: z.enum([
        'read-only',
        'disk-full',
        'no-procfs',
        'no-answer',
        'busy-folder',
        'failed',
        'unknown-job',
        'still-running',
      ]),
    }),
    /** The instance isn't stopped or destroyed while another job, of this name, uses it. */
    z.object({ kind: z.literal('other-job'), name: z.string() }),
    /** Outputs that aren't the same here as there: so many, and the first of them. */
    z.object({ kind: z.literal('differ'), count: z.number().int(), paths: z.array(z.string()).readonly() }),
    /**
     * Files that can't be sent, or outputs that can't be had here: for their names, because they're links, or because no file
     * matches; nothing is ended with outputs missing unless the user says so.
     */
    z.object({
      kind: z.literal('left-out'),
      count: z.number().int(),
      entries: z.array(skippedEntry).readonly(),
    }),
  ]),
})
export type JobTrouble = z.infer<typeof jobTrouble>

/** Outputs that a job can go on without, those that can't be had or those that differ: so many, and the first of them. */
export const missingOutputs = z.object({
  of: z.enum(['left-out', 'differ']),
  count: z.number().int().min(1),
  paths: z.array(z.string().max(4_096)).max(100).readonly(),
})
export type MissingOutputs = z.infer<typeof missingOutputs>

/** `null` where the trouble is another. */
export function missingOutputsOf(trouble: JobTrouble | null): MissingOutputs | null {
  const reason = trouble?.reason
  if (reason?.kind !== 'left-out' && reason?.kind !== 'differ') return null
  const { kind, count } = reason
  return { of: kind, count, paths: kind === 'differ' ? reason.paths : reason.entries.map(({ path }) => path) }
}

/** How a job ended, and what that means for the instance. */
export const jobOutcome = z.discriminatedUnion('kind', [
  /** The command ended, with whatever code; what was to come back is here. */
  z.object({ kind: z.literal('finished'), instance: z.enum(['kept', 'stopped', 'destroyed']) }),
  /** The user ended it; what was there of outputs is fetched or not, as `outputs` of the job says. */
  z.object({ kind: z.literal('canceled'), instance: z.enum(['none', 'kept', 'stopped', 'destroyed']) }),
  /** No instance was rented, and nothing is charged. */
  z.object({ kind: z.literal('not-rented') }),
  /** The instance is gone from the list, or another one has its ID: what wasn't fetched is lost. */
  z.object({ kind: z.literal('instance-gone') }),
  /** The user gave up at this step; the instance is kept, and charged, unless the service was `asked` before. */
  z.object({ kind: z.literal('given-up'), step: jobStep }),
])
export type JobOutcome = z.infer<typeof jobOutcome>

const amount = z.object({ files: z.number().int(), bytes: z.number() })
const progress = amount.extend({ filesDone: z.number().int(), bytesDone: z.number() })

/** A job as the window shows it. Times in ms since the epoch. */
export const job = z.object({
  id: z.string(),
  definition: begunDefinition,
  folder: z.string(),
  place: shownPlace,
  begunAt: z.number(),
  /** The instance it runs or ran on; `null` before one is rented. */
  instanceId: instanceId.nullable(),
  step: jobStep,
  /** Of the step `upload` or `fetch`; `null` before there is anything to tell. */
  progress: progress.nullable(),
  trouble: jobTrouble.nullable(),
  /** The user has asked that it ends; the command is being stopped. */
  isCanceling: z.boolean(),
  /** What is done with the instance at the end, by the definition or by what the user has said since. */
  end: jobEnd,
  /** What the service was asked to do with the instance: that happens whatever becomes of the job. `null` before. */
  asked: actionKind.nullable(),
  /** Its auto-stop rule couldn't be set: without Slipway, the instance isn't stopped. */
  isUnguarded: z.boolean(),
  /** Links and special files of the project's folder, which are never sent. */
  unsentLinks: z.number().int(),
  /** When the command was started, by this computer's clock. */
  startedAt: z.number().nullable(),
  /** When Slipway last heard from the running command. */
  heardAt: z.number().nullable(),
  /** When the command ended. */
  exitedAt: z.number().nullable(),
  exit: jobExit.nullable(),
  /** Outputs that are here and compared. `folder` is where; `bySha256`: of how many the content was compared, not only the size. */
  outputs: amount.extend({ folder: z.string(), bySha256: z.number().int() }).nullable(),
  /** What the instance costs with its disk, $/h; `null` while unknown. */
  perHourUsd: z.number().nullable(),
  /** What the job has cost: the instance's price for as long as the job had it. */
  costUsd: z.number().nullable(),
  /** How many bytes the command has written that are here. */
  logBytes: z.number(),
  /** Tells the desktop when it ends. */
  isNotifying: z.boolean(),
  /** `null` while it goes on. */
  outcome: jobOutcome.nullable(),
  endedAt: z.number().nullable(),
})
export type Job = z.infer<typeof job>
