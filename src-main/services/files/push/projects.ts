import { z } from 'zod'
import { Latest } from '../../../domain/base/latest.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { invalidInput, ProblemError } from '../../../domain/base/problem.ts'
import {
  project,
  type ProjectDraft,
  type ProjectState,
  type ReviewAnswers,
  type ReviewOutcome,
} from '../../../domain/files/project.ts'
import { wholeListAt, type InstancesSnapshot } from '../../../domain/instances/instance.ts'
import { outlookOf } from '../../../domain/instances/instance-status.ts'
import type { JsonFile } from '../../storage/json-file.ts'
import { doOverlap } from './target-folder.ts'
import { ProjectPush, type ProjectPushOptions } from './project-push.ts'
import { pushOnSave as followSaves } from './push-on-save.ts'
import type { PushedFiles } from './pushed-files.ts'

/** As it is kept. */
const keptProject = project.extend({
  /** What left files out of the last push that was all of it; `null` before it: see `Plan.ignoring`. */
  ignoring: z.record(z.string(), z.string()).nullable().default(null),
})
type KeptProject = z.infer<typeof keptProject>
export const projectsFile = { schema: z.array(keptProject).readonly(), fallback: [] }

export interface ProjectsOptions extends Omit<
  ProjectPushOptions,
  'project' | 'ignoring' | 'pushed' | 'onChange' | 'onPushed'
> {
  readonly file: Pick<JsonFile<readonly KeptProject[]>, 'value' | 'update'>
  /** What was pushed of a project. */
  readonly pushedOf: (id: string) => PushedFiles
  /** Deletes what was pushed of all others. @throws ProblemError storage-failed */
  readonly keepPushed: (ids: readonly string[]) => Promise<void>
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'value' | 'watch'>
  /** Whether there is a connection to the instance now. */
  readonly isConnected: (instanceId: number) => boolean
  /** As Node names it. */
  readonly platform: string
  readonly randomId: () => string
}

interface Held {
  readonly push: ProjectPush
  /** Ends the push on save; `null` while that is off. */
  onSave: { readonly end: AbortController; readonly done: Promise<void> } | null
}

/** How often progress is told. */
const tellEveryMs = 250

/** The account's projects: kept on disk, pushed when asked for, and on save where that is on. */
export class Projects {
  readonly state = new Latest<readonly ProjectState[]>([])
  readonly #options: ProjectsOptions
  readonly #held = new Map<string, Held>()
  /** For one change of the list at a time. */
  readonly #changes = new SerialQueue()
  #isFollowed = false
  #toldAt = 0

  constructor(options: ProjectsOptions) {
    this.#options = options
    this.#hold()
  }

