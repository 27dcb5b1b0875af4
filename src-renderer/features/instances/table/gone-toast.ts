import { useToast } from '@nuxt/ui/composables/useToast'
import { until } from '@vueuse/core'
import { counted } from '#domain/base/plural.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'

/**
 * Says that instances are destroyed as soon as the list shows it: nothing of them is left there to say so. Until
 * then, and when no good answer came, their own rows tell how it stands.
 */
export function useGoneToast(): (ids: readonly number[]) => Promise<void> {
  const toast = useToast()
  const store = useInstancesStore()

  return async (ids) => {
    const rows = () => store.instances?.filter(({ id }) => ids.includes(id)) ?? []
    // No list at all says nothing: the account was disconnected meanwhile.
    const areGone = () => store.instances !== null && rows().length === 0
    const isUnclear = () => rows().some(({ pending }) => pending?.failure)
    await until(() => store.instances === null || areGone() || isUnclear()).toBe(true)
    if (!areGone()) return
    const isOne = ids.length === 1
    toast.add({
      title: isOne ? `Instance ${ids.join()} destroyed` : `${counted(ids.length, 'instance')} destroyed`,
      description: isOne ? 'You’re no longer charged for it.' : 'You’re no longer charged for them.',
      icon: 'i-lucide-circle-check',
      color: 'success',
    })
  }
}
