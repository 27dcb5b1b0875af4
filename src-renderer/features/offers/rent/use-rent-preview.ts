import { watchDebounced } from '@vueuse/core'
import { computed, shallowReadonly, shallowRef, type Ref } from 'vue'
import type { Problem } from '#domain/problem.ts'
import type { RentDraft, RentPreview } from '#domain/rent-request.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'

/** Typing pauses for this long before main is asked again. */
const pauseMs = 120

/**
 * What main would send for the draft, as it changes. `null` before the first answer.
 *
 * @param also what else the answer depends on
 */
export function useRentPreview(draft: Readonly<Ref<RentDraft>>, also: Readonly<Ref<unknown>>) {
  const preview = shallowRef<RentPreview | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const answered = shallowRef<RentDraft | null>(null)
  /** Whether the preview is of something that was typed before. */
  const isBehind = computed(() => answered.value !== draft.value)

  async function ask(): Promise<void> {
    const asked = draft.value
    try {
      const answer = await client.renting.preview(asked)
      if (asked !== draft.value) return
      preview.value = answer
      problem.value = null
      answered.value = asked
    } catch (error) {
      if (asked !== draft.value) return
      problem.value = toProblem(error)
    }
  }
  watchDebounced([draft, also], ask, { debounce: pauseMs, immediate: true })

  return { preview: shallowReadonly(preview), previewProblem: shallowReadonly(problem), isBehind }
}
