import { defineStore } from 'pinia'
import { computed } from 'vue'
import { instancesOf } from '#domain/files/transfer.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Files on their way to and from instances, the oldest first. */
export const useTransfersStore = defineStore('transfers', () => {
  const { latest } = useWatch(client.files.watchTransfers)
  const transfers = computed(() => latest.value ?? [])
  const transfersOf = (instanceId: number) =>
    transfers.value.filter(({ order }) => instancesOf(order).includes(instanceId))
  return { transfers, transfersOf }
})
