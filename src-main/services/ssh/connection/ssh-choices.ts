import { z } from 'zod'
import type { AccountState } from '../../../domain/accounts/account.ts'
import { ownerOf } from '../../../domain/base/account-identity.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { noSshChoice, sshChoice, type SshChoice } from '../../../domain/ssh/ssh-choice.ts'

/** By owner (`ownerOf`), then by instance id. */
export const sshChoicesFile = z.record(
  z.string(),
  z.record(
    z.string(),
    sshChoice.extend({
      /** When it was chosen, ms since the epoch. */
      at: z.number(),
    }),
  ),
)
type SshChoicesFile = z.infer<typeof sshChoicesFile>

interface KeptFile {
  readonly value: SshChoicesFile
  readonly update: (change: (all: SshChoicesFile) => SshChoicesFile) => Promise<SshChoicesFile>
}

/** For each owner; beyond it the oldest make room. */
const mostInstances = 5000

/** What the user chose for the connections to single instances. */
export class SshChoices {
  /** Of the account in use, by instance id. */
  readonly latest = new Latest<ReadonlyMap<number, SshChoice>>(new Map())
  readonly #file: KeptFile
  readonly #now: () => number
  #owner: string | null = null

  constructor({ file, now }: { readonly file: KeptFile; readonly now: () => number }) {
    this.#file = file
    this.#now = now
  }

  readonly enter = async (account: Extract<AccountState, { kind: 'connected' }>): Promise<void> => {
    this.#owner = ownerOf(account)
    this.#publish()
  }

  readonly leave = (): void => {
    this.#owner = null
    this.#publish()
  }

  /** What nobody chose is as Settings has it (`noSshChoice`). */
  of(instanceId: number): SshChoice {
    return this.latest.value.get(instanceId) ?? noSshChoice
  }

  /** On the disk when it resolves. @throws ProblemError no-account, storage-failed */
  async set(instanceId: number, choice: SshChoice): Promise<void> {
    const owner = this.#owner
    if (owner === null) throw new ProblemError({ kind: 'no-account' })
    const at = this.#now()
    await this.#file.update((all) => {
      const { [instanceId]: _, ...others } = all[owner] ?? {}
      const isNone = choice.via.kind === 'as-set' && !choice.forwardAgent
      const next = isNone ? others : { ...others, [instanceId]: { ...choice, at } }
      const newest = Object.entries(next).toSorted(([, one], [, other]) => other.at - one.at)
      return { ...all, [owner]: Object.fromEntries(newest.slice(0, mostInstances)) }
    })
    this.#publish()
  }

  #publish(): void {
    const own = this.#owner === null ? {} : (this.#file.value[this.#owner] ?? {})
    this.latest.set(
      new Map(Object.entries(own).map(([id, { via, forwardAgent }]) => [Number(id), { via, forwardAgent }])),
    )
  }
}
