import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What the user has set; change it with `client.settings.update`, and the new value arrives here. */
export const usePreferencesStore = defineStore('preferences', () => {
  const { latest: preferences } = useWatch(client.settings.watch)
  return { preferences }
})
