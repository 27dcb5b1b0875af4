import { computed } from 'vue'
import { defineStore } from 'pinia'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Where the connections to instances stand, which terminals, transfers and forwards share. */
export const useConnectionsStore = defineStore('connections', () => {
  const { latest } = useWatch(client.connections.watch)

  function stateOf(instanceId: number): ConnectionState {
    const found = latest.value?.find((each) => each.instanceId === instanceId)
    return found?.state ?? { kind: 'idle' }
  }

  const all = computed(() => latest.value ?? [])

  return { all, stateOf }
})
