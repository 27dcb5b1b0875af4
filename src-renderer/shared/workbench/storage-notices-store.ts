import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What is to be known of Slipway's own files in this run: some could not be read, some are a newer Slipway's. */
export const useStorageNoticesStore = defineStore('storage-notices', () => {
  const { latest, problem } = useWatch(client.settings.watchStorageNotices)
  const notices = computed(() => latest.value ?? [])
  return { notices, problem }
})
