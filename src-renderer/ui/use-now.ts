import { createSharedComposable, useIntervalFn } from '@vueuse/core'
import { readonly, ref } from 'vue'

/** The time in ms, a second apart. One timer for the whole window, running only while somebody looks at it. */
export const useNow = createSharedComposable(() => {
  const now = ref(Date.now())
  useIntervalFn(() => (now.value = Date.now()), 1000)
  return readonly(now)
})
