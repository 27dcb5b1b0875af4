import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, reactive } from 'vue'

const offers = reactive({
  view: { refreshSeconds: 15 },
  found: { at: 0 },
  isSearching: false,
  searches: 0,
  refresh: () => {
    offers.searches += 1
    offers.found = { at: Date.now() }
    return Promise.resolve()
  },
})
const page = reactive({ isVisible: true })
vi.mock('../../../../../src-renderer/features/offers/offers-store.ts', () => ({
  useOffersStore: () => offers,
}))
vi.mock('#shared/workbench/workbench-store.ts', () => ({ useWorkbenchStore: () => page }))
// To Chromium a page of ours is always visible.
vi.stubGlobal('window', globalThis)
vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
const { useClockRefresh } =
  await import('../../../../../src-renderer/features/offers/search/use-clock-refresh.ts')

const scope = effectScope()
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  Object.assign(offers, { found: { at: Date.now() }, searches: 0 })
  page.isVisible = true
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
})

test('offers are refreshed by the clock while the page is seen, and at once when it is seen again', async () => {
  scope.run(() => useClockRefresh(() => false))
  vi.advanceTimersByTime(30_000)
  expect(offers.searches).toBe(2)
  page.isVisible = false
  await nextTick()
  vi.advanceTimersByTime(3_600_000)
  expect(offers.searches).toBe(2)
  page.isVisible = true
  await nextTick()
  expect(offers.searches).toBe(3)
})
