import { useToast } from '@nuxt/ui/composables/useToast'
import { until } from '@vueuse/core'
import { useInstancesStore } from '#ui/stores/instances.ts'

/**
 * Says that an instance is destroyed as soon as the list shows it: nothing of it is left there to say so. Until
 * then, and when no good answer came, its own row tells how it stands.
 */
export function useGoneToast(): (id: number) => Promise<void> {
  const toast = useToast()
  const store = useInstancesStore()

  return async (id) => {
    const row = () => store.instances?.find((one) => one.id === id)
    // No list at all says nothing: the account was disconnected meanwhile.
    const isGone = () => store.instances !== null && row() === undefined
    await until(() => store.instances === null || isGone() || Boolean(row()?.pending?.failure)).toBe(true)
    if (isGone())
      toast.add({
        title: `Instance ${id} is destroyed`,
        description: 'Its billing has ended.',
        icon: 'i-lucide-circle-check',
        color: 'success',
      })
  }
}
