import { effectScope, watch } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useWorkbenchStore } from '#shared/workbench/workbench-store.ts'

/** Has instances refreshed often for as long as the calling component lives and its page is seen. */
export function useShownInstances(): void {
  const page = useWorkbenchStore()
  watch(
    () => page.isVisible,
    (isVisible, _, onCleanup) => {
      if (!isVisible) return
      const shown = effectScope()
      shown.run(() => useWatch(client.instances.whileShown))
      onCleanup(() => shown.stop())
    },
    { immediate: true },
  )
}
