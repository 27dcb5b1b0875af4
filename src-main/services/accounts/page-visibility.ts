import { Latest } from '../../domain/base/latest.ts'

/**
 * Which account's page is seen: the one in front, while the window is seen. A page cannot know by itself, for its timers
 * are not slowed down and Chromium calls it visible for ever.
 */
export class PageVisibility {
  readonly #state = new Latest<{ readonly front: string | null; readonly isWindowVisible: boolean }>({
    front: null,
    isWindowVisible: false,
  })

  /** @param account whose page is in front; `null`: the page on which an account is connected */
  setFront(account: string | null): void {
    this.#state.set({ ...this.#state.value, front: account })
  }

  setWindowVisible(isWindowVisible: boolean): void {
    this.#state.set({ ...this.#state.value, isWindowVisible })
  }

  /** Yields whether the page of this account is seen, at once and whenever that changes. Ends with the signal. */
  async *watch(account: string | null, signal?: AbortSignal): AsyncGenerator<boolean, void, void> {
    let told: boolean | null = null
    for await (const { front, isWindowVisible } of this.#state.watch(signal)) {
      const isVisible = isWindowVisible && front === account
      if (isVisible === told) continue
      told = isVisible
      yield isVisible
    }
  }
}
