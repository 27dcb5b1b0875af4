import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Files on their way to and from instances, the oldest first. */
export const useTransfersStore = defineStore('transfers', () => {
  const { latest } = useWatch(client.files.watchTransfers)
  const transfers = computed(() => latest.value ?? [])
  const transfersOf = (instanceId: number) =>
    transfers.value.filter(({ order }) => order.instanceId === instanceId)
  return { transfers, transfersOf }
})
