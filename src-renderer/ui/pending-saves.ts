import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'

const works = new Set<() => Promise<void>>()
const underWay = new Set<Promise<unknown>>()

/**
 * What is still to be kept when the page goes. Before Slipway ends it is waited for; when the page is loaded anew, or
 * there is no time left to close in (`src-main/desktop/closing.ts`), what it has sent until then is what counts.
 *
 * @param work tells its own failures
 */
export function usePendingSaves(work: () => Promise<void>): void {
  works.add(work)
  onScopeDispose(() => works.delete(work))
  useEventListener(window, 'pagehide', () => void work())
}

/** What was asked for and is not done yet; before Slipway ends it is waited for, too. Gives it back as it is. */
export function finishBeforeEnd<Result>(work: Promise<Result>): Promise<Result> {
  const forget = (): boolean => underWay.delete(work)
  underWay.add(work)
  // Its failure is for whoever began it.
  void work.then(forget, forget)
  return work
}

/** Does all of it; resolves when it is done. */
export async function finishPendingSaves(): Promise<void> {
  await Promise.all([...works].map((work) => work()))
  // One may begin the next.
  while (underWay.size > 0) await Promise.allSettled(underWay)
}
