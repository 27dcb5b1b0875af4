import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { nothingListed, type InstancesSnapshot, type WatchedInstance } from '#domain/instances/instance.ts'
import type { JobDefinition } from '#domain/jobs/job-definition.ts'
import type { Job } from '#domain/jobs/job.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import type { RentOptions } from '#domain/renting/rent-request.ts'
import type { RetryOutcome, RetryView } from '#domain/renting/retry.ts'
import type { JobFiles } from '#services/files/outputs/job-files.ts'
import type { JobEntry, JobEvent } from '#services/jobs/job-journal.ts'
import { JobLog } from '#services/jobs/job-log.ts'
import { JobRecords } from '#services/jobs/job-records.ts'
import { Jobs, type JobsOptions } from '#services/jobs/jobs.ts'
import type { InstanceJobs, JobState } from '#services/jobs/on-instance/instance-jobs.ts'
import { FakeClock, quiet } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export const minute = 60_000
/** Whose parts a test exchanges. */
type Changeable<T> = { -readonly [K in keyof T]: T[K] }

/** A job without outputs, so that no files are looked for. */
export const definition: JobDefinition = {
  name: 'Train',
  command: 'true',
  send: { honorGitignore: true, exclude: [] },
  fetch: [],
  then: 'destroy',
  stopAfterMinutes: null,
}
const identity = { machineId: 1, startedAt: null }
/** What a job rents. */
const rentOptions: RentOptions = {
  image: 'ubuntu',
  templateHashId: null,
  diskGb: 10,
  env: {},
  onstart: null,
  volume: null,
  extraFilters: {},
  addSshKey: true,
}
export const plan = { machines: 2, capPerHourUsd: null, bootMinutes: 60, giveUpAfterMinutes: 600 }

export const started: readonly JobEvent[] = [
  { kind: 'upload', instance: { id: 7, identity, since: 0, perHourUsd: 0.5 } },
  { kind: 'start' },
  { kind: 'run' },
]
export const exited: JobEvent = { kind: 'fetch', exit: { kind: 'code', code: 0 } }

/** A job that is under way on instance 7 and has written these lines. */
export function jobOnInstance(
  id: string,
  events: readonly JobEvent[],
  over: Partial<JobDefinition> = {},
): JobEntry[] {
  const begun: JobEntry = {
    kind: 'begun',
    ...{ id, at: 0, definition: { ...definition, ...over }, folder: `/project-${id}`, remoteFolder: id },
    ...{ place: { kind: 'instance', instanceId: 7 }, identity, sealedOptions: null },
  }
  return [begun, ...events.map((event): JobEntry => ({ kind: 'event', id, at: 0, event }))]
}

/** A job that rents, and has written these lines. */
export function jobThatRents(id: string, events: readonly JobEvent[], at: number): JobEntry[] {
  const place = { kind: 'rent', searchName: 'All', query: defaultOfferQuery, plan } as const
  const [begun, ...others] = jobOnInstance(id, events)
  if (begun?.kind !== 'begun') throw new Error('it begins with its order')
  return [{ ...begun, at, place, identity: null, sealedOptions: 'sealed' }, ...others]
}

export function listed(status: string, id = 7): WatchedInstance {
  const record = { id, actual_status: status, machine_id: 1 }
  return { id, status, record, history: [{ status, at: 0 }], pending: null }
}