  /**
   * Push on save goes on where it was on and reviewed. Projects of instances that are gone are forgotten, until the signal
   * is aborted.
   */
  async follow(signal: AbortSignal): Promise<void> {
    this.#isFollowed = true
    for (const { id } of this.#options.file.value) this.#turnOn(id)
    let seenAt: number | null = null
    for await (const latest of this.#options.snapshot.watch(signal)) {
      const { instances } = latest
      const fetchedAt = wholeListAt(latest)
      if (instances === null || fetchedAt === null || fetchedAt === seenAt) continue
      seenAt = fetchedAt
      const listed = new Set(instances.map(({ id }) => id))
      const gone = this.#options.file.value.filter(({ instanceId }) => !listed.has(instanceId))
      for (const { id } of gone) await this.#forget(id)
    }
  }

  /**
   * Adds a project, or changes one. With other folders it's another one, of which nothing is pushed yet. A push of it that is
   * under way ends; push on save begins once it was reviewed, also again after deletes were switched on.
   *
   * @throws ProblemError invalid-input, also where its folder there is in another project's or around it; storage-failed
   */
  save({ id: known, ...draft }: ProjectDraft): Promise<{ readonly id: string }> {
    const { file, randomId } = this.#options
    return this.#changes.take(async () => {
      const held = known === null ? null : this.#find(known)
      const former = file.value.find(({ id }) => id === known)
      const isSameThere = former?.remote === draft.remote && former.instanceId === draft.instanceId
      const others = file.value.filter(
        ({ id, instanceId }) => id !== known && instanceId === draft.instanceId,
      )
      // Those that overlap already can still be changed.
      if (!isSameThere && others.some(({ remote }) => doOverlap(remote, draft.remote)))
        throw invalidInput('remote', { code: 'taken' })
      await this.#end(held)
      // As a push that has ended with it left it.
      const left = file.value.find(({ id }) => id === known)
      const isSame = isSameThere && left?.local === draft.local
      const isReviewed = isSame && left.isReviewed && (left.removeGone || !draft.removeGone)
      const id = isSame ? left.id : randomId()
      const next = { ...draft, id, isReviewed, ignoring: isSame ? left.ignoring : null }
      try {
        await file.update((all) =>
          former === undefined ? [...all, next] : all.map((one) => (one.id === former.id ? next : one)),
        )
      } finally {
        if (known !== null) this.#held.delete(known)
        this.#hold()
      }
      if (former !== undefined && !isSame) await this.#keepPushed()
      return { id }
    })
  }

  /** What is on the instance stays. @throws ProblemError invalid-input, storage-failed */
  remove(id: string): Promise<void> {
    return this.#changes.take(async () => {
      const held = this.#find(id)
      await this.#options.file.update((all) => all.filter((one) => one.id !== id))
      await this.#end(held)
      this.#held.delete(id)
      this.#publish()
      await this.#keepPushed()
    })
  }

  /** @throws ProblemError invalid-input, or the signal's reason */
  review(id: string, signal: AbortSignal): Promise<ReviewOutcome> {
    return this.#find(id).push.review(signal)
  }

  /** Begins a push; the state tells how it goes. @throws ProblemError invalid-input */
  push(id: string, answers: ReviewAnswers): void {
    void this.#find(id).push.push(answers)
  }

  /** @throws ProblemError invalid-input */
  cancel(id: string): void {
    this.#find(id).push.cancel()
  }

  /** Ends all; push on save goes on with the next start. */
  async dispose(): Promise<void> {
    this.#isFollowed = false
    await Promise.all([...this.#held.values()].map((held) => this.#end(held)))
  }

  #find(id: string): Held {
    const held = this.#held.get(id)
    if (held) return held
    throw invalidInput('id', { code: 'not-listed' })
  }

  /** Takes up those of the file that aren't yet. */
  #hold(): void {
    for (const kept of this.#options.file.value) {
      if (this.#held.has(kept.id)) continue
      this.#held.set(kept.id, { push: this.#pushOf(kept), onSave: null })
      this.#turnOn(kept.id)
    }
    this.#publish()
  }

  #pushOf({ ignoring, ...kept }: KeptProject): ProjectPush {
    const { sync, localTree, clock, log, pushedOf } = this.#options
    const onChange = (often: boolean): void => {
      if (!often || clock.now() - this.#toldAt >= tellEveryMs) this.#publish()
    }
    return new ProjectPush({
      ...{ sync, localTree, clock, log, onChange, project: kept, pushed: pushedOf(kept.id) },
      ignoring: ignoring && new Map(Object.entries(ignoring)),
      onPushed: (now) => this.#pushed(kept.id, Object.fromEntries(now)),
    })
  }

  async #pushed(id: string, ignoring: NonNullable<KeptProject['ignoring']>): Promise<void> {
    await this.#options.file.update((all) =>
      all.map((one) => (one.id === id ? { ...one, isReviewed: true, ignoring } : one)),
    )
    this.#held.get(id)?.push.setReviewed()
    this.#turnOn(id)
  }

  #turnOn(id: string): void {
    const held = this.#held.get(id)
    if (!this.#isFollowed || held === undefined || held.onSave !== null) return
    const { instanceId, pushOnSave, isReviewed } = held.push.state.project
    if (!pushOnSave || !isReviewed) return
    const end = new AbortController()
    const { platform, clock, log } = this.#options
    const done = followSaves(
      {
        ...{ push: held.push, platform, clock },
        isUp: () => this.#isUp(instanceId),
        whenTold: (signal) => this.#nextList(signal),
      },
      end.signal,
    ).catch((error: unknown) => void log.error('Push on save ended', error))
    held.onSave = { end, done }
  }

  #isUp(instanceId: number): boolean {
    const { snapshot, isConnected } = this.#options
    const instance = snapshot.value.instances?.find(({ id }) => id === instanceId)
    return isConnected(instanceId) || (instance !== undefined && outlookOf(instance).kind === 'ready')
  }

  async #nextList(signal: AbortSignal): Promise<void> {
    let isFirst = true
    for await (const _ of this.#options.snapshot.watch(signal)) {
      if (!isFirst) return
      isFirst = false
    }
  }

  async #end(held: Held | null): Promise<void> {
    if (held === null) return
    const reason = new Error('push on save ends')
    held.onSave?.end.abort(reason)
    await held.push.dispose()
    // A push that came to its end meanwhile may have begun it.
    held.onSave?.end.abort(reason)
    await held.onSave?.done
  }

  async #forget(id: string): Promise<void> {
    const { log } = this.#options
    try {
      await this.remove(id)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      log.warn(`The project of an instance that is gone could not be forgotten yet: ${error.problem.kind}`)
    }
  }

  #keepPushed(): Promise<void> {
    return this.#options.keepPushed(this.#options.file.value.map(({ id }) => id))
  }

  #publish(): void {
    this.#toldAt = this.#options.clock.now()
    const inOrder = this.#options.file.value.flatMap(({ id }) => this.#held.get(id) ?? [])
    this.state.set(inOrder.map(({ push }) => push.state))
  }
}
