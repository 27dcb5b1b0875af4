import { watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { offerQuery } from '#domain/offers/offer.ts'
import { useOffersStore } from '../offers-store.ts'

/**
 * A search that another page sends here, as `/offers?search=<JSON>`: the page of an instance that is destroyed, for
 * machines like it. Ctrl+Z brings the former search back.
 */
export function useHandedSearch(): void {
  const route = useRoute()
  const router = useRouter()
  const offers = useOffersStore()

  watch(
    () => route.query['search'],
    async (handed) => {
      if (typeof handed !== 'string' || route.path !== '/offers') return
      // Taken once: going back here must not do it again.
      await router.replace({ path: '/offers' })
      const query = offerQuery.safeParse(parsed(handed))
      if (!query.success) return
      offers.load(query.data)
      await offers.search()
    },
    { immediate: true },
  )
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Somebody typed an address that is none.
    return null
  }
}
