import { until } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountState } from '#domain/accounts/account.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The page's account. `state` is `null` until main has answered once. */
export const useAccountStore = defineStore('account', () => {
  const { latest: state, problem } = useWatch(client.accounts.key.watch)
  const connected = computed(() => (state.value?.kind === 'connected' ? state.value : null))
  const user = computed(() => connected.value?.user ?? null)

  /** The state, as soon as there is one. */
  function whenKnown(): Promise<AccountState> {
    return until(state).not.toBeNull()
  }

  return { state, connected, user, problem, whenKnown }
})
