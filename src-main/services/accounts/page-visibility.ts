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

  /** Follows which account's page is in front, until the signal is aborted; `null`: the page on which one is connected. */
  async follow(
    accountPages: Pick<Latest<{ readonly front: string | null }>, 'watch'>,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const { front } of accountPages.watch(signal)) this.#state.set({ ...this.#state.value, front })
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
