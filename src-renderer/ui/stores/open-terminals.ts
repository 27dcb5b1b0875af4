import { defineStore } from 'pinia'
import { ref } from 'vue'

/**
 * How many terminals are open, for the rail. The terminals feature keeps the list and writes the number here;
 * other pages open a terminal by going to `/terminals?open=<instance id>`.
 */
export const useOpenTerminalsStore = defineStore('open-terminals', () => {
  const count = ref(0)
  return { count }
})
