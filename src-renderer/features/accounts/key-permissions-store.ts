import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import type { KeyPermissions } from '#domain/accounts/key-permissions.ts'
import { client } from '#ipc/client.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useAction } from '#ui/use-action.ts'

/** What the key in use answered when it was last asked what it may do. */
export const useKeyPermissionsStore = defineStore('key-permissions', () => {
  const account = useAccountStore()
  const permissions = shallowRef<KeyPermissions | null>(null)
  const asking = useAction(
    async () => {
      const answer = await client.accounts.key.permissions()
      // Another key may have taken its place while it was asked.
      permissions.value = answer.keyMask === account.connected?.keyMask ? answer : null
    },
    { attempt: 'load', failure: 'in-place' },
  )
  watch(
    () => account.connected?.keyId,
    () => {
      permissions.value = null
      asking.clear()
    },
  )
  return { permissions, isAsking: asking.pending, problem: asking.problem, ask: asking.run }
})
