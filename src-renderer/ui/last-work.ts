import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'

const works = new Set<() => Promise<void>>()

/**
 * What is still to be kept when the page goes. Before Slipway ends it is waited for; when the page is loaded anew, or
 * the system ends everything, what it has sent until then is what counts.
 *
 * @param work tells its own failures
 */
export function useLastWork(work: () => Promise<void>): void {
  works.add(work)
  onScopeDispose(() => works.delete(work))
  useEventListener(window, 'pagehide', () => void work())
}

/** Does all of it; resolves when it is done. */
export async function doLastWork(): Promise<void> {
  await Promise.all([...works].map((work) => work()))
}
