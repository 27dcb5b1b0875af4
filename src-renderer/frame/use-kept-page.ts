import { watch } from 'vue'
import { useRoute } from 'vue-router'
import { keptPage } from '#domain/frame-desk.ts'
import { client } from '#ipc/client.ts'
import { useAccountStore } from '#ui/stores/account.ts'
import { useAction } from '#ui/use-action.ts'

/** Tells main which page is shown, so that the next start begins there. */
export function useKeptPage(): void {
  const route = useRoute()
  const account = useAccountStore()
  // A page that is not kept costs a click at the next start, and is no reason to disturb.
  const keep = useAction((page: string) => client.frame.keepPage({ page }), {
    attempt: 'save',
    failure: 'in-place',
  })
  let newest: string | null = null
  /** Who goes on to another page while one is being kept is on that one. */
  async function keepNewest(): Promise<void> {
    while (newest !== null && !keep.pending.value) {
      const page = newest
      newest = null
      await keep.run(page)
    }
  }
  watch(
    () => [route.path, account.connected !== null] as const,
    ([path, isConnected]) => {
      if (!isConnected || !keptPage.safeParse(path).success) return
      newest = path
      void keepNewest()
    },
    { immediate: true },
  )
}
