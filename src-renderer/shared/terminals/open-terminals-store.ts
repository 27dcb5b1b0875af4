import { defineStore } from 'pinia'
import { ref } from 'vue'

/**
 * What the frame knows of terminals: how many are open, and whether one that was closed can be opened again. The
 * terminals feature keeps the lists and writes it here; other pages open a terminal by going to
 * `/terminals?open=<instance id>` (`open-request.ts`), and in a folder by `&folder=<path>`.
 */
export const useOpenTerminalsStore = defineStore('open-terminals', () => {
  const count = ref(0)
  const canReopen = ref(false)
  return { count, canReopen }
})
