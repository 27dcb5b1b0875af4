import { computed, type ComputedRef } from 'vue'
import type { KeptIn } from '#domain/vault/vault-view.ts'
import { useKeychainStore } from '#shared/vault/keychain-store.ts'

/**
 * Where a new secret goes: the keychain, or memory on a computer that has none (the banner says so). One that is locked
 * is not passed by: it is asked for, fails, and the user decides.
 */
export function useKeeping(): ComputedRef<KeptIn> {
  const keychain = useKeychainStore()
  return computed(() => (keychain.state?.kind === 'unavailable' ? 'memory' : 'keychain'))
}
