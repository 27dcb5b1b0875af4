import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { useOffersStore } from '../offers-store.ts'

/** Rows may move when they are refreshed: not while somebody is among them. */
const quietForMs = 3_000

/**
 * Searches again by the clock while the page is looked at.
 *
 * @param isHeld while true nothing is asked, such as while an offer is being rented
 * @returns to be called whenever the user does something in the table
 */
export function useClockRefresh(isHeld: () => boolean): () => void {
  const offers = useOffersStore()
  const visibility = useDocumentVisibility()
  let usedAt = 0
  let triedAt = 0

  useIntervalFn(() => {
    const everyMs = offers.view.refreshSeconds * 1000
    if (everyMs === 0 || !offers.found || offers.isSearching || isHeld()) return
    if (visibility.value !== 'visible') return
    const now = Date.now()
    if (now - usedAt < quietForMs || now - Math.max(offers.found.at, triedAt) < everyMs) return
    triedAt = now
    void offers.refresh({ byClock: true })
  }, 500)

  return () => (usedAt = Date.now())
}
