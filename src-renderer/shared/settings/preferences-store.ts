import { defineStore } from 'pinia'
import type { PreferencesChange } from '#domain/settings/settings.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useAction } from '#ui/use-action.ts'

/** What the user has set. */
export const usePreferencesStore = defineStore('preferences', () => {
  const { latest: preferences } = useWatch(client.settings.watch)
  const changing = useAction((change: PreferencesChange) => client.settings.update(change), {
    attempt: 'save',
    inTurn: true,
  })
  return {
    preferences,
    /** Changes some of them, one change after the other; the new values arrive in `preferences`. */
    change: changing.run,
  }
})
