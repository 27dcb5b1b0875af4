import { useToast } from '@nuxt/ui/composables/useToast'
import { useRouter } from 'vue-router'
import { client } from '#ipc/client.ts'
import { finishBeforeEnd } from '#ui/pending-saves.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'

/** Tells that a template is deleted, with the way back: it is created again from what it said. */
export function useUndoDelete(): (deleted: { readonly draftId: string; readonly name: string }) => void {
  const toast = useToast()
  const router = useRouter()
  const shared = useSharedTemplatesStore()

  /** Where it cannot be created again at once, such as without its token, the editor says why. */
  async function undo(draftId: string): Promise<void> {
    try {
      const view = await client.templates.readDraft({ id: draftId })
      const result = view === null ? null : await client.templates.save(view.draft)
      if (result?.kind !== 'saved') throw new Error('not created')
      shared.tell({ id: result.template.id, now: result.template })
      toast.add({
        title: `“${result.template.name}” created again`,
        description: `The new template ID is ${result.template.id}.`,
        icon: 'i-lucide-circle-check',
        color: 'success',
      })
    } catch {
      // Its draft is still there, and tells all there is to tell.
      await router.push(`/templates/new?draft=${draftId}`)
    }
  }

  return ({ draftId, name }) => {
    toast.add({
      title: `“${name}” deleted`,
      description: 'Your drafts have its content.',
      icon: 'i-lucide-circle-check',
      color: 'success',
      actions: [{ label: 'Undo', onClick: () => void finishBeforeEnd(undo(draftId)) }],
    })
  }
}
