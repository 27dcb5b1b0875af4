import { computed, onMounted, shallowRef, type Ref } from 'vue'
import type { Editor } from '#domain/instances/editor-link.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'

/**
 * Editors of this computer that open a folder of an instance. VS Code is offered, too, where none says that it's there:
 * what opens then says what to install.
 */
export function useEditors(): Readonly<Ref<readonly Editor[]>> {
  /** `null` until it's known. */
  const found = shallowRef<readonly Editor[] | null>(null)
  const find = useAction(async () => void (found.value = await client.instances.editors()), {
    attempt: 'load',
    failure: 'in-place',
  })
  onMounted(async () => {
    if (!(await find.run())) found.value = []
  })
  return computed(() => (found.value?.length === 0 ? (['vscode'] as const) : (found.value ?? [])))
}
