import { computed, readonly, ref, shallowReadonly, shallowRef } from 'vue'
import type { FilePlace } from '#domain/files/file-change.ts'
import type { FolderOutcome } from '#domain/files/transfer.ts'
import { toProblem } from '#ipc/problem.ts'
import { problemText } from '#ui/problems/problem-text.ts'
import { transferProblemText } from './transfer-text.ts'

export interface Step {
  readonly path: string
  readonly step: string | null
}

/** Whether a pane's folder is shown, is asked for the first time, or couldn't be listed. */
export type FolderState = 'listed' | 'listing' | 'unlisted'

/** One pane: the folder that is shown, and what is chosen in it. */
export function useFolder(place: FilePlace, list: (step: Step) => Promise<FolderOutcome>) {
  const listed = shallowRef<Extract<FolderOutcome, { kind: 'listed' }> | null>(null)
  const trouble = ref<string | null>(null)
  const pending = ref(false)
  const chosen = shallowRef<ReadonlySet<string>>(new Set())
  let asked = 0
  let last: Step = { path: '', step: null }

  /** Shows that folder; what is shown stays if it cannot be. @returns whether it is shown */
  async function go(step: Step): Promise<boolean> {
    asked += 1
    const turn = asked
    last = step
    pending.value = true
    const outcome = await list(step).catch((error: unknown) => problemText(toProblem(error), 'load').title)
    // The answer to a question that was asked later counts.
    if (turn !== asked) return false
    pending.value = false
    if (typeof outcome === 'string') trouble.value = outcome
    else if (outcome.kind === 'failed') trouble.value = transferProblemText(outcome.problem)
    else {
      trouble.value = null
      const isSame = outcome.path === listed.value?.path
      const names = new Set(outcome.entries.map(({ name }) => name))
      chosen.value = isSame ? new Set([...chosen.value].filter((name) => names.has(name))) : new Set()
      listed.value = outcome
      return true
    }
    return false
  }

  function toggle(name: string): void {
    const next = new Set(chosen.value)
    if (!next.delete(name)) next.add(name)
    chosen.value = next
  }

  function chooseAll(all: boolean): void {
    chosen.value = new Set(all ? listed.value?.entries.map(({ name }) => name) : [])
  }

  const path = computed(() => listed.value?.path ?? '')
  const state = computed<FolderState>(() => {
    if (listed.value !== null) return 'listed'
    return pending.value ? 'listing' : 'unlisted'
  })
  return {
    place,
    listed: shallowReadonly(listed),
    path,
    state,
    trouble: readonly(trouble),
    pending: readonly(pending),
    chosen: shallowReadonly(chosen),
    go,
    refresh: () => go({ path: path.value, step: null }),
    /** Asks once more for what was asked for last. */
    again: () => go(last),
    enter: (name: string) => go({ path: path.value, step: name }),
    toggle,
    chooseAll,
  }
}
export type Folder = ReturnType<typeof useFolder>
