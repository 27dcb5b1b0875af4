import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { withRecent } from '#domain/workbench/workbench-state.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'

/** What was chosen in the palette lately, the latest first: ids of entries. They last, for each account. */
export const useRecentsStore = defineStore('palette-recents', () => {
  const recents = shallowRef<readonly string[]>([])
  // Without them the palette works as well: their order is all that is missing.
  const loading = useAction(
    async () => {
      recents.value = await client.workbench.recents()
    },
    { attempt: 'load', failure: 'in-place' },
  )
  const keeping = useAction((id: string) => client.workbench.noteRecent({ id }), {
    attempt: 'save',
    failure: 'in-place',
    inTurn: true,
  })
  void loading.run()

  function note(id: string): void {
    recents.value = withRecent(recents.value, id)
    void keeping.run(id)
  }

  return { recents, note }
})
