import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** All accounts, of which this page is for one; the others are seen as one line each, and no more. */
export const useAccountsStore = defineStore('accounts', () => {
  const { latest: view } = useWatch(client.accounts.watch)
  const accounts = computed(() => view.value?.accounts ?? [])
  /** This page's own; `null` on the page on which one is connected. */
  const own = computed(() => accounts.value.find(({ id }) => id === view.value?.here) ?? null)
  const others = computed(() => accounts.value.filter(({ id }) => id !== view.value?.here))
  /** The one that was in front before the page on which one is connected. */
  const last = computed(() => accounts.value.find(({ id }) => id === view.value?.last) ?? null)
  return { accounts, own, others, last }
})
