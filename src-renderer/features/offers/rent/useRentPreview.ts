import { refDebounced } from '@vueuse/core'
import { computed, readonly, ref, shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import type { Problem } from '#domain/problem.ts'
import type { RentOptions, RentPreview } from '#domain/rent-request.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'

/** Typing pauses for this long before main is asked again. */
const pauseMs = 120

/**
 * What main would send for these options, as they change. `null` before the first answer.
 *
 * @param also what else the answer depends on
 */
export function useRentPreview(options: Readonly<Ref<RentOptions | null>>, also: Readonly<Ref<unknown>>) {
  const preview = shallowRef<RentPreview | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const answered = ref<RentOptions | null>(null)
  /** Whether the preview is of something that was typed before. */
  const isBehind = computed(() => options.value === null || answered.value !== options.value)

  async function ask(asked: RentOptions | null): Promise<void> {
    if (asked === null) return
    try {
      const answer = await client.renting.preview(asked)
      if (asked !== options.value) return
      preview.value = answer
      problem.value = null
      answered.value = asked
    } catch (error) {
      problem.value = toProblem(error)
    }
  }
  watch([refDebounced(options, pauseMs), also], ([asked]) => void ask(asked), { immediate: true })

  return {
    preview: shallowReadonly(preview),
    previewProblem: shallowReadonly(problem),
    isBehind: readonly(isBehind),
  }
}
