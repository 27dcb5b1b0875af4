import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What is in the vault, without its secrets. */
export const useVaultStore = defineStore('vault', () => {
  const { latest: view, problem } = useWatch(client.vault.watch)
  return { view, problem }
})
