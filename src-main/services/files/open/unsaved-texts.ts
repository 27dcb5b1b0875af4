import { z } from 'zod'
import type { Log } from '../../../domain/base/log.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { wholeListAt, type InstancesSnapshot } from '../../../domain/instances/instance.ts'
import {
  unsavedText,
  type RemoteFile,
  type UnsavedFile,
  type UnsavedText,
} from '../../../domain/files/opened-file.ts'
import type { JsonFile, JsonFileShape } from '../../storage/json-file.ts'

const keptText = unsavedText.extend({ mode: unsavedText.shape.mode.default(null), changedAt: z.number() })
type KeptText = z.infer<typeof keptText>

export const unsavedTextsFile: JsonFileShape<readonly KeptText[]> = {
  schema: z.array(keptText).readonly(),
  fallback: [],
}

/** All of them, in characters: the file is written as a whole. */
const mostCharacters = 16 * 1024 * 1024
const mostFiles = 50
/** Of instances that are gone, since they were changed last: 30 days. Also for copies in the user's own program. */
export const goneForMs = 30 * 24 * 60 * 60 * 1_000

interface UnsavedTextsOptions {
  readonly file: Pick<JsonFile<readonly KeptText[]>, 'value' | 'update'>
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'watch'>
  readonly now: () => number
  readonly log: Log
}

/** What was typed into files of instances and isn't saved there. It lasts, so that a crash loses none. */
export class UnsavedTexts {
  readonly latest: Latest<readonly UnsavedFile[]>
  readonly #options: UnsavedTextsOptions
  /** So that what is discarded isn't there again by a write that was under way. */
  readonly #queue = new SerialQueue()

  constructor(options: UnsavedTextsOptions) {
    this.#options = options
    this.latest = new Latest(this.#names())
  }

  /** Forgets those of instances that are gone a while after their last change, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const latest of this.#options.snapshot.watch(signal)) {
      if (latest.instances === null || wholeListAt(latest) === null) continue
      const listed = new Set(latest.instances.map(({ id }) => id))
      const since = this.#options.now() - goneForMs
      const isOver = ({ instanceId, changedAt }: KeptText): boolean =>
        !listed.has(instanceId) && changedAt < since
      if (this.#options.file.value.some(isOver)) await this.#forget(isOver)
    }
  }

  async #forget(isOver: (text: KeptText) => boolean): Promise<void> {
    try {
      await this.#update((texts) => texts.filter((one) => !isOver(one)))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#options.log.warn(`Unsaved texts of instances that are gone stay for now: ${error.problem.kind}`)
    }
  }

  /**
   * On the disk when it resolves; `false` where there's no more room: those that are kept already stay.
   *
   * @param over what must be kept of the file: another text, or none any more, is left as it is; `null` for anything
   * @throws ProblemError storage-failed, newer-file; nothing is changed then
   */
  keep(text: UnsavedText, over: string | null): Promise<boolean> {
    return this.#queue.take(async () => {
      if (over !== null && this.read(text)?.text !== over) return true
      const others = this.#options.file.value.filter((one) => !isSameFile(one, text))
      const characters = others.reduce((sum, one) => sum + one.text.length, text.text.length)
      if (characters > mostCharacters || others.length >= mostFiles) return false
      const kept = { ...text, changedAt: this.#options.now() }
      await this.#update((texts) => [kept, ...texts.filter((one) => !isSameFile(one, text))])
      return true
    })
  }

  read(file: RemoteFile): UnsavedText | null {
    return this.#options.file.value.find((one) => isSameFile(one, file)) ?? null
  }

  /** @param text what must be kept of it, so that nothing later is lost; `null` for anything. Throws as {@link keep}. */
  discard(file: RemoteFile, text: string | null): Promise<void> {
    const goes = (one: KeptText): boolean => isSameFile(one, file) && (text === null || one.text === text)
    return this.#queue.take(async () => {
      if (this.#options.file.value.some(goes))
        await this.#update((texts) => texts.filter((one) => !goes(one)))
    })
  }

  async #update(change: (texts: readonly KeptText[]) => readonly KeptText[]): Promise<void> {
    await this.#options.file.update(change)
    this.latest.set(this.#names())
  }

  #names(): readonly UnsavedFile[] {
    return this.#options.file.value.map(({ instanceId, folder, name, changedAt }) => ({
      ...{ instanceId, folder, name, changedAt },
    }))
  }
}

function isSameFile(one: RemoteFile, other: RemoteFile): boolean {
  return one.instanceId === other.instanceId && one.folder === other.folder && one.name === other.name
}
