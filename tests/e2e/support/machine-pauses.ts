const tickMs = 20

/**
 * Watches from now on how long this process is kept waiting: a machine that is too busy to run it keeps a page waiting
 * as well, which says nothing about the page.
 *
 * @returns ends it, and tells the longest wait in milliseconds
 */
export function watchMachine(): () => number {
  let longestMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last - tickMs)
    last = now
  }, tickMs)
  return () => {
    clearInterval(timer)
    return Math.max(longestMs, performance.now() - last - tickMs)
  }
}
