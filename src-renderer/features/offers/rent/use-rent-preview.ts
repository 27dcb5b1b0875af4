import { computed, shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import type { RentDraft, RentPreview } from '#domain/renting/rent-request.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'

/**
 * What main would send for the draft, as it changes: asked for with every change, one question at a time, so that it
 * is never further behind than one answer takes. `null` before the first answer.
 *
 * @param also what else the answer depends on
 */
export function useRentPreview(draft: Readonly<Ref<RentDraft>>, also: Readonly<Ref<unknown>>) {
  const preview = shallowRef<RentPreview | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const answered = shallowRef<RentDraft | null>(null)
  /** Whether the preview is of something that was typed before. */
  const isBehind = computed(() => answered.value !== draft.value)

  let isAsking = false
  let hasChanged = false
  async function ask(): Promise<void> {
    hasChanged = true
    if (isAsking) return
    isAsking = true
    while (hasChanged) {
      hasChanged = false
      const asked = draft.value
      try {
        preview.value = await client.renting.preview(asked)
        problem.value = null
        answered.value = asked
      } catch (error) {
        problem.value = toProblem(error)
      }
    }
    isAsking = false
  }
  watch([draft, also], ask, { immediate: true })

  return { preview: shallowReadonly(preview), previewProblem: shallowReadonly(problem), isBehind }
}
