import { statusOutlook, type InstanceState } from '../../domain/instances/instance-status.ts'
import type { InstanceAction, InstanceRecord, WatchedInstance } from '../../domain/instances/instance.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import { hasTakenEffect } from './action-effect.ts'

/**
 * The watched instances after a new list: statuses are added to their history when they change, and actions
 * end when the list shows their effect. One that isn't listed has gone, unless a record can't be read, which may be it:
 * then it stays as it was, with what was asked of it.
 *
 * @param now when the list was received, ms since the epoch
 * @param pendingOf what was asked of an instance before
 */
export function mergeList(
  before: readonly WatchedInstance[],
  { records, unreadable }: RecordList<InstanceRecord>,
  now: number,
  pendingOf: (id: number) => InstanceAction | null,
): WatchedInstance[] {
  const known = new Map(before.map((instance) => [instance.id, instance]))
  const listed = records.map((record): WatchedInstance => {
    const { id, actual_status: status = null } = record
    const earlier = known.get(id)
    const pending = pendingOf(id)
    const seen = { status, at: now, ...(isEndByStop(pending, status) && { afterStop: true as const }) }
    const history = earlier?.status === status ? earlier.history : [...(earlier?.history ?? []), seen]
    return { id, status, record, history, pending: remaining(pending, { status, record, history }) }
  })
  if (unreadable.length === 0) return listed
  const ids = new Set(listed.map(({ id }) => id))
  const kept = before.filter(({ id }) => !ids.has(id))
  return [...listed, ...kept.map((one) => ({ ...one, pending: pendingOf(one.id) }))]
}

/** Whether an instance that is new in this status, or in the list, came to it by a stop that the service had accepted, or that
 * an earlier run had sent. */
function isEndByStop(pending: InstanceAction | null, status: string | null): boolean {
  return pending?.action === 'stop' && pending.failure === null && statusOutlook(status).kind === 'dead-end'
}

/**
 * An action ends when the list shows its effect. Until then it stays, however long: one that did not take is
 * told, never dropped from sight (services/instances/action-effect.ts).
 */
function remaining(pending: InstanceAction | null, instance: InstanceState): InstanceAction | null {
  if (pending === null || hasTakenEffect(pending.action, instance)) return null
  return { ...pending, lists: pending.lists + 1 }
}
