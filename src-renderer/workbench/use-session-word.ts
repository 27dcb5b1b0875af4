import { useToast } from '@nuxt/ui/composables/useToast'
import { computed, watch } from 'vue'
import { useSecurityStore } from '#shared/two-factor/security-store.ts'

/** Says when the session of a login is over: from then on the API key speaks again. */
export function useSessionWord(): void {
  const security = useSecurityStore()
  const toast = useToast()
  const hasSession = computed(() => (security.known ? security.known.session !== null : null))
  watch(hasSession, (has, had) => {
    if (had !== true || has !== false) return
    toast.add({
      title: 'The session of your second factor is over',
      description: 'The API key is used again.',
      icon: 'i-lucide-key-round',
      color: 'info',
    })
  })
}
