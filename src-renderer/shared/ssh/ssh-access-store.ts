import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What this machine can log in with: the key in the keychain, an identity file, the agent. */
export const useSshAccessStore = defineStore('ssh-access', () => {
  const { latest: access } = useWatch(client.sshKeys.watch)
  return { access }
})
