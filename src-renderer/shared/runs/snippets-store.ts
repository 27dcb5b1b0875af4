import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The account's saved commands, the newest first; `null` before the first news of them. */
export const useSnippetsStore = defineStore('snippets', () => {
  const { latest: snippets } = useWatch(client.runs.watchSnippets)
  return { snippets }
})
