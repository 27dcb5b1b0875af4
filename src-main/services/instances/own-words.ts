import { z } from 'zod'
import { ownerOf } from '../../domain/base/account-identity.ts'
import { Latest } from '../../domain/base/latest.ts'
import { ownWords, type OwnWords } from '../../domain/instances/listed-instance.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { JsonFile } from '../storage/json-file.ts'
import type { AccountBound, AccountInUse } from './account-bound.ts'

/** By owner (`ownerOf`), then by instance id. */
export const ownWordsFile = z.record(
  z.string(),
  z.record(
    z.string(),
    ownWords.extend({
      /** When it was written, ms since the epoch. */
      at: z.number(),
    }),
  ),
)
export type OwnWordsFile = z.infer<typeof ownWordsFile>

/** For each owner; beyond it the oldest words make room. */
const mostInstances = 5000

/** Labels and notes that the user gives to instances. They stay on this machine. */
export class OwnWordsBook implements AccountBound {
  /** Of the account in use, by instance id. */
  readonly words = new Latest<ReadonlyMap<number, OwnWords>>(new Map())
  readonly #file: Pick<JsonFile<OwnWordsFile>, 'value' | 'update'>
  readonly #now: () => number
  #owner: string | null = null

  constructor({
    file,
    now,
  }: {
    readonly file: Pick<JsonFile<OwnWordsFile>, 'value' | 'update'>
    readonly now: () => number
  }) {
    this.#file = file
    this.#now = now
  }

  readonly enter = async (account: AccountInUse): Promise<void> => {
    this.#owner = ownerOf(account)
    this.#publish()
  }

  readonly leave = (): void => {
    this.#owner = null
    this.#publish()
  }

  /** On the disk when it resolves. Empty words are forgotten. @throws ProblemError storage-failed */
  async write(instanceId: number, words: OwnWords): Promise<void> {
    const owner = this.#owner
    if (owner === null) throw new ProblemError({ kind: 'no-account' })
    const at = this.#now()
    await this.#file.update((all) => {
      const { [instanceId]: _, ...others } = all[owner] ?? {}
      const isEmpty = words.label === '' && words.note === ''
      const next = isEmpty ? others : { ...others, [instanceId]: { ...words, at } }
      const newest = Object.entries(next).toSorted(([, one], [, other]) => other.at - one.at)
      return { ...all, [owner]: Object.fromEntries(newest.slice(0, mostInstances)) }
    })
    this.#publish()
  }

  #publish(): void {
    const own = this.#owner === null ? {} : (this.#file.value[this.#owner] ?? {})
    this.words.set(new Map(Object.entries(own).map(([id, { label, note }]) => [Number(id), { label, note }])))
  }
}
