import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import {
  longestCopy,
  mostCopies,
  type CopyAnswer,
  type CopyConflict,
  type EditedCopy,
  type OwnEditorOutcome,
  type StopOutcome,
} from '../../../domain/files/edited-copy.ts'
import { fileMode, fileVersion, remoteFile, type RemoteFile } from '../../../domain/files/opened-file.ts'
import { wholeListAt, type InstancesSnapshot } from '../../../domain/instances/instance.ts'
import { ifThere, makeFolder, orStorageFailed, replaceFile } from '../../storage/disk.ts'
import type { JsonFile, JsonFileShape } from '../../storage/json-file.ts'
import { removeCopy, sweepCopies } from './copy-folders.ts'
import { copyName } from './copy-name.ts'
import { versionOf } from './text-bytes.ts'
import { goneForMs } from './unsaved-texts.ts'
import { WatchedCopy, type WatchedCopyOptions } from './watched-copy.ts'

const keptCopy = remoteFile.extend({
  id: z.string().regex(/^[\w-]{1,64}$/),
  /** The copy's name in its own folder. */
  file: z
    .string()
    .min(1)
    .max(255)
    .refine((name) => basename(name) === name && !name.startsWith('.')),
  expected: fileVersion.nullable(),
  mode: fileMode,
  changedAt: z.number(),
})
type KeptCopy = z.infer<typeof keptCopy>

export const editedCopiesFile: JsonFileShape<readonly KeptCopy[]> = {
  schema: z.array(keptCopy).readonly(),
  fallback: [],
}

/** The program that the user chose on this computer. */
export interface OwnEditor {
  /** Its path; `null` for none. */
  readonly program: () => string | null
  /** Starts it with one file. `false` when the system refuses. */
  readonly start: (program: string, path: string) => Promise<boolean>
}

export interface EditedCopiesOptions extends Pick<
  WatchedCopyOptions,
  'opened' | 'isConnected' | 'regain' | 'tryNow' | 'platform' | 'clock' | 'log'
> {
  readonly file: JsonFile<readonly KeptCopy[]>
  /** Each copy has a folder of its own in it. */
  readonly folder: string
  readonly editor: OwnEditor
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'watch'>
  readonly showInFolder: (path: string) => void
  readonly randomId: () => string
  readonly clock: Clock
}

interface Held {
  readonly copy: WatchedCopy
  readonly end: AbortController
  run: Promise<void> | null
}

/** Copies of instances' files that the user's own program edits. What isn't uploaded lasts. */
export class EditedCopies {
  readonly latest: Latest<readonly EditedCopy[]>
  readonly #options: EditedCopiesOptions
  readonly #held = new Map<string, Held>()
  /** A file has one copy, whoever asks twice. By file: an instance that doesn't answer holds up none of another. */
  readonly #openings = new Map<string, SerialQueue>()
  readonly #end = new AbortController()

