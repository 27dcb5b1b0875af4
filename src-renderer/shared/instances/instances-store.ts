import { defineStore } from 'pinia'
import { computed } from 'vue'
import { needsDecision } from '#domain/instances/instance-status.ts'
import { burnPerHourUsd } from '#domain/money/money.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The latest list of instances, followed once for the rail, the top bar and the pages. */
export const useInstancesStore = defineStore('instances', () => {
  const { latest: snapshot, problem: watchProblem } = useWatch(client.instances.watch)
  /** `null` before the first answer of the service. */
  const instances = computed(() => snapshot.value?.instances ?? null)
  /** The service has not answered in this run: the list is the one that was last known. */
  const isRemembered = computed(() => snapshot.value?.isRemembered ?? false)
  const notices = computed(() => snapshot.value?.notices ?? [])
  const decisions = computed(() => (instances.value ?? []).filter(needsDecision).length)
  const burn = computed(() => burnPerHourUsd(instances.value))
  return { snapshot, watchProblem, instances, isRemembered, notices, decisions, burn }
})
