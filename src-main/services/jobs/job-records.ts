import type { Clock } from '../../domain/base/clock.ts'
import type { Journal } from '../storage/journal.ts'
import type { JobEntry, JobEvent } from './job-journal.ts'
import { jobsOf, withEntry, type JobRecord } from './job-record.ts'

/** Jobs that have ended and are kept; older ones are forgotten at the next start. */
const mostEnded = 200

interface JobRecordsOptions {
  readonly journal: Journal<JobEntry>
  /** All that is kept of a job but its entries. */
  readonly deleteFiles: (id: string) => Promise<void>
  readonly clock: Clock
}

/** The jobs of the account, as their journal tells them. */
export class JobRecords {
  readonly #journal: Journal<JobEntry>
  readonly #deleteFiles: JobRecordsOptions['deleteFiles']
  readonly #clock: Clock
  #all: ReadonlyMap<string, JobRecord> = new Map()

  constructor({ journal, deleteFiles, clock }: JobRecordsOptions) {
    this.#journal = journal
    this.#deleteFiles = deleteFiles
    this.#clock = clock
  }

  /** In the order in which they were begun. */
  get all(): ReadonlyMap<string, JobRecord> {
    return this.#all
  }

  /**
   * Deletes what is kept of jobs that aren't known any more, also of those whose deletion a crash cut off. One whose
   * beginning can't be read is left to a build that can.
   *
   * @throws ProblemError storage-failed
   */
  async open(): Promise<void> {
    const entries = await this.#journal.readAll()
    const all = jobsOf(entries)
    const ended = [...all.values()].filter(({ outcome }) => outcome !== null)
    const old = new Set(ended.slice(0, -mostEnded).map(({ id }) => id))
    this.#all = new Map([...all].filter(([id]) => !old.has(id)))
    const gone = new Set(
      entries.flatMap(({ kind, id }) => (kind === 'begun' && !this.#all.has(id) ? id : [])),
    )
    // While their entries name them.
    for (const id of gone) await this.#deleteFiles(id)
    await this.#journal.compact(({ id }) => !gone.has(id))
  }

  get(id: string): JobRecord | undefined {
    return this.#all.get(id)
  }

  unended(): readonly JobRecord[] {
    return [...this.#all.values()].filter(({ outcome }) => outcome === null)
  }

  /** On the disk when it resolves. @throws ProblemError storage-failed: nothing was begun then */
  begin(
    id: string,
    order: Omit<Extract<JobEntry, { readonly kind: 'begun' }>, 'kind' | 'id' | 'at'>,
  ): Promise<void> {
    return this.#append({ kind: 'begun', id, at: this.#clock.now(), ...order })
  }

  /** On the disk when it resolves. @throws ProblemError storage-failed: it hasn't happened then */
  async append(id: string, event: JobEvent): Promise<void> {
    if (!this.#all.has(id)) throw new Error('A job that was forgotten does nothing more')
    await this.#append({ kind: 'event', id, at: this.#clock.now(), event })
  }

  async #append(entry: JobEntry): Promise<void> {
    await this.#journal.append(entry)
    const all = new Map(this.#all)
    const next = withEntry(all.get(entry.id), entry)
    if (next === undefined) all.delete(entry.id)
    else all.set(entry.id, next)
    this.#all = all
  }
}
