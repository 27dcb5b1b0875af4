import { computed, type ComputedRef } from 'vue'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { disabledReason, staleReason, type DisabledReasons } from './disabled-reasons.ts'

/** Why nothing can be asked of the service now, and why the list isn't of now, by the list as it stands. */
export function useDisabledReasons(): ComputedRef<DisabledReasons> {
  const store = useInstancesStore()
  return computed(() => {
    const list = {
      isRemembered: store.isRemembered,
      problem: store.snapshot?.problem ?? store.watchProblem,
    }
    return { off: disabledReason(list), stale: staleReason(list) }
  })
}
