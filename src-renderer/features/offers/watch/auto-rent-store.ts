import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useAction } from '#ui/use-action.ts'

/** Which saved searches rent automatically, and what came of it. */
export const useAutoRentStore = defineStore('auto-rent', () => {
  const { latest } = useWatch(client.renting.autoRent.watch)
  const all = computed(() => latest.value ?? [])
  const stopping = useAction((id: string) => client.renting.autoRent.stop({ id }), { attempt: 'save' })
  const dismissing = useAction((id: string) => client.renting.autoRent.dismiss({ id }), {
    attempt: 'save',
    inTurn: true,
  })

  return {
    all,
    /** The newest one of a search. */
    of: (searchId: string) => all.value.findLast((one) => one.searchId === searchId) ?? null,
    stop: stopping.run,
    isStopping: stopping.pending,
    dismiss: dismissing.run,
  }
})
