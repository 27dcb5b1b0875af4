import { defineStore } from 'pinia'
import { ref } from 'vue'

/** What lies over the page for as long as it is wanted. */
export const useOverlaysStore = defineStore('frame', () => {
  const isPaletteOpen = ref(false)
  const isSheetOpen = ref(false)
  return { isPaletteOpen, isSheetOpen }
})
