import { watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useTemplatesStore } from '../templates-store.ts'
import { readySearches } from './ready-searches.ts'

/**
 * What the palette asks of the page: `/templates?ready=Mine` begins that search. Taken once, so that coming back does
 * not begin it again.
 *
 * @returns whether the page was opened for one
 */
export function useAskedSearch(): boolean {
  const route = useRoute()
  const router = useRouter()
  const account = useAccountStore()
  const templates = useTemplatesStore()
  const asked = (): unknown => (route.path === '/templates' ? route.query['ready'] : undefined)
  const wasAsked = asked() !== undefined
  watch(
    asked,
    async (name) => {
      if (name === undefined) return
      await router.replace({ path: '/templates' })
      const ready = readySearches(account.userId).find((one) => one.name === name)
      if (ready !== undefined) await templates.begin(ready.filters)
    },
    { immediate: true },
  )
  return wasAsked
}
