import { hasTakenEffect } from './action-effect.ts'
import type { InstanceAction, InstanceRecord, WatchedInstance } from '../../domain/instances/instance.ts'

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
    return { id: record.id, status, record, history, pending: remaining(earlier.pending, { status, record }) }
  })
}

/**
 * An action ends when the list shows its effect. Until then it stays, however long: one that did not take is
 * told, never dropped from sight (services/instances/action-effect.ts).
 */
function remaining(
  pending: InstanceAction | null,
  instance: Pick<WatchedInstance, 'status' | 'record'>,
): InstanceAction | null {
  if (pending === null || hasTakenEffect(pending.action, instance)) return null
  return { ...pending, lists: pending.lists + 1 }
}
