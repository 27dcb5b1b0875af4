import { defineStore } from 'pinia'
import { computed } from 'vue'
import { phaseOf } from '#domain/renting/chain.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What is being tried until it runs, and what was. */
export const useChainsStore = defineStore('chains', () => {
  const { latest } = useWatch(client.renting.retries.watch)
  const chains = computed(() => latest.value ?? [])
  /** The one that goes on; there is one at most. */
  const active = computed(() => chains.value.find(({ steps }) => phaseOf(steps).kind !== 'ended') ?? null)
  return { chains, active }
})
