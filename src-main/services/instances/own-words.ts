import { z } from 'zod'
import { stepToOwnPart } from '../../domain/base/file-version.ts'
import { Latest } from '../../domain/base/latest.ts'
import { ownWords, type OwnWords } from '../../domain/instances/listed-instance.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'

const byInstance = z.record(
  z.string(),
  ownWords.extend({
    /** When it was written, ms since the epoch. */
    at: z.number(),
  }),
)
export type OwnWordsFile = z.infer<typeof byInstance>

/** By instance id. */
export const ownWordsFile: JsonFileShape<OwnWordsFile> = {
  schema: byInstance,
  steps: [stepToOwnPart(z.record(z.string(), byInstance), {})],
  fallback: {},
}

/** Beyond it the oldest words make room. */
const mostInstances = 5000

/** Labels and notes that the user gives to instances. They stay on this machine. */
export class OwnWordsBook {
  /** By instance id. */
  readonly words = new Latest<ReadonlyMap<number, OwnWords>>(new Map())
  readonly #file: Pick<JsonFile<OwnWordsFile>, 'value' | 'update'>
  readonly #now: () => number

  constructor({
    file,
    now,
  }: {
    readonly file: Pick<JsonFile<OwnWordsFile>, 'value' | 'update'>
    readonly now: () => number
  }) {
    this.#file = file
    this.#now = now
    this.#publish()
  }

  /** On the disk when it resolves. Empty words are forgotten. @throws ProblemError storage-failed */
  async write(instanceId: number, words: OwnWords): Promise<void> {
    const at = this.#now()
    await this.#file.update((all) => {
      const { [instanceId]: _, ...others } = all
      const isEmpty = words.label === '' && words.note === ''
      const next = isEmpty ? others : { ...others, [instanceId]: { ...words, at } }
      const newest = Object.entries(next).toSorted(([, one], [, other]) => other.at - one.at)
      return Object.fromEntries(newest.slice(0, mostInstances))
    })
    this.#publish()
  }

  #publish(): void {
    const all = Object.entries(this.#file.value)
    this.words.set(new Map(all.map(([id, { label, note }]) => [Number(id), { label, note }])))
  }
}
