import type { Page } from '@playwright/test'

export interface Frames<T> {
  readonly result: T
  /** How long each frame took, from one to the next, in ms. */
  readonly framesMs: readonly number[]
}

/** Looks at each frame of the page for as long as the work goes on. */
export async function framesDuring<T>(page: Page, work: () => Promise<T>): Promise<Frames<T>> {
  const watch = await page.evaluateHandle(() => {
    const watched = { framesMs: [] as number[], isOver: false }
    let last: number | null = null
    const look = (now: number): void => {
      if (last !== null) watched.framesMs.push(now - last)
      last = now
      if (!watched.isOver) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    return watched
  })
  const result = await work()
  const framesMs = await watch.evaluate(async (watched) => {
    // What the last step led to is drawn by then.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    watched.isOver = true
    return watched.framesMs
  })
  await watch.dispose()
  return { result, framesMs }
}
