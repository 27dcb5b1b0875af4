import { watch } from 'vue'
import { useRoute } from 'vue-router'
import { keptPage } from '#domain/workbench/workbench-state.ts'
import { client } from '#ipc/client.ts'
import { newestCall } from '#ui/newest-call.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useAction } from '#ui/use-action.ts'

/** Tells main which page is shown, so that the next start begins there. */
export function useKeptPage(): void {
  const route = useRoute()
  const account = useAccountStore()
  // A page that is not kept costs a click at the next start, and is no reason to disturb.
  const keep = useAction((page: string) => client.workbench.keepPage({ page }), {
    attempt: 'save',
    failure: 'in-place',
  })
  const tell = newestCall(async () => {
    if (account.connected !== null && keptPage.safeParse(route.path).success) await keep.run(route.path)
  })
  watch(() => [route.path, account.connected !== null], tell, { immediate: true })
}
