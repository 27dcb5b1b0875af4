import { whenever } from '@vueuse/core'
import { effectScope } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { doLastWork } from '#ui/last-work.ts'

/** Keeps what the page still holds when Slipway is about to end. Main waits until this page stops listening. */
export function useFarewell(): void {
  const listening = effectScope()
  listening.run(() => {
    const { latest } = useWatch(client.workbench.farewell)
    whenever(latest, async () => {
      await doLastWork()
      listening.stop()
    })
  })
}
