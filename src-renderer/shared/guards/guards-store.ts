import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What guards instances, what guards have done, and what warns; followed once for the list and the banners. */
export const useGuardsStore = defineStore('guards', () => {
  const { latest: snapshot } = useWatch(client.guards.watch)
  const { latest: alarms } = useWatch(client.guards.watchAlarms)
  const { latest: limit } = useWatch(client.guards.watchLimit)
  const guards = computed(() => snapshot.value?.guards ?? [])
  const fired = computed(() => snapshot.value?.fired ?? [])
  const guardsOf = (instanceId: number) => guards.value.filter((guard) => guard.instanceId === instanceId)
  const watcherOf = (instanceId: number) =>
    snapshot.value?.onInstances.find((watcher) => watcher.instanceId === instanceId) ?? null
  return { guards, fired, limit, alarms, guardsOf, watcherOf }
})
