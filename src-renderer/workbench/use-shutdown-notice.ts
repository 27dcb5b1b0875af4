import { whenever } from '@vueuse/core'
import { effectScope } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { finishPendingSaves } from '#ui/pending-saves.ts'

/** Keeps what the page still holds when Slipway is about to end. Main waits until this page stops listening. */
export function useShutdownNotice(): void {
  const listening = effectScope()
  listening.run(() => {
    const { latest } = useWatch(client.workbench.farewell)
    whenever(latest, async () => {
      await finishPendingSaves()
      listening.stop()
    })
  })
}
