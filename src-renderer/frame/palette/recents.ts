import { defineStore } from 'pinia'
import { shallowRef } from 'vue'

/** Fewer than a hundred: see `findEntries`. */
export const mostRecents = 20

/** What was chosen in the palette lately, the latest first: ids of entries. */
export const useRecentsStore = defineStore('palette-recents', () => {
  const recents = shallowRef<readonly string[]>([])

  function note(id: string): void {
    recents.value = [id, ...recents.value.filter((other) => other !== id)].slice(0, mostRecents)
  }

  return { recents, note }
})
