import { defineStore } from 'pinia'
import { computed } from 'vue'
import { phaseOf } from '#domain/renting/retry.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What is being tried until it runs, and what was. */
export const useRetriesStore = defineStore('retries', () => {
  const { latest } = useWatch(client.renting.retries.watch)
  const retries = computed(() => latest.value ?? [])
  /** The one that goes on; there is one at most. */
  const active = computed(() => retries.value.find(({ steps }) => phaseOf(steps).kind !== 'ended') ?? null)
  return { retries, active }
})
