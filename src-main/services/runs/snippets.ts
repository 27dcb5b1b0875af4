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

  /** One that is there already comes first again. @throws ProblemError storage-failed */
  async keep(command: string): Promise<void> {
    const id = this.#randomId()
    await this.#change((all) =>
      [{ id, command }, ...all.filter((one) => one.command !== command)].slice(0, mostSnippets),
    )
  }

  /** @throws ProblemError storage-failed */
  async remove(id: string): Promise<void> {
    await this.#change((all) => all.filter((one) => one.id !== id))
  }

  async #change(change: (all: readonly Snippet[]) => readonly Snippet[]): Promise<void> {
    this.state.set(await this.#file.update(change))
  }
}
