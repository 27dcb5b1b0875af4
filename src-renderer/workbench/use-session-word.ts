import { useToast } from '@nuxt/ui/composables/useToast'
import { computed, watch } from 'vue'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useSecurityStore } from '#shared/two-factor/security-store.ts'

/** Says when the session of a login is over: from then on the API key speaks again. */
export function useSessionWord(): void {
  const account = useAccountStore()
  const security = useSecurityStore()
  const toast = useToast()
  const held = computed(() => ({
    accountId: account.connected?.accountId,
    hasSession: security.known ? security.known.session !== null : null,
  }))
  watch(held, (now, before) => {
    // With another account or another key it is another one's session that is not there.
    if (now.accountId !== before.accountId || before.hasSession !== true || now.hasSession !== false) return
    toast.add({
      title: 'The session of your second factor is over',
      description: 'The API key is used again.',
      icon: 'i-lucide-key-round',
      color: 'info',
    })
  })
}
