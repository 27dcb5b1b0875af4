import { until } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed } from 'vue'
import { serviceUserId, type AccountState } from '#domain/accounts/account.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useLastSeen } from '#shared/last-seen/use-last-seen.ts'

export type ConnectedAccount = Extract<AccountState, { kind: 'connected' }>

/** The page's account, and the others, which are seen as one line each and no more. */
export const useAccountStore = defineStore('account', () => {
  /** `null` until main has answered once. */
  const { latest: state, problem } = useWatch(client.accounts.key.watch)
  const connected = computed(() => (state.value?.kind === 'connected' ? state.value : null))
  const user = computed(() => connected.value?.user ?? null)
  /** The service's own id of the account; `null` while it is not known. */
  const userId = computed(() => (connected.value === null ? null : serviceUserId(connected.value)))
  /** Of an earlier run, while there is no record of this one. */
  const lastSeen = useLastSeen({
    problem: () => connected.value?.problem ?? null,
    hasAnswer: () => connected.value === null || isAnswered(connected.value),
    load: () => client.lastSeen.account(),
  })

  const { latest: view } = useWatch(client.accounts.watch)
  /** All of them, this page's own among them. */
  const accounts = computed(() => view.value?.accounts ?? [])
  /** The line of this page's own; `null` on the page on which one is connected. */
  const own = computed(() => accounts.value.find(({ id }) => id === view.value?.here) ?? null)
  const others = computed(() => accounts.value.filter(({ id }) => id !== view.value?.here))
  /** The one that was in front before the page on which one is connected. */
  const last = computed(() => accounts.value.find(({ id }) => id === view.value?.last) ?? null)

  /** The state, as soon as there is one. */
  function whenKnown(): Promise<AccountState> {
    return until(state).not.toBeNull()
  }

  return { state, connected, user, userId, lastSeen, problem, whenKnown, accounts, own, others, last }
})

/** Also by a key that may not read the record. */
function isAnswered({ user, checkedAt, problem }: ConnectedAccount): boolean {
  return user !== null || (checkedAt !== null && problem === null)
}
