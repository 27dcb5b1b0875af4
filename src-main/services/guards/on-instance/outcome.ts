import type { FiredGuard } from '../../../domain/guards/guard.ts'
import type { WatcherView } from '../../../domain/guards/watcher.ts'
import { endsInstance, type ActionKind } from '../../../domain/instances/instance.ts'

/** A minute more or less: the list shows it late, and the two clocks differ. */
const slackMs = 60_000

/**
 * What has become of a guard whose instance is stopped or gone, as its action would have it; `null` while its time hasn't
 * come. Somebody else may have done it before.
 *
 * @param when `since`: when the list first showed it; `null` if that isn't known. All in ms since the epoch
 */
export function outcomeOf(
  action: ActionKind,
  when: { readonly dueAt: number | null; readonly since: number | null; readonly now: number },
): Extract<FiredGuard['outcome'], 'done' | 'not-needed'> | null {
  const { dueAt, since, now } = when
  if (dueAt === null || dueAt > now + slackMs) return null
  if (since === null || since >= dueAt - slackMs) return 'done'
  // Of an instance that is gone, nobody has to be told that nothing is left to destroy.
  return endsInstance[action] ? null : 'not-needed'
}

/** When a guard was due by what its instance said last (ms since the epoch); `null` if it didn't say. */
export function dueAtByWord({ heardAt, watched }: WatcherView, guardId: string): number | null {
  const rule = watched.find(({ id }) => id === guardId)
  if (rule === undefined || heardAt === null) return null
  const isActing = rule.phase === 'acting' || rule.phase === 'done'
  return isActing ? heardAt : heardAt + (rule.seconds - rule.elapsedSeconds) * 1000
}
