import { computed, readonly, ref } from 'vue'
import { problemText } from '#ui/problems/problem-text.ts'
import { useFileChange } from './use-file-change.ts'
import type { Folder } from './use-folder.ts'

/** A name that is edited in its row: what was typed stays until it is saved or left, wherever the list is scrolled to. */
export function useRename(folder: Folder) {
  const name = ref<string | null>(null)
  const typed = ref('')
  const { pending, problem, trouble, change } = useFileChange(folder)

  /** Why it wasn't renamed. */
  const failure = computed(() =>
    problem.value === null ? trouble.value : problemText(problem.value, 'save').title,
  )

  function begin(current: string): void {
    if (pending.value) return
    name.value = current
    typed.value = current
    trouble.value = null
  }
  function leave(): void {
    name.value = null
  }
  /** @returns the new name when it has it, also when it's the old one; `null` when it stays in its field */
  async function save(): Promise<string | null> {
    const [from, to] = [name.value, typed.value]
    if (from === null || to === '' || pending.value) return null
    const isDone =
      from === to || (await change({ kind: 'rename', folder: folder.path.value, name: from, to }))
    if (!isDone) return null
    // The next one may be edited while the folder is listed.
    if (name.value === from) leave()
    return to
  }

  return {
    name: readonly(name),
    typed: readonly(typed),
    pending,
    failure,
    begin,
    type: (text: string) => {
      typed.value = text
    },
    leave,
    save,
  }
}
export type Rename = ReturnType<typeof useRename>
