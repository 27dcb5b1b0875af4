import { computed, readonly, ref, shallowReadonly, shallowRef } from 'vue'
import type { FilePlace, FolderOutcome } from '#domain/files/transfer.ts'
import { toProblem } from '#ipc/problem.ts'
import { problemText } from '#ui/problems/problem-text.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'

export interface Step {
  readonly path: string
  readonly step: string | null
}

/** Whether a pane's folder is shown, is asked for the first time, or couldn't be listed. */
export type FolderState = 'listed' | 'listing' | 'unlisted'

/**
 * What came of asking for a folder. `no-folder`: nothing is there that could be entered, or a file; an instance says the
 * same of both. `superseded`: the answer to a question that was asked later counts.
 */
export type LookOutcome = 'shown' | 'no-folder' | 'failed' | 'superseded'

/** Folders that one can go back to. */
const longestHistory = 100

/** One pane: the folder that is shown, and the way that led there. */
export function useFolder(place: FilePlace, list: (step: Step) => Promise<FolderOutcome>) {
  const listed = shallowRef<Extract<FolderOutcome, { kind: 'listed' }> | null>(null)
  const trouble = ref<string | null>(null)
  // Until it's known where to begin, too.
  const pending = ref(true)
  const behind = shallowRef<readonly string[]>([])
  const ahead = shallowRef<readonly string[]>([])
  let asked = 0
  let last: Step = { path: '', step: null }
  let underWay: Promise<unknown> = Promise.resolve()
  let refreshing: Promise<LookOutcome> | null = null

  /**
   * Shows that folder; what is shown stays if it cannot be.
   *
   * @param isBesides whether it's not what was asked for last: that, and why it isn't shown, stay
   */
  function look(step: Step, isBesides = false): Promise<LookOutcome> {
    const looking = ask(step, isBesides)
    underWay = looking
    return looking
  }

  async function ask(step: Step, isBesides: boolean): Promise<LookOutcome> {
    asked += 1
    const turn = asked
    if (!isBesides) last = step
    pending.value = true
    const outcome = await list(step).catch((error: unknown) => problemText(toProblem(error), 'load').title)
    if (turn !== asked) return 'superseded'
    pending.value = false
    if (typeof outcome === 'string') {
      trouble.value = outcome
      return 'failed'
    }
    if (outcome.kind === 'failed') {
      trouble.value = transferProblemText(outcome.problem)
      return ['missing', 'failed'].includes(outcome.problem.kind) ? 'no-folder' : 'failed'
    }
    if (!isBesides) trouble.value = null
    listed.value = outcome
    return 'shown'
  }

  async function go(step: Step): Promise<LookOutcome> {
    const from = path.value
    const outcome = await look(step)
    if (outcome === 'shown' && from !== '' && from !== path.value) {
      behind.value = [...behind.value, from].slice(-longestHistory)
      ahead.value = []
    }
    return outcome
  }

  /** Goes to the folder that was shown before, or after it, if there's one. */
  async function travel(from: typeof behind, onto: typeof behind): Promise<LookOutcome> {
    const [target, left] = [from.value.at(-1), path.value]
    if (target === undefined) return 'failed'
    const outcome = await look({ path: target, step: null })
    if (outcome === 'shown') {
      from.value = from.value.slice(0, -1)
      onto.value = [...onto.value, left]
    }
    return outcome
  }

  /**
   * Lists once more what is shown, after the answer to what is asked for already: that stays wanted, and may be older than
   * what has just changed. While nothing was shown yet, asks for what was asked for last, if it isn't waited for.
   */
  async function refresh(): Promise<LookOutcome> {
    if (listed.value === null) return pending.value ? 'superseded' : look(last)
    if (!pending.value) return look(here())
    refreshing ??= lookAfterwards()
    return refreshing
  }
  async function lookAfterwards(): Promise<LookOutcome> {
    while (pending.value) await underWay
    refreshing = null
    return look(here(), trouble.value !== null)
  }

  const path = computed(() => listed.value?.path ?? '')
  const here = (): Step => ({ path: path.value, step: null })
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
    go,
    refresh,
    /** Asks once more for what was asked for last. */
    again: () => go(last),
    enter: (name: string) => go({ path: path.value, step: name }),
    canGoBack: computed(() => behind.value.length > 0),
    canGoForward: computed(() => ahead.value.length > 0),
    back: () => travel(behind, ahead),
    forward: () => travel(ahead, behind),
  }
}
export type Folder = ReturnType<typeof useFolder>