/** Jobs that go on with what their journal says, with all around them made up: nothing is there but instance 7. */
export async function jobsWorld(entries: readonly JobEntry[], over: Partial<JobsOptions> = {}) {
  const clock = new FakeClock()
  const log = memoryLog()
  const folder = await temporaryFolder()
  const journal = memoryJournal<JobEntry>([...entries])
  const records = new JobRecords({ journal, clock, deleteFiles: () => Promise.resolve() })
  await records.open()
  const snapshot = new Latest<InstancesSnapshot>(nothingListed)
  /** What was asked of whom, in order. */
  const asked: string[] = []
  const told: string[] = []
  const instances = new Map([[7, listed('running')]])
  const list = (): void =>
    snapshot.set({ ...nothingListed, instances: [...instances.values()], fetchedAt: clock.now() })
  list()
  const note = (what: string): Promise<void> => {
    asked.push(what)
    return Promise.resolve()
  }
  const running: JobState = { kind: 'running', bytes: 0 }
  const canceledState: JobState = { kind: 'exited', code: 143, isCanceled: true, bytes: 0 }
  /** How the jobs stand on their instances. */
  const states = new Map<string, JobState>()
  const stateOf = (id: string): Promise<JobState> => Promise.resolve(states.get(id) ?? running)
  const onInstance: Changeable<InstanceJobs> = {
    start: ({ jobId }) => note(`start ${jobId}`).then(() => stateOf(jobId)),
    look: stateOf,
    follow: async ({ jobId }, _, signal) => {
      for (;;) {
        const state = await stateOf(jobId)
        if (state.kind !== 'running') return state
        await clock.sleep(1_000, signal)
      }
    },
    // As the script does: one that it doesn't know never begins from then on.
    cancel: async (jobId) => {
      await note(`cancel ${jobId}`)
      if ((await stateOf(jobId)).kind === 'none') states.set(jobId, canceledState)
      return stateOf(jobId)
    },
    hash: () => Promise.resolve(new Map()),
    forget: () => Promise.resolve(),
  }
  const retries = {
    state: new Latest<readonly RetryView[]>([]),
    outcomes: new Map<string, RetryOutcome>(),
    outcomeOf: (id: string) => retries.outcomes.get(id) ?? null,
    beginCheapest: ({ id, signal: _ }: { readonly id: string; readonly signal: AbortSignal }) =>
      note(`rent ${id}`),
    stop: (id: string, machine: string) => note(`stop renting ${id}, ${machine}`),
  }
  const actions = {
    stop: (id: number) => note(`stop ${id}`),
    destroy: async (id: number) => {
      await note(`destroy ${id}`)
      instances.delete(id)
    },
  }
  const rules = {
    arm: (id: string) => note(`arm ${id}`),
    postpone: (id: number) => note(`postpone ${id}`),
    disarm: (id: string, heir: string | null) => note(`disarm ${id}${heir === null ? '' : `, for ${heir}`}`),
  }
  const notAsked = (): Promise<never> => Promise.reject(new Error('not in this world'))
  const files: Changeable<JobFiles> = {
    upload: () => Promise.resolve({ skipped: [], skippedCount: 0, unsentCount: 0 }),
    find: notAsked,
    fetch: notAsked,
  }
  // There before time goes by: a disk doesn't keep to the clock of a test.
  const opened = new Map<string, JobLog>()
  for (const { id } of entries) opened.set(id, await JobLog.open(join(folder, id)))
  const logs = {
    open: (id: string): Promise<JobLog> => {
      const kept = opened.get(id)
      return kept ? Promise.resolve(kept) : Promise.reject(new Error(`no job ${id}`))
    },
  }
  const options: JobsOptions = {
    ...{ records, clock, log, retries, actions, rules, files, randomId: () => `id-${asked.length}` },
    watch: { snapshot, find: (id) => instances.get(id), refresh: () => Promise.resolve() },
    jobsOn: () => onInstance,
    seal: (text) => Promise.resolve(text),
    unseal: () => Promise.resolve(JSON.stringify(rentOptions)),
    isAsked: () => false,
    isAlive: () => true,
    notify: ({ title }) => void told.push(title),
    folderOf: (id) => join(folder, id),
    outputOf: (id) => logs.open(id),
    deleteFiles: () => Promise.resolve(),
    ...over,
  }

  return {
    ...{ clock, asked, told, instances, states, retries, actions, rules, files, logs, onInstance },
    /** Takes up what is under way. */
    run: () => {
      const jobs = new Jobs(options)
      const end = new AbortController()
      const following = jobs.follow(end.signal)
      onTestFinished(async () => {
        end.abort()
        await following
      })
      const find = (id: string): Job => {
        const job = jobs.state.value.find((one) => one.id === id)
        if (job === undefined) throw new Error(`no job ${id}`)
        return job
      }
      /** Lets time go by, with a list each few seconds; it stands still while the disk is at work. */
      const pass = async (ms: number): Promise<void> => {
        for (let left = ms; left > 0; left -= 3_000) {
          list()
          await clock.advance(Math.min(left, 3_000))
          await quiet()
        }
      }
      return {
        ...{ jobs, find, pass },
        /** The job, as soon as it is so. @throws when it isn't within an hour */
        when: async (id: string, isSo: (job: Job) => boolean): Promise<Job> => {
          for (let tries = 0; tries < 1_200 && !isSo(find(id)); tries += 1) {
            await pass(3_000)
            await sleep(1)
          }
          const job = find(id)
          if (!isSo(job)) throw new Error(`Job ${id} didn't get there: ${JSON.stringify(job)}`)
          return job
        },
      }
    },
  }
}

export const isOver = ({ outcome }: Pick<Job, 'outcome'>): boolean => outcome !== null
export const isInTrouble = ({ trouble }: Pick<Job, 'trouble'>): boolean => trouble !== null
