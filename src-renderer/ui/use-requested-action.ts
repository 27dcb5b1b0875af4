import { toValue, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * What the palette or the menu asks of a page: `/cloud?do=add` opens the dialog in which a connection is added. Taken
 * once, so that coming back to the page does not ask again.
 *
 * @param path of the page, or what tells it; several of its parts may each answer what they know
 * @param answers by what is asked
 */
export function useRequestedAction(
  path: string | (() => string),
  answers: Readonly<Record<string, () => void>>,
): void {
  const route = useRoute()
  const router = useRouter()
  watch(
    () => (route.path === toValue(path) ? route.query['do'] : undefined),
    async (asked) => {
      if (typeof asked !== 'string' || !Object.hasOwn(answers, asked)) return
      const { do: _, ...query } = route.query
      await router.replace({ path: toValue(path), query, hash: route.hash })
      answers[asked]?.()
    },
    { immediate: true },
  )
}
