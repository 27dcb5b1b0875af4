/** Longest wait for a moment without anything else to do, in milliseconds. */
const longestIdleMs = 1_000

/** Does what nobody waits for. */
export function whenIdle(run: () => void): void {
  requestIdleCallback(run, { timeout: longestIdleMs })
}

/** Longer than a frame takes on a slow computer; frames that nobody sees may never be drawn. */
const longestMs = 100

/** Resolves once what has changed is on the screen, or would be if somebody saw it. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      // The frame is drawn behind what runs before it.
      setTimeout(resolve)
    })
  })
}