  constructor(options: EditedCopiesOptions) {
    this.#options = options
    for (const kept of options.file.value) this.#hold(kept, true)
    this.latest = new Latest(this.#copies())
  }

  /** Goes on with what a run before has left, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    for (const [id, { copy }] of this.#held) {
      // One that can't be looked at may be there.
      const isThere = await ifThere(lstat(copy.path)).then(
        (entry) => entry !== null,
        () => true,
      )
      if (isThere) this.#run(id)
      // It was uploaded when Slipway ended, and no program has saved it since.
      else await this.#forget(id)
    }
    await this.#sweep()
    for await (const latest of this.#options.snapshot.watch(signal)) {
      if (latest.instances === null || wholeListAt(latest) === null) continue
      const listed = new Set(latest.instances.map(({ id }) => id))
      const since = this.#options.clock.now() - goneForMs
      for (const { id, instanceId, changedAt } of this.#options.file.value)
        if (!listed.has(instanceId) && changedAt < since && !(await this.#isSavedSince(id, since)))
          await this.#forget(id)
    }
  }

  async #isSavedSince(id: string, since: number): Promise<boolean> {
    const savedAt = await this.#held.get(id)?.copy.savedAt()
    return typeof savedAt === 'number' && savedAt >= since
  }

  /**
   * Opens a file in the user's program. Connects when there is no connection.
   *
   * @throws ProblemError storage-failed, newer-file; ended: Slipway closes
   */
  open(file: RemoteFile): Promise<OwnEditorOutcome> {
    const key = JSON.stringify([file.instanceId, file.folder, file.name])
    const queue = this.#openings.get(key) ?? new SerialQueue()
    this.#openings.set(key, queue)
    return queue.take(() => this.#open(file))
  }

  async #open(file: RemoteFile): Promise<OwnEditorOutcome> {
    this.#end.signal.throwIfAborted()
    const program = this.#options.editor.program()
    if (program === null) return { kind: 'no-editor' }
    // One that is being removed isn't opened any more: the file gets another copy.
    const [known] =
      [...this.#held].find(([, { copy, end }]) => !end.signal.aborted && isSameFile(copy.origin, file)) ?? []
    const outcome = known === undefined ? await this.#make(file) : await this.#again(known)
    if (typeof outcome !== 'string') return outcome
    this.#end.signal.throwIfAborted()
    const path = this.#held.get(outcome)?.copy.path
    if (path === undefined) return { kind: 'stopped' }
    if (await this.#options.editor.start(program, path)) return { kind: 'opened' }
    if (known === undefined) await this.#remove(outcome)
    return { kind: 'not-started', program }
  }

  conflict(id: string): Promise<CopyConflict | null> {
    return this.#held.get(id)?.copy.conflict() ?? Promise.resolve(null)
  }

  /** @throws ProblemError storage-failed, newer-file */
  async answer(id: string, answer: CopyAnswer): Promise<void> {
    const held = this.#held.get(id)
    try {
      await held?.copy.answer(answer)
    } catch (error) {
      // Nothing is to be answered about a copy that was stopped meanwhile.
      if (!held?.end.signal.aborted) throw error
    }
  }

  /**
   * Removes the copy from this computer. What a program saved beside it stays, for 30 days.
   *
   * @param mayLose whether the user agreed that what wasn't uploaded is lost
   * @throws ProblemError storage-failed, newer-file
   */
  async stop(id: string, mayLose: boolean): Promise<StopOutcome> {
    const held = this.#held.get(id)
    if (held === undefined) return { kind: 'stopped' }
    if (!mayLose && (await held.copy.standing()) === 'not-uploaded') return { kind: 'not-uploaded' }
    const doOthersStay = await this.#remove(id)
    return doOthersStay ? { kind: 'others-stay', folder: this.#folderOf(id) } : { kind: 'stopped' }
  }

  /** Shows the copy in the system's file manager. */
  show(id: string): void {
    const held = this.#held.get(id)
    if (held !== undefined) this.#options.showInFolder(held.copy.path)
  }

  /** What is uploaded goes from the disk. What a program saves into it later is found by the next start. */
  async dispose(): Promise<void> {
    const ended = new ProblemError({ kind: 'ended' })
    this.#end.abort(ended)
    for (const { end } of this.#held.values()) end.abort(ended)
    await Promise.all([...this.#openings.values()].map((queue) => queue.take(() => Promise.resolve())))
    await Promise.all([...this.#held].map(([id, held]) => this.#leave(id, held)))
  }

  async #leave(id: string, { copy, end, run }: Held): Promise<void> {
    end.abort(new ProblemError({ kind: 'ended' }))
    await run
    await copy.settled()
    try {
      const standing = await copy.standing()
      // A program that saves just now may have moved it away, and puts it back.
      if (standing === 'missing') await removeCopy(this.#folderOf(id), null)
      else if (standing === 'uploaded') await removeCopy(this.#folderOf(id), copy.path)
    } catch (error) {
      this.#options.log.error('A copy that was uploaded could not be removed', error)
    }
  }

  /** @returns the id of the copy */
  async #make(file: RemoteFile): Promise<string | OwnEditorOutcome> {
    const { opened, randomId, platform, clock } = this.#options
    if (this.#held.size >= mostCopies) return this.#tooMany()
    const read = await opened.readWhole(file, longestCopy, this.#end.signal)
    if (read.kind !== 'read') return read
    this.#end.signal.throwIfAborted()
    // Others were opened meanwhile.
    if (this.#held.size >= mostCopies) return this.#tooMany()
    const { instanceId, folder, name } = file
    const kept: KeptCopy = {
      ...{ id: randomId(), instanceId, folder, name },
      ...{ file: copyName(name, platform === 'win32' ? 'win32' : 'posix'), mode: read.mode },
      ...{ expected: versionOf(read.bytes), changedAt: clock.now() },
    }
    this.#hold(kept, false)
    try {
      // First: a copy that nothing tells of would stay.
      await this.#update((copies) => [...copies, kept])
      const path = join(this.#folderOf(kept.id), kept.file)
      await orStorageFailed(path, async () => {
        await makeFolder(this.#folderOf(kept.id))
        await replaceFile(path, read.bytes)
      })
    } catch (error) {
      await this.#forget(kept.id)
      throw error
    }
    this.#run(kept.id)
    this.#publish()
    return kept.id
  }

  async #again(id: string): Promise<string | OwnEditorOutcome> {
    const held = this.#held.get(id)
    // What is being uploaded is the newest.
    if (held === undefined || ['uploading', 'waiting'].includes(held.copy.state.kind)) return id
    try {
      const outcome = await held.copy.refresh()
      return outcome?.kind === 'failed' || outcome?.kind === 'refused' ? outcome : id
    } catch (error) {
      this.#end.signal.throwIfAborted()
      if (held.end.signal.aborted) return { kind: 'stopped' }
      throw error
    }
  }

  #hold(kept: KeptCopy, isResumed: boolean): void {
    const { id, file } = kept
    const end = new AbortController()
    const copy = new WatchedCopy({
      ...this.#options,
      ...{ origin: kept, file, isResumed, signal: end.signal },
      folder: this.#folderOf(id),
      keepExpected: (expected) =>
        this.#update((copies) =>
          copies.map((one) =>
            one.id === id ? { ...one, expected, changedAt: this.#options.clock.now() } : one,
          ),
        ),
      onState: () => this.#publish(),
    })
    this.#held.set(id, { copy, end, run: null })
  }

  #run(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined || held.end.signal.aborted) return
    held.run = held.copy
      .run()
      .catch((error: unknown) => void this.#options.log.error('A copy is watched no more', error))
  }

  async #forget(id: string): Promise<void> {
    try {
      await this.#remove(id)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#options.log.warn(`A copy that isn’t needed stays for now: ${error.problem.kind}`)
    }
  }

  /** @returns whether other files stay in its folder. @throws ProblemError storage-failed, newer-file */
  async #remove(id: string): Promise<boolean> {
    const held = this.#held.get(id)
    held?.end.abort(new Error('the copy is removed'))
    await held?.run
    await held?.copy.settled()
    const folder = this.#folderOf(id)
    try {
      const doOthersStay = await orStorageFailed(folder, () => removeCopy(folder, held?.copy.path ?? null))
      await this.#update((copies) => copies.filter((one) => one.id !== id))
      this.#held.delete(id)
      return doOthersStay
    } catch (error) {
      if (this.#held.get(id) === held) this.#watchAgain(id)
      throw error
    } finally {
      this.#publish()
    }
  }

  /** What couldn't be removed is listed still, and what is saved into it is uploaded still. */
  #watchAgain(id: string): void {
    const kept = this.#options.file.value.find((one) => one.id === id)
    if (kept === undefined) this.#held.delete(id)
    else if (!this.#end.signal.aborted) {
      this.#hold(kept, true)
      this.#run(id)
    }
  }

  /** Copies that a program saved again after they were removed, and what it saved beside them: no line tells of them. */
  async #sweep(): Promise<void> {
    const { folder, clock, log } = this.#options
    try {
      await sweepCopies(folder, new Set(this.#held.keys()), clock.now() - goneForMs)
    } catch (error) {
      log.error('Old copies could not be removed', error)
    }
  }

  #folderOf(id: string): string {
    return join(this.#options.folder, id)
  }

  #tooMany(): OwnEditorOutcome {
    const ids = new Set([...this.#held.values()].map(({ copy }) => copy.origin.instanceId))
    return { kind: 'too-many', instanceIds: [...ids].sort((one, other) => one - other) }
  }

  async #update(change: (copies: readonly KeptCopy[]) => readonly KeptCopy[]): Promise<void> {
    await this.#options.file.update(change)
  }

  #publish(): void {
    this.latest.set(this.#copies())
  }

  #copies(): readonly EditedCopy[] {
    return [...this.#held].map(([id, { copy }]) => {
      const { instanceId, folder, name } = copy.origin
      return { id, instanceId, folder, name, state: copy.state }
    })
  }
}

function isSameFile(one: RemoteFile, other: RemoteFile): boolean {
  return one.instanceId === other.instanceId && one.folder === other.folder && one.name === other.name
}
