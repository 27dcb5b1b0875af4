import { assertNever } from '../../domain/base/assert-never.ts'
import { areDifferent, unknownIdentity } from '../../domain/instances/instance-identity.ts'
import type { ActionKind } from '../../domain/instances/instance.ts'
import type { JobEnd } from '../../domain/jobs/job-definition.ts'
import type { Job, JobExit, JobOutcome, JobStep } from '../../domain/jobs/job.ts'
import type { JobEntry, JobEvent, JobInstance } from './job-journal.ts'

type Begun = Extract<JobEntry, { readonly kind: 'begun' }>

type Accepting = Extract<JobEvent, { readonly kind: 'accepting' }>

/** How a job stands, as its journal tells it. Times in ms since the epoch. */
export interface JobRecord extends Pick<
  Begun,
  'id' | 'definition' | 'folder' | 'remoteFolder' | 'place' | 'sealedOptions'
> {
  readonly begunAt: number
  readonly step: JobStep
  /** The auto-retry that rents for it. `isBegun`: it surely was begun, so that it never is again. */
  readonly retry: { readonly id: string; readonly isBegun: boolean } | null
  readonly instance: JobInstance | null
  readonly startedAt: number | null
  readonly exitedAt: number | null
  readonly exit: JobExit | null
  readonly outputs: Job['outputs']
  readonly unsentLinks: number
  /** What is done with the instance, where the user has asked that the job ends. */
  readonly canceling: JobEnd | null
  /** What the service was asked to do with the instance, or was about to be: that can't be taken back. */
  readonly asked: ActionKind | null
  /** Its auto-stop rule couldn't be set. */
  readonly isUnguarded: boolean
  /** Which outputs the user does without, as said last. */
  readonly accepted: ReadonlyMap<Accepting['of'], Pick<Accepting, 'count' | 'paths'>>
  readonly isNotifying: boolean
  readonly perHourUsd: number | null
  readonly costUsd: number | null
  readonly outcome: JobOutcome | null
  readonly endedAt: number | null
}

/** The jobs that were not forgotten, in the order in which they were begun. */
export function jobsOf(entries: readonly JobEntry[]): Map<string, JobRecord> {
  const all = new Map<string, JobRecord>()
  for (const entry of entries) {
    const next = withEntry(all.get(entry.id), entry)
    if (next === undefined) all.delete(entry.id)
    else all.set(entry.id, next)
  }
  return all
}

/** Undefined for one that isn't known, or is forgotten. */
export function withEntry(record: JobRecord | undefined, entry: JobEntry): JobRecord | undefined {
  if (entry.kind === 'begun') return record ?? begun(entry)
  return record && withEvent(record, entry.event, entry.at)
}

function begun({ kind: _, at: begunAt, identity, ...order }: Begun): JobRecord {
  const { place } = order
  return {
    ...order,
    begunAt,
    step: 'instance',
    retry: null,
    instance:
      place.kind === 'instance' && identity !== null
        ? { id: place.instanceId, identity, since: begunAt, perHourUsd: null }
        : null,
    startedAt: null,
    exitedAt: null,
    exit: null,
    outputs: null,
    unsentLinks: 0,
    canceling: null,
    asked: null,
    isUnguarded: false,
    accepted: new Map(),
    isNotifying: true,
    perHourUsd: null,
    costUsd: null,
    outcome: null,
    endedAt: null,
  }
}

function withEvent(record: JobRecord, event: JobEvent, at: number): JobRecord | undefined {
  if (event.kind === 'forgotten') return record.outcome === null ? record : undefined
  if (event.kind === 'notifying') return { ...record, isNotifying: event.isOn }
  // It has ended for good, whatever was under way then.
  if (record.outcome !== null) return record
  switch (event.kind) {
    case 'renting':
      return { ...record, retry: { id: event.retryId, isBegun: false } }
    case 'retrying':
      return { ...record, retry: record.retry && { ...record.retry, isBegun: true } }
    case 'upload':
      return { ...record, step: 'upload', instance: event.instance, perHourUsd: event.instance.perHourUsd }
    case 'start':
      return { ...record, step: 'start', unsentLinks: event.unsentLinks ?? 0 }
    case 'verify':
      return { ...record, step: 'verify' }
    case 'run':
      return { ...record, step: 'run', startedAt: record.startedAt ?? at }
    case 'fetch':
      return { ...record, step: 'fetch', exit: event.exit, exitedAt: record.exitedAt ?? at }
    case 'end':
      return { ...record, step: 'end', outputs: event.outputs }
    case 'canceling':
      return record.asked === null ? { ...record, canceling: event.instance } : record
    case 'guarding':
      return { ...record, isUnguarded: !event.isSet }
    case 'asking':
      // The user may have said something else meanwhile.
      return endOf(record) === event.action ? { ...record, asked: event.action } : record
    case 'accepting':
      return { ...record, accepted: new Map([...record.accepted, [event.of, event]]) }
    case 'ended': {
      const { outcome, perHourUsd, costUsd } = event
      return { ...record, outcome, endedAt: at, perHourUsd, costUsd }
    }
    default:
      return assertNever(event)
  }
}

/** What is done with the instance at the end. One whose command was lost may still have what it made. */
export function endOf({
  asked,
  canceling,
  definition,
  exit,
}: Pick<JobRecord, 'asked' | 'canceling' | 'definition' | 'exit'>): JobEnd {
  return asked ?? canceling ?? (exit?.kind === 'lost' ? 'keep' : definition.then)
}

/** Whether the user does without all of these outputs: not without more of them, or without others. */
export function doesWithout(
  { accepted }: Pick<JobRecord, 'accepted'>,
  of: Accepting['of'],
  missing: readonly string[],
): boolean {
  const said = accepted.get(of)
  if (said === undefined) return false
  // Older builds have written neither; of very many, only the first are named.
  const { count = missing.length, paths = [] } = said
  return missing.length <= count && (count > paths.length || missing.every((path) => paths.includes(path)))
}

/** The instance that a job has, or waits for; `null` before one is rented. */
export function instanceOf({
  instance,
  place,
}: Pick<JobRecord, 'instance' | 'place'>): Pick<JobInstance, 'id' | 'identity'> | null {
  if (instance !== null || place.kind !== 'instance') return instance
  return { id: place.instanceId, identity: unknownIdentity }
}

/**
 * Whether another job still uses the instance of this one. Of several that have only their end left none does, so that they
 * don't wait for each other.
 */
export function sharesInstance(other: JobRecord, record: JobRecord): boolean {
  if (other.id === record.id || other.outcome !== null || other.step === 'end') return false
  const [one, its] = [instanceOf(record), instanceOf(other)]
  return one !== null && one.id === its?.id && !areDifferent(one.identity, its.identity)
}

/** What an instance has cost a job until then; `null` while its price is unknown. */
export function costUsdOf(
  { instance }: Pick<JobRecord, 'instance'>,
  perHourUsd: number | null,
  until: number,
): number | null {
  if (instance === null || perHourUsd === null) return null
  return (Math.max(0, until - instance.since) / 3_600_000) * perHourUsd
}
