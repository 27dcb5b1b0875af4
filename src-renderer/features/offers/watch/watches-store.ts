import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useAction } from '#ui/use-action.ts'

/** Which saved searches are watched, and how that goes. */
export const useOfferWatchesStore = defineStore('offer-watches', () => {
  const { latest } = useWatch(client.offers.watches.watch)
  const watches = computed(() => latest.value ?? [])
  const dismissing = useAction((searchId: string) => client.offers.watches.dismissNews({ searchId }), {
    attempt: 'save',
    inTurn: true,
  })

  return {
    watches,
    of: (searchId: string) => watches.value.find((one) => one.searchId === searchId) ?? null,
    /** What was told of it has been seen. */
    dismissNews: dismissing.run,
  }
})
