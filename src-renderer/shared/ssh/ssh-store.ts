import { computed } from 'vue'
import { defineStore } from 'pinia'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** SSH to the account's instances. */
export const useSshStore = defineStore('ssh', () => {
  /** Where the connections stand, which terminals, transfers and forwards share. */
  const { latest: connections } = useWatch(client.ssh.connections.watch)
  /** What this computer can log in with: the key in the keychain, an identity file, the agent. */
  const { latest: access } = useWatch(client.ssh.keys.watch)

  function stateOf(instanceId: number): ConnectionState {
    const found = connections.value?.find((each) => each.instanceId === instanceId)
    return found?.state ?? { kind: 'idle' }
  }

  return { connections: computed(() => connections.value ?? []), stateOf, access }
})
