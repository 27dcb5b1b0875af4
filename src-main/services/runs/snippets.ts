import { Latest } from '../../domain/base/latest.ts'
import { mostSnippets, type Snippet } from '../../domain/runs/run.ts'
import type { JsonFile } from '../storage/json-file.ts'

/** Where snippets are kept, the newest first. */
export type SnippetsFile = Pick<JsonFile<readonly Snippet[]>, 'value' | 'update'>

/** Commands that are kept on this computer, the newest first. */
export class Snippets {
  readonly state: Latest<readonly Snippet[]>
  readonly #file: SnippetsFile
  readonly #randomId: () => string

  constructor(file: SnippetsFile, randomId: () => string) {
    this.#file = file
    this.#randomId = randomId
    this.state = new Latest(file.value)
  }

  /** One that is there already comes first again, as it is. @throws ProblemError storage-failed */
  async keep(command: string): Promise<void> {
    const added = { id: this.#randomId(), command, atStart: false }
    await this.#change((all) => {
      const kept = all.find((one) => one.command === command) ?? added
      const next = [kept, ...all.filter((one) => one !== kept)]
      const oldest = next.findLast((one) => one !== kept && !one.atStart)
      return next.length > mostSnippets ? next.filter((one) => one !== oldest) : next
    })
  }

  /**
   * The one that is typed into each new shell of a terminal, in place of the one before.
   *
   * @param id `null` for none
   * @throws ProblemError storage-failed
   */
  async setAtStart(id: string | null): Promise<void> {
    await this.#change((all) => all.map((one) => ({ ...one, atStart: one.id === id })))
  }

  /** @throws ProblemError storage-failed */
  async remove(id: string): Promise<void> {
    await this.#change((all) => all.filter((one) => one.id !== id))
  }

  async #change(change: (all: readonly Snippet[]) => readonly Snippet[]): Promise<void> {
    this.state.set(await this.#file.update(change))
  }
}
