import type { Errand } from '../../domain/workbench/errand.ts'
import { Latest } from '../../domain/base/latest.ts'

/** The way to a page from outside of it. An errand waits for a page that is still being loaded; a newer one takes its place. */
export class Errands {
  readonly #waiting = new Latest<Errand | null>(null)

  give(errand: Errand): void {
    this.#waiting.set(errand)
  }

  /** Each is taken once: a page that is loaded anew is not asked again. */
  async *watch(signal?: AbortSignal): AsyncGenerator<Errand, void, void> {
    for await (const errand of this.#waiting.watch(signal)) {
      if (errand === null) continue
      this.#waiting.set(null)
      yield errand
    }
  }
}
