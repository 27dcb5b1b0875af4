import { useToast } from '@nuxt/ui/composables/useToast'
import { until } from '@vueuse/core'
import type { InstanceAction } from '#domain/instance.ts'
import { chargeOf } from '#domain/money.ts'
import { useInstancesStore } from '#ui/stores/instances.ts'

/** The list travels apart from the answer to a call and may come a little later. */
const listArrivesWithinMs = 1500

/** Tells how an action ended as far as the list shows it: asked for is not yet done. */
export function useOutcomeToast(): (action: InstanceAction['action'], id: number) => Promise<void> {
  const toast = useToast()
  const store = useInstancesStore()

  return async (action, id) => {
    const isDone = (): boolean => {
      const instance = store.instances?.find((one) => one.id === id)
      return action === 'destroy' ? !instance : !instance || chargeOf(instance).kind === 'disk-only'
    }
    const pending = (): InstanceAction | null =>
      store.instances?.find((one) => one.id === id)?.pending ?? null
    await until(() => isDone() || Boolean(pending()?.failure)).toBe(true, { timeout: listArrivesWithinMs })

    if (isDone())
      toast.add({
        title: `Instance ${id} ${action === 'destroy' ? 'is destroyed' : 'is stopped'}`,
        description: action === 'destroy' ? 'Its billing has ended.' : 'Its disk is still charged.',
        icon: 'i-lucide-circle-check',
        color: 'success',
      })
    else if (pending()?.failure)
      toast.add({
        title: `No good answer to ${action === 'stop' ? 'stopping' : 'destroying'} instance ${id}`,
        description: 'It may have happened all the same. The list will show it.',
        icon: 'i-lucide-triangle-alert',
        color: 'warning',
        duration: 0,
      })
    else
      toast.add({
        title: `Instance ${id} is being ${action === 'destroy' ? 'destroyed' : 'stopped'}`,
        description: 'The list will show when it is done.',
        icon: 'i-lucide-circle-dashed',
        color: 'info',
      })
  }
}
