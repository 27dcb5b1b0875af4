import { defineStore } from 'pinia'
import { computed } from 'vue'
import { needsDecision } from '#domain/instance-status.ts'
import { burnPerHourUsd } from '#domain/money.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The latest list of instances, followed once for the rail, the top bar and the pages. */
export const useInstancesStore = defineStore('instances', () => {
  const { latest: snapshot, problem: watchProblem } = useWatch(client.instances.watch)
  /** `null` before the first answer of the service. */
  const instances = computed(() => snapshot.value?.instances ?? null)
  const notices = computed(() => snapshot.value?.notices ?? [])
  const decisions = computed(() => (instances.value ?? []).filter(needsDecision).length)
  const burn = computed(() => burnPerHourUsd(instances.value))
  return { snapshot, watchProblem, instances, notices, decisions, burn }
})
