import type { Locator } from '@playwright/test'

/**
 * Looks at a part of the window from now on for words that stand there in passing: whoever is kept waiting for seconds
 * may come too late for them.
 *
 * @returns how often they have come into sight since
 */
export async function watchFor(part: Locator, words: string): Promise<() => Promise<number>> {
  const seen = await part.evaluateHandle((element, sought) => {
    const state = { times: 0, isThere: false }
    const look = (): void => {
      const isThere = element instanceof HTMLElement && element.innerText.includes(sought)
      if (isThere && !state.isThere) state.times += 1
      state.isThere = isThere
    }
    new MutationObserver(look).observe(element, { subtree: true, childList: true, characterData: true })
    look()
    return state
  }, words)
  return () => seen.evaluate(({ times }) => times)
}
