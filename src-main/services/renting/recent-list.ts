import type { Clock } from '../../domain/base/clock.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import { mayHaveHappened } from '../../domain/rental-api/service-errors.ts'
import type { InstancesSnapshot } from '../../domain/instances/instance.ts'
import { advisedPauseMs, type InstanceWatch } from '../instances/watch.ts'

/**
 * The list by which a rental whose reply is lost is told from what was there: what was rented elsewhere since would be
 * taken for it. As old as one gets while somebody looks at instances, so that renting asks for another one only where the
 * list rests.
 */
const recentMs = advisedPauseMs

/** @throws ProblemError why it can't be had, never one by which a rental may have been sent; no-account when there is none */
export async function recentList(
  watch: Pick<InstanceWatch, 'snapshot' | 'refresh'>,
  clock: Pick<Clock, 'now'>,
): Promise<InstancesSnapshot & { readonly instances: NonNullable<InstancesSnapshot['instances']> }> {
  const isRecent = (): boolean => {
    const { fetchedAt } = watch.snapshot.value
    const ageMs = fetchedAt === null ? Number.POSITIVE_INFINITY : clock.now() - fetchedAt
    return ageMs >= 0 && ageMs <= recentMs
  }
  if (!isRecent()) await watch.refresh()
  const { instances, problem } = watch.snapshot.value
  if (problem !== null && !isRecent())
    // Told as the failure of a rental, it would say that something may have been rented.
    throw new ProblemError(mayHaveHappened(problem) ? { kind: 'list-unavailable' } : problem)
  if (instances === null) throw new ProblemError({ kind: 'no-account' })
  return { ...watch.snapshot.value, instances }
}
