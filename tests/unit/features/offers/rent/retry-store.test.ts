import { createPinia, setActivePinia } from 'pinia'
import { expect, test, vi } from 'vitest'
import { nextOffers } from '#domain/renting/rent-request.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'

vi.mock('../../../../../src-renderer/features/offers/rent/rent-store.ts', () => ({
  useRentStore: () => ({ diskGb: 10 }),
}))
const { useRetryStore } = await import('../../../../../src-renderer/features/offers/rent/retry-store.ts')

test.each([
  ['an offer at $0/h', '', 0],
  ['“0” typed', '0', 0.3],
  ['less than 0 typed', '-1', 0.3],
])('%s is no highest price, so that a rental without auto-retry goes through', (_, typed, dph_total) => {
  setActivePinia(createPinia())
  const retry = useRetryStore()
  retry.cap = typed
  const capPerHourUsd = retry.capOf({ id: 1, dph_total })
  expect(nextOffers.safeParse({ query: defaultOfferQuery, capPerHourUsd }).success).toBe(true)
  expect(capPerHourUsd).toBeNull()
})
