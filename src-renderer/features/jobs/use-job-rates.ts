import { computed, type ComputedRef } from 'vue'
import { chargeOf, diskPerHourUsd } from '#domain/money/money.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import type { JobRates } from './job-form-text.ts'

/** What an instance costs by the list, as it is and when it's stopped. @param instanceId `null` for none */
export function useJobRates(instanceId: () => number | null): ComputedRef<JobRates> {
  const instances = useInstancesStore()
  return computed(() => {
    const listed = instances.instances?.find(({ id }) => id === instanceId())
    return {
      runUsd: listed === undefined ? null : chargeOf(listed).perHourUsd,
      diskUsd: listed === undefined ? null : diskPerHourUsd(listed.record),
      isLimit: false,
    }
  })
}
