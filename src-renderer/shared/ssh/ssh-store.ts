import { computed } from 'vue'
import { defineStore } from 'pinia'
import { isSameJson } from '#domain/base/json-value.ts'
import type { WatchedInstance } from '#domain/instances/instance.ts'
import { shownAddress, sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { lastKnownAt } from './last-known-address.ts'

/** SSH to the account's instances. */
export const useSshStore = defineStore('ssh', () => {
  /** Where the connections stand, which terminals, transfers and forwards share. */
  const { latest: connections } = useWatch(client.ssh.connections.watch)
  const { latest: hints } = useWatch(client.ssh.connections.watchAddressHints)
  /** What this computer can log in with: the key in the keychain, an identity file, the agent. */
  const { latest: access } = useWatch(client.ssh.keys.watch)

  const instances = useInstancesStore()
  const find = (instanceId: number) => connections.value?.find((each) => each.instanceId === instanceId)

  function stateOf(instanceId: number): ConnectionState {
    return find(instanceId)?.state ?? { kind: 'idle' }
  }

  /** Where the open connections go: the same object until that changes, which is less often than their latency. */
  const openAddresses = computed<ReadonlyMap<number, SshAddress>>((before) => {
    const now = (connections.value ?? []).flatMap(({ instanceId, state }) =>
      state.kind === 'open' ? [[instanceId, state.address] as const] : [],
    )
    return before !== undefined && isSameJson([...before], now) ? before : new Map(now)
  })

  return {
    connections: computed(() => connections.value ?? []),
    stateOf,
    /** The address that SSH to an instance uses or tries first; `null` without one. */
    addressOf: ({ id, record }: Pick<WatchedInstance, 'id' | 'record'>) =>
      shownAddress(sshAddressesOf(record), hints.value?.[id], openAddresses.value.get(id)),
    /** Since when its address may be another one: see `lastKnownAt`. */
    lastKnownAt: (instanceId: number) => lastKnownAt(find(instanceId), instances.snapshot),
    access,
  }
})
