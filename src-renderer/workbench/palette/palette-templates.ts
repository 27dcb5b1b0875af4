import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import { imageOfTemplate, type Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'
import { useAction } from '#ui/use-action.ts'
import { templateTitle } from '../../features/templates/template-title.ts'

/** What the palette keeps of a template: readmes and scripts of thousands would be megabytes. */
export interface FoundTemplate {
  readonly id: number
  readonly title: string
  readonly image: string
  readonly words: string
}

/** After so long they are asked for again; until then the palette opens with what it has. */
const freshMs = 5 * 60_000

/** All templates that the account can see: the service has no search by words (service API 4.5). */
export const usePaletteTemplatesStore = defineStore('palette-templates', () => {
  /** `null` before the first answer. */
  const templates = shallowRef<readonly FoundTemplate[] | null>(null)
  let askedAt = Number.NEGATIVE_INFINITY

  const loading = useAction(
    async () => {
      const found = await client.templates.search({ filters: {} })
      templates.value = found.map(foundTemplate)
    },
    { attempt: 'load', failure: 'in-place' },
  )

  async function load(): Promise<void> {
    askedAt = Date.now()
    if (!(await loading.run())) forget()
  }
  function forget(): void {
    askedAt = Number.NEGATIVE_INFINITY
  }
  /** Asks the service where what is known is too old. */
  async function want(): Promise<void> {
    if (loading.problem.value === null && Date.now() - askedAt > freshMs) await load()
  }

  const shared = useSharedTemplatesStore()
  watch(() => shared.news, forget)

  return { templates, isLoading: loading.pending, problem: loading.problem, want, load }
})

function foundTemplate(template: Template): FoundTemplate {
  const { id, hash_id, desc } = template
  return {
    id,
    title: templateTitle(template),
    image: imageOfTemplate(template),
    words: `${id} ${hash_id} ${desc?.slice(0, 200) ?? ''}`,
  }
}
