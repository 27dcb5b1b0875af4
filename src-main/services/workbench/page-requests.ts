import { Latest } from '../../domain/base/latest.ts'
import type { PageRequest } from '../../domain/workbench/page-request.ts'

/** The way to a page from outside of it. A page request waits for a page that is still being loaded; a newer one takes its place. */
export class PageRequests {
  readonly #waiting = new Latest<PageRequest | null>(null)

  give(pageRequest: PageRequest): void {
    this.#waiting.set(pageRequest)
  }

  /** Each is taken once: a page that is loaded anew is not asked again. */
  async *watch(signal?: AbortSignal): AsyncGenerator<PageRequest, void, void> {
    for await (const pageRequest of this.#waiting.watch(signal)) {
      if (pageRequest === null) continue
      this.#waiting.set(null)
      yield pageRequest
    }
  }
}
