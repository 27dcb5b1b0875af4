import { useIntervalFn, whenever } from '@vueuse/core'
import { useWorkbenchStore } from '#shared/workbench/workbench-store.ts'
import { useOffersStore } from '../offers-store.ts'

/** Rows may move when they are refreshed: not while somebody is among them. */
const quietForMs = 3_000

/**
 * Searches again by the clock while the page is looked at, and at once when that is due and the page is seen again.
 *
 * @param isHeld while true nothing is asked, such as while an offer is being rented
 * @returns to be called whenever the user does something in the table
 */
export function useClockRefresh(isHeld: () => boolean): () => void {
  const offers = useOffersStore()
  const page = useWorkbenchStore()
  let usedAt = 0
  let triedAt = 0

  function refreshIfDue(): void {
    const everyMs = offers.view.refreshSeconds * 1000
    if (everyMs === 0 || !offers.found || offers.isSearching || isHeld()) return
    if (!page.isVisible) return
    const now = Date.now()
    if (now - usedAt < quietForMs || now - Math.max(offers.found.at, triedAt) < everyMs) return
    triedAt = now
    void offers.refresh({ byClock: true })
  }

  useIntervalFn(refreshIfDue, 500)
  whenever(() => page.isVisible, refreshIfDue)

  return () => (usedAt = Date.now())
}
