import type { InstanceAction, InstanceRecord, WatchedInstance } from '../domain/instance.ts'

/** How long an action that the service accepted may stay without visible effect before it is dropped from sight. */
const actionPatienceMs = 5 * 60_000

/**
 * The watched instances after a new list: statuses are added to their history when they change, and actions
 * end when the list shows their effect.
 *
 * @param now when the list was received, ms since the epoch
 */
export function mergeList(
  before: readonly WatchedInstance[],
  records: readonly InstanceRecord[],
  now: number,
): WatchedInstance[] {
  const known = new Map(before.map((instance) => [instance.id, instance]))
  return records.map((record) => {
    const status = record.actual_status ?? null
    const earlier = known.get(record.id)
    if (!earlier) return { id: record.id, status, record, history: [{ status, at: now }], pending: null }
    const changed = earlier.status !== status
    const history = changed ? [...earlier.history, { status, at: now }] : earlier.history
    return { id: record.id, status, record, history, pending: remaining(earlier.pending, changed, now) }
  })
}

/** A stop ends with any change of status (which one is not documented); a destroy when the instance is gone. */
function remaining(pending: InstanceAction | null, changed: boolean, now: number): InstanceAction | null {
  if (pending === null) return null
  if (pending.action === 'stop' && changed) return null
  return now - pending.since > actionPatienceMs ? null : pending
}
