import { useTimeout } from '@vueuse/core'
import { computed, ref, shallowRef, watch, type ComputedRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import type { Seen } from '#domain/last-seen/last-seen.ts'
import { useAction } from '#ui/use-action.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { isSilence } from './silence.ts'

/** An answer that comes sooner has nothing shown in its place, so that nothing flickers past. */
export const lateAfterMs = 300

interface LastSeenOptions<T> {
  /** Why the service's answer isn't there; `null` while it's asked. */
  readonly problem: () => Problem | null
  /** Whether the service has answered in this run. */
  readonly hasAnswer: () => boolean
  /** Asks main for what was seen before. */
  readonly load: () => Promise<Seen<T> | null>
  /** Asks the service again; left out where main does so automatically. */
  readonly retry?: () => unknown
  /** How long the service has to answer before anything is shown in its answer's place. */
  readonly afterMs?: number
}

/** What is shown in place of an answer. */
export interface LastSeen<T> extends Seen<T> {
  /** The service is being asked; it may never answer. */
  readonly isChecking: boolean
}

/**
 * What the service said before, for as long as its answer is awaited or it's silent; `null` once it has answered, and
 * where it refuses. It's asked again as soon as it answers for the instances, which are asked for all the time.
 */
export function useLastSeen<T>({
  problem,
  hasAnswer,
  load,
  retry,
  afterMs = lateAfterMs,
}: LastSeenOptions<T>): ComputedRef<LastSeen<T> | null> {
  const isLate = useTimeout(afterMs)
  /** Asking again takes nothing back: what was seen before stays away until there is an answer. */
  const isRefused = ref(false)
  watch(
    problem,
    (why) => {
      if (why !== null) isRefused.value = !isSilence(why)
    },
    { immediate: true },
  )
  const isWanted = computed(() => !hasAnswer() && !isRefused.value && (isLate.value || problem() !== null))

  const seen = shallowRef<Seen<T> | null>(null)
  const loading = useAction(async () => (seen.value = await load()), {
    attempt: 'load',
    failure: 'in-place',
  })
  watch(isWanted, (wanted) => wanted && void loading.run(), { immediate: true })

  const instances = useInstancesStore()
  const isAnswering = computed(
    () => !instances.isRemembered && instances.instances !== null && instances.snapshot?.problem === null,
  )
  /** The service came back while it was still being asked over a connection that may be dead. */
  let hasComeBack = false
  watch(isAnswering, (answering) => {
    hasComeBack = answering && problem() === null && !hasAnswer()
    if (answering && problem() !== null && !hasAnswer()) void retry?.()
  })
  watch(problem, (why) => {
    if (why === null || !hasComeBack) return
    hasComeBack = false
    if (isSilence(why)) void retry?.()
  })

  return computed(() =>
    isWanted.value && seen.value !== null ? { ...seen.value, isChecking: problem() === null } : null,
  )
}
