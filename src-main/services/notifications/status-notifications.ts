import { isOverdue, outlookOf, statusOutlook } from '../../domain/instances/instance-status.ts'
import type { InstancesSnapshot, WatchedInstance } from '../../domain/instances/instance.ts'
import type { Latest } from '../../domain/base/latest.ts'
import {
  deadEndNotification,
  overdueNotification,
  runningNotification,
  type Notification,
} from '../../domain/notifications/notification.ts'

/**
 * Tells what has become of instances: they run, they never will, or what was asked of them did not take.
 *
 * @param seesTo whether something deals with an instance by itself, so that its end is no news
 */
export async function sendStatusNotifications({
  snapshot,
  seesTo,
  notify,
  signal,
}: {
  readonly snapshot: Latest<InstancesSnapshot>
  readonly seesTo: (instanceId: number) => boolean
  readonly notify: (notification: Notification) => void
  readonly signal: AbortSignal
}): Promise<void> {
  const overdue = new Set<number>()
  let toldAt: number | null = null
  for await (const { instances, fetchedAt } of snapshot.watch(signal)) {
    if (instances === null || fetchedAt === null || fetchedAt === toldAt) continue
    toldAt = fetchedAt
    for (const instance of instances) {
      const news = changeOf(instance, fetchedAt)
      if (news !== null && !(news.kind === 'trouble' && seesTo(instance.id))) notify(news)
      const { id, pending } = instance
      if (pending === null || !isOverdue(pending)) overdue.delete(id)
      else if (!overdue.has(id)) {
        overdue.add(id)
        notify(overdueNotification(id, pending.action))
      }
    }
  }
}

/** What the list that came at `fetchedAt` changed. A status that was there before Slipway looked is no news. */
function changeOf(instance: WatchedInstance, fetchedAt: number): Notification | null {
  const { id, history, pending } = instance
  const last = history.at(-1)
  const before = history.at(-2)
  if (last?.at !== fetchedAt || before === undefined) return null
  const outlook = outlookOf(instance)
  if (outlook.kind === 'ready')
    return statusOutlook(before.status).kind === 'booting' ? runningNotification(id) : null
  // Somebody has asked for its end.
  return outlook.kind === 'dead-end' && pending === null ? deadEndNotification(id, outlook.status) : null
}
