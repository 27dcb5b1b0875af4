import { z } from 'zod'
import { stepToOwnPart } from '../../../domain/base/file-version.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { noSshChoice, sshChoice, type SshChoice } from '../../../domain/ssh/ssh-choice.ts'

const byInstance = z.record(
  z.string(),
  sshChoice.extend({
    /** When it was chosen, ms since the epoch. */
    at: z.number(),
  }),
)
type SshChoicesFile = z.infer<typeof byInstance>

/** By instance id. */
export const sshChoicesFile = {
  schema: byInstance,
  steps: [stepToOwnPart(z.record(z.string(), byInstance), {})],
  fallback: {},
}

interface KeptFile {
  readonly value: SshChoicesFile
  readonly update: (change: (all: SshChoicesFile) => SshChoicesFile) => Promise<SshChoicesFile>
}

/** Beyond it the oldest make room. */
const mostInstances = 5000

/** What the user chose for the connections to single instances. */
export class SshChoices {
  /** By instance id. */
  readonly latest = new Latest<ReadonlyMap<number, SshChoice>>(new Map())
  readonly #file: KeptFile
  readonly #now: () => number

  constructor({ file, now }: { readonly file: KeptFile; readonly now: () => number }) {
    this.#file = file
    this.#now = now
    this.#publish()
  }

  /** What nobody chose is as Settings has it (`noSshChoice`). */
  of(instanceId: number): SshChoice {
    return this.latest.value.get(instanceId) ?? noSshChoice
  }

  /** On the disk when it resolves. @throws ProblemError storage-failed */
  async set(instanceId: number, choice: SshChoice): Promise<void> {
    const at = this.#now()
    await this.#file.update((all) => {
      const { [instanceId]: _, ...others } = all
      const isNone = choice.via.kind === 'as-set' && !choice.forwardAgent
      const next = isNone ? others : { ...others, [instanceId]: { ...choice, at } }
      const newest = Object.entries(next).toSorted(([, one], [, other]) => other.at - one.at)
      return Object.fromEntries(newest.slice(0, mostInstances))
    })
    this.#publish()
  }

  #publish(): void {
    const all = Object.entries(this.#file.value)
    this.latest.set(new Map(all.map(([id, { via, forwardAgent }]) => [Number(id), { via, forwardAgent }])))
  }
}
