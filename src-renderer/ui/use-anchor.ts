import { useEventListener, useResizeObserver } from '@vueuse/core'
import { nextTick, onScopeDispose, shallowRef, watch } from 'vue'
import { isNavigationFailure, NavigationFailureType, useRoute, useRouter } from 'vue-router'

/**
 * Brings the part of the page into view that the end of the address names, and gives it the keyboard: `#terminals`. It
 * stays in view while what is above it is still being loaded, until the user goes on.
 */
export function useAnchor(): void {
  const route = useRoute()
  const held = shallowRef<HTMLElement | null>(null)

  async function show(): Promise<void> {
    held.value = null
    if (route.hash === '') return
    await nextTick()
    const part = document.getElementById(route.hash.slice(1))
    if (part === null) return
    part.tabIndex = -1
    part.focus({ preventScroll: true })
    part.scrollIntoView()
    held.value = part
  }

  watch(() => route.fullPath, show, { flush: 'post', immediate: true })
  // Asked for once more, when the user has scrolled away: the address stays as it is.
  onScopeDispose(
    useRouter().afterEach((_to, _from, failure) => {
      if (isNavigationFailure(failure, NavigationFailureType.duplicated)) void show()
    }),
  )
  useResizeObserver(
    () => held.value?.parentElement,
    () => held.value?.scrollIntoView(),
  )
  useEventListener(window, ['keydown', 'pointerdown', 'wheel'], () => (held.value = null), {
    capture: true,
    passive: true,
  })
}
