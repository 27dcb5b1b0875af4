import { defineStore } from 'pinia'
import { computed } from 'vue'
import { needsDecision } from '#domain/instances/instance-status.ts'
import { burnPerHourUsd } from '#domain/money/money.ts'
import { watchInstances } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The latest list of instances, followed once for the rail, the top bar and the pages. */
export const useInstancesStore = defineStore('instances', () => {
  const { latest: snapshot, problem: watchProblem } = useWatch(watchInstances)
  /** `null` before the first answer of the service. */
  const instances = computed(() => snapshot.value?.instances ?? null)
  /** The service has not answered in this run: the list is the one that was last known. */
  const isRemembered = computed(() => snapshot.value?.isRemembered ?? false)
  const notices = computed(() => snapshot.value?.notices ?? [])
  const decisions = computed(() => (instances.value ?? []).filter(needsDecision).length)
  const burn = computed(() => burnPerHourUsd(instances.value))
  /** One that can't be read may be charged and isn't in the sum, or be one that is in it from before. */
  const isIncomplete = computed(() => (snapshot.value?.unreadable.length ?? 0) > 0)
  return { snapshot, watchProblem, instances, isRemembered, notices, decisions, burn, isIncomplete }
})
