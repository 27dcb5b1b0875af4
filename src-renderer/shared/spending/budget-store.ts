import { defineStore } from 'pinia'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** How this month's budget stands, followed once for its page and the banners; `null` without one. */
export const useBudgetStore = defineStore('budget', () => {
  const { latest: budget } = useWatch(client.spending.watchBudget)
  return { budget }
})
