import { dependsOnUse, type FiredGuard, type Guard } from '../../../domain/guards/guard.ts'
import { isRefusedByService, type WatchedGuard } from '../../../domain/guards/watcher.ts'
import { outlookOf, type InstanceState } from '../../../domain/instances/instance-status.ts'
import { endsInstance, type WatchedInstance } from '../../../domain/instances/instance.ts'

/** A minute more or less: the list shows it late, and the two clocks differ. */
const slackMs = 60_000

/**
 * What has become of a guard whose instance is stopped or gone, as its action would have it; `null` while its time hasn't
 * come. Only what the instance said tells its own doing from somebody else's.
 *
 * @param rule as the instance said last; undefined if it didn't
 * @param when `since`: when the list first showed it; `null` if that isn't known. All in ms since the epoch
 */
export function outcomeOf(
  { action, condition }: Pick<Guard, 'action' | 'condition'>,
  rule: Pick<WatchedGuard, 'phase' | 'reply'> | undefined,
  when: { readonly dueAt: number | null; readonly since: number | null; readonly now: number },
): Extract<FiredGuard['outcome'], 'done' | 'not-needed' | 'seen'> | null {
  const { dueAt, since, now } = when
  const phase = rule?.phase
  // What the service refused, somebody else has done.
  if (phase === 'done' || (rule?.phase === 'acting' && !isRefusedByService(rule))) return 'done'
  if (dueAt === null || dueAt > now + slackMs) return null
  if (since === null || since >= dueAt - slackMs) return phase === 'warned' ? 'done' : 'seen'
  // Of an instance that is gone, nobody has to be told that nothing is left to destroy. What was stopped did nothing.
  return endsInstance[action] || dependsOnUse[condition.kind] ? null : 'not-needed'
}

/** Whether the list shows an instance stopped. A host that is silent hasn't stopped it: it may compute on. */
export function isStoppedByList(instance: InstanceState): boolean {
  const outlook = outlookOf(instance)
  return outlook.kind === 'stopped' || (outlook.kind === 'dead-end' && outlook.status === 'exited')
}

/** Whether the lists have shown an instance stopped at some time since. @param since ms since the epoch */
export function wasStoppedSince({ id, history }: WatchedInstance, since: number): boolean {
  return history.some(({ status }, index) => {
    const until = history[index + 1]?.at
    // What else its record says is of now.
    const then = { status, record: { id }, history: history.slice(0, index + 1) }
    return until !== undefined && until >= since && isStoppedByList(then)
  })
}
