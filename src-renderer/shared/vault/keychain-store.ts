import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Whether secrets can be kept now. */
export const useKeychainStore = defineStore('keychain', () => {
  const { latest: state } = useWatch(client.vault.keychain.watch)
  return { state }
})
