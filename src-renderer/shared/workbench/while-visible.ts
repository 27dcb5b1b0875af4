import { effectScope, watch } from 'vue'
import { useWorkbenchStore } from '#shared/workbench/workbench-store.ts'

/** Runs something in a scope of its own each time that the page is seen, until it isn't or the component ends. */
export function whileVisible(run: () => void): void {
  const workbench = useWorkbenchStore()
  watch(
    () => workbench.isVisible,
    (isVisible, _, onCleanup) => {
      if (!isVisible) return
      const shown = effectScope()
      shown.run(run)
      onCleanup(() => shown.stop())
    },
    { immediate: true },
  )
}
