import { nextTick, watch } from 'vue'
import { useRoute } from 'vue-router'

/** Brings the part of the page into view that the end of the address names, and gives it the keyboard: `#terminals`. */
export function useAnchor(): void {
  const route = useRoute()
  watch(
    () => route.fullPath,
    async () => {
      if (route.hash === '') return
      await nextTick()
      const part = document.getElementById(route.hash.slice(1))
      if (part === null) return
      part.tabIndex = -1
      part.focus({ preventScroll: true })
      part.scrollIntoView()
    },
    { flush: 'post', immediate: true },
  )
}
