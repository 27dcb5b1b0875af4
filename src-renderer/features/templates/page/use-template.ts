import { shallowRef, watch } from 'vue'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'
import { useAction } from '#ui/use-action.ts'

/** One template: at once as it was found, and then as the service has it now. */
export function useTemplate(id: () => number) {
  const templates = useSharedTemplatesStore()
  /** `undefined` while it is being looked for; `null` when the account can see none. */
  const template = shallowRef<Template | null | undefined>(undefined)

  const loading = useAction(
    async (wanted: number) => {
      const found = await client.templates.find({ id: wanted })
      if (wanted === id()) template.value = found
    },
    { attempt: 'load', failure: 'in-place', inTurn: true },
  )
  watch(
    id,
    (wanted) => {
      template.value = templates.searched.found?.templates.find((one) => one.id === wanted)
      void loading.run(wanted)
    },
    { immediate: true },
  )

  return { template, problem: loading.problem, isLoading: loading.pending, load: () => loading.run(id()) }
}
