import { computed, shallowRef, watch, type ComputedRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import { isSilence, type Seen } from '#domain/last-seen/last-seen.ts'
import { useAction } from '#ui/use-action.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'

interface LastSeenOptions<T> {
  /** Why the service's answer isn't there; `null` while it's asked. */
  readonly problem: () => Problem | null
  /** Whether the service has answered in this run. */
  readonly hasAnswer: () => boolean
  /** Asks main for what was seen before. */
  readonly load: () => Promise<Seen<T> | null>
  /** Asks the service once more. */
  readonly retry: () => unknown
}

/**
 * What the service said before, for as long as it's silent; `null` once it has answered, and where it refuses. It's asked
 * again as soon as it answers for the instances, which are asked for all the time.
 */
export function useLastSeen<T>({
  problem,
  hasAnswer,
  load,
  retry,
}: LastSeenOptions<T>): ComputedRef<Seen<T> | null> {
  const lastSeen = shallowRef<Seen<T> | null>(null)
  const loading = useAction(
    async (why: Problem) => {
      const found = isSilence(why) ? await load() : null
      // It's asked again, and isn't refused so far.
      if (problem() === why || problem() === null) lastSeen.value = found
    },
    { attempt: 'load', failure: 'in-place', inTurn: true },
  )
  watch(
    problem,
    (why) => {
      if (why !== null) void loading.run(why)
    },
    { immediate: true },
  )

  const instances = useInstancesStore()
  watch(
    () => !instances.isRemembered && instances.instances !== null && instances.snapshot?.problem === null,
    (isAnswering) => {
      if (isAnswering && problem() !== null && !hasAnswer()) void retry()
    },
  )

  return computed(() => (hasAnswer() ? null : lastSeen.value))
}
