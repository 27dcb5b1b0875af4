import { implement } from '@orpc/server'
import { notifications as contract } from '../../contract/notifications.ts'
import type { Notifier } from '../../services/notifications/notifier.ts'

const os = implement(contract)

/** The calls of `contract/notifications.ts`, answered by the service. */
export function notificationsRouter(notifications: Notifier) {
  return os.router({
    opened: os.opened.handler(({ signal }) => notifications.opened(signal)),
  })
}
