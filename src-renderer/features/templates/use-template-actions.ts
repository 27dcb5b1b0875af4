import { useRouter } from 'vue-router'
import { contentOf } from '#domain/templates/template-content.ts'
import { newOrigin } from '#domain/templates/template-draft.ts'
import { formOf } from '#domain/templates/template-form.ts'
import type { TemplateContent } from '#domain/templates/template-content.ts'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'

/** What can be done with a template from its row and from its page. */
export function useTemplateActions() {
  const router = useRouter()

  /** A draft of a new template, opened in the editor. It is on the disk before the editor opens. */
  const drafting = useAction(
    async (content: TemplateContent) => {
      const id = crypto.randomUUID()
      await client.templates.keepDraft({ id, origin: newOrigin(content), form: formOf(content) })
      await router.push({ path: '/templates/new', query: { draft: id } })
    },
    { attempt: 'save' },
  )

  return {
    open: ({ id }: Template) => router.push(`/templates/${id}`),
    edit: ({ id }: Template) => router.push(`/templates/${id}/edit`),
    /** On the page of offers the user chooses the machine. */
    rentWith: ({ id }: Template) => router.push({ path: '/offers', query: { 'rent-with': id } }),
    searchOffers: ({ id }: Template) => router.push({ path: '/offers', query: { 'filters-of': id } }),
    duplicate: (template: Template) => {
      const content = contentOf(template)
      return drafting.run({ ...content, name: `${content.name} (copy)` })
    },
    draft: drafting.run,
    isDrafting: drafting.pending,
  }
}
