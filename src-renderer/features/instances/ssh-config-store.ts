import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Whether ssh on this machine knows the instances by name. */
export const useSshConfigStore = defineStore('ssh-config', () => {
  const { latest: state } = useWatch(client.sshConfig.watch)
  return { state }
})
