import { ref } from 'vue'
import type { FileChange } from '#domain/files/file-change.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'
import type { Folder } from './use-folder.ts'

/** Changes what is in a pane's folder, and shows it as it is then, also after a change that failed half-way. */
export function useFileChange(folder: Folder) {
  const trouble = ref<string | null>(null)
  const stop = ref<AbortController | null>(null)

  const { pending, problem, run } = useAction(
    async (change: FileChange) => {
      trouble.value = null
      stop.value = new AbortController()
      const { signal } = stop.value
      try {
        const outcome = await client.files.change({ place: folder.place, change }, { signal })
        if (outcome.kind === 'failed') trouble.value = transferProblemText(outcome.problem)
      } catch (error) {
        // Stopping is told as an error, too; it is none.
        if (!signal.aborted) throw error
      }
    },
    { attempt: 'save', failure: 'in-place' },
  )

  /** True when all of it was done, or it was stopped. */
  async function change(wanted: FileChange): Promise<boolean> {
    const isDone = (await run(wanted)) && trouble.value === null
    await folder.refresh()
    return isDone
  }

  return { pending, problem, trouble, change, stop: () => stop.value?.abort() }
}
