import { computed, type ComputedRef } from 'vue'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { disabledReason } from './disabled-reason.ts'

/** Why nothing can be asked of the service now, by the list as it stands; `null` when it can. */
export function useDisabledReason(): ComputedRef<string | null> {
  const store = useInstancesStore()
  return computed(() =>
    disabledReason({
      isRemembered: store.isRemembered,
      problem: store.snapshot?.problem ?? store.watchProblem,
    }),
  )
}
