import { computed, type ComputedRef } from 'vue'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { whyOff } from './why-off.ts'

/** Why nothing can be asked of the service now, by the list as it stands; `null` when it can. */
export function useWhyOff(): ComputedRef<string | null> {
  const store = useInstancesStore()
  return computed(() =>
    whyOff({ isRemembered: store.isRemembered, problem: store.snapshot?.problem ?? store.watchProblem }),
  )
}
