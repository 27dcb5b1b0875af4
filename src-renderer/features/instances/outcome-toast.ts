import { useToast } from '@nuxt/ui/composables/useToast'
import type { InstanceAction } from '#domain/instance.ts'
import { useInstancesStore } from '#ui/stores/instances.ts'

/** Tells how an action ended as far as the list shows it: asked for is not yet done. */
export function useOutcomeToast(): (action: InstanceAction['action'], id: number) => void {
  const toast = useToast()
  const store = useInstancesStore()

  return (action, id) => {
    const instance = store.instances?.find((one) => one.id === id)
    if (instance?.pending?.failure) {
      toast.add({
        title: `No good answer to ${action === 'stop' ? 'stopping' : 'destroying'} instance ${id}`,
        description: 'It may have happened all the same. The list will show it.',
        icon: 'i-lucide-triangle-alert',
        color: 'warning',
        duration: 0,
      })
      return
    }
    const done = action === 'destroy' ? !instance : instance?.pending === null
    toast.add({
      title: done
        ? `Instance ${id} ${action === 'destroy' ? 'is destroyed: its billing has ended' : 'was stopped'}`
        : `Instance ${id} is being ${action === 'destroy' ? 'destroyed' : 'stopped'}`,
      icon: 'i-lucide-circle-check',
      color: 'success',
    })
  }
}
