import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The account's port forwards. */
export const useForwardsStore = defineStore('forwards', () => {
  const { latest } = useWatch(client.forwards.watch)
  const forwards = computed(() => latest.value ?? [])
  const forwardsOf = (instanceId: number) => forwards.value.filter((one) => one.instanceId === instanceId)
  return { forwards, forwardsOf }
})
