import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The account's 2FA, and the guided procedure that may be under way. */
export const useTwoFactorStore = defineStore('two-factor', () => {
  const { latest: state, problem } = useWatch(client.twoFactor.watch)
  const account = computed(() => state.value?.account ?? null)
  const known = computed(() => (account.value?.kind === 'known' ? account.value : null))
  const flow = computed(() => state.value?.flow ?? null)

  /**
   * How much waits for the user: `urgent` where something can be lost (codes that were not saved, a step that
   * was left undone), `advice` where the account could be safer.
   */
  const due = computed<'none' | 'advice' | 'urgent'>(() => {
    if (flow.value?.step.kind === 'save-codes' || (known.value?.unfinished.length ?? 0) > 0) return 'urgent'
    return (known.value?.improvements.length ?? 0) > 0 ? 'advice' : 'none'
  })

  return { account, known, flow, due, problem }
})
