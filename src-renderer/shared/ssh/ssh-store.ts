import { computed } from 'vue'
import { defineStore } from 'pinia'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { lastKnownAt } from './last-known-address.ts'

/** SSH to the account's instances. */
export const useSshStore = defineStore('ssh', () => {
  /** Where the connections stand, which terminals, transfers and forwards share. */
  const { latest: connections } = useWatch(client.ssh.connections.watch)
  /** What this computer can log in with: the key in the keychain, an identity file, the agent. */
  const { latest: access } = useWatch(client.ssh.keys.watch)

  const instances = useInstancesStore()
  const find = (instanceId: number) => connections.value?.find((each) => each.instanceId === instanceId)

  function stateOf(instanceId: number): ConnectionState {
    return find(instanceId)?.state ?? { kind: 'idle' }
  }

  return {
    connections: computed(() => connections.value ?? []),
    stateOf,
    /** Since when its address may be another one: see `lastKnownAt`. */
    lastKnownAt: (instanceId: number) => lastKnownAt(find(instanceId), instances.snapshot),
    access,
  }
})
