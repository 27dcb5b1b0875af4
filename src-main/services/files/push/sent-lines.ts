import type { PushedFiles, PushedLine } from './pushed-files.ts'

/** Writes down what has arrived, as fast as the disk takes it: many lines at a time where they come faster. */
export class SentLines {
  readonly #pushed: Pick<PushedFiles, 'note'>
  #waiting: PushedLine[] = []
  #writing: Promise<void> | null = null
  #failed: Promise<never> | null = null

  constructor(pushed: Pick<PushedFiles, 'note'>) {
    this.#pushed = pushed
  }

  add(line: PushedLine): void {
    this.#waiting.push(line)
    this.#writing ??= this.#begin()
  }

  /** All is on the disk when it resolves. @throws ProblemError storage-failed, newer-file */
  async settled(): Promise<void> {
    while (this.#waiting.length > 0 || this.#writing !== null) await (this.#writing ??= this.#begin())
    await this.#failed
  }

  #begin(): Promise<void> {
    return this.#write().finally(() => (this.#writing = null))
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting
      this.#waiting = []
      await this.#pushed.note(lines).catch((error: unknown) => {
        this.#failed ??= Promise.reject(error)
        this.#failed.catch(() => undefined) // told by `settled`
      })
    }
  }
}
