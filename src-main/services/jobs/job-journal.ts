import { z } from 'zod'
import { instanceIdentity } from '../../domain/instances/instance-identity.ts'
import { actionKind } from '../../domain/instances/instance.ts'
import { begunDefinition, jobEnd } from '../../domain/jobs/job-definition.ts'
import { job, jobExit, jobOrder, jobOutcome, shownPlace } from '../../domain/jobs/job.ts'

/** The instance that a job has. */
const jobInstance = z.object({
  id: z.number().int(),
  /** Another one that is listed under its id later is none of the job's business. */
  identity: instanceIdentity,
  /** Since when the job has it, ms since the epoch. */
  since: z.number(),
  /** What it cost then; `null` while unknown. */
  perHourUsd: z.number().nullable(),
})
export type JobInstance = z.infer<typeof jobInstance>

/** One line for each step, written before it's done, with what came of the step before: no crash comes between the two. */
const stepEntries = [
  /** An auto-retry with this id is about to be begun. */
  z.object({ kind: z.literal('renting'), retryId: z.string() }),
  /** It was. */
  z.object({ kind: z.literal('retrying') }),
  z.object({ kind: z.literal('upload'), instance: jobInstance }),
  /** Links and special files weren't sent. */
  z.object({ kind: z.literal('start'), unsentLinks: job.shape.unsentLinks.optional() }),
  z.object({ kind: z.literal('run') }),
  z.object({ kind: z.literal('fetch'), exit: jobExit }),
  z.object({ kind: z.literal('verify') }),
  z.object({ kind: z.literal('end'), outputs: job.shape.outputs }),
  /** The service is about to be asked to do this with the instance. */
  z.object({ kind: z.literal('asking'), action: actionKind }),
  z.object({
    kind: z.literal('ended'),
    outcome: jobOutcome,
    perHourUsd: job.shape.perHourUsd,
    costUsd: job.shape.costUsd,
  }),
] as const

/** What the user said meanwhile, and what became of it. */
const wishEntries = [
  z.object({ kind: z.literal('canceling'), instance: jobEnd }),
  /** Missing outputs are accepted: those that can't be had, or those that differ; so many, and the first of them. */
  z.object({
    kind: z.literal('accepting'),
    of: z.enum(['left-out', 'differ']),
    count: z.number().int().optional(),
    paths: z.array(z.string()).readonly().optional(),
  }),
  z.object({ kind: z.literal('notifying'), isOn: z.boolean() }),
  /** Whether its auto-stop rule could be set, where that has changed. */
  z.object({ kind: z.literal('guarding'), isSet: z.boolean() }),
  z.object({ kind: z.literal('forgotten') }),
] as const

const named = z.object({ id: z.string(), at: z.number() })

/** What is written of one job once it has begun. */
const jobEvent = z.discriminatedUnion('kind', [...stepEntries, ...wishEntries])
export type JobEvent = z.infer<typeof jobEvent>

/** The journal of jobs. What is rented for one may hold secrets, so it's there sealed with a key from the keychain. */
export const jobEntry = z.union([
  named.extend({
    kind: z.literal('begun'),
    definition: begunDefinition,
    folder: jobOrder.shape.folder,
    /** The project's folder on the instance, from the home on. */
    remoteFolder: z.string(),
    place: shownPlace,
    /** Of an instance that is rented already. */
    identity: instanceIdentity.nullable(),
    /** What is rented; `null` where nothing is. */
    sealedOptions: z.string().nullable(),
  }),
  named.extend({ kind: z.literal('event'), event: jobEvent }),
])
export type JobEntry = z.infer<typeof jobEntry>
