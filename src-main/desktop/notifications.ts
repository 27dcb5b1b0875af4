import { Notification } from 'electron'
import type { Surroundings } from '../app.ts'

/** What Windows knows the program by; its installer gives the same to the shortcut, whose notifications are shown. */
export const appUserModelId = 'app.slipway'

/**
 * Notifications of the system. A click brings the window to the user before anything else.
 *
 * @param focus brings the window to the front
 */
export function createNotifications({
  focus,
}: {
  readonly focus: () => void
}): Surroundings['showNotification'] {
  // Held until they are closed: what is collected as garbage is clicked in vain.
  const shown = new Set<Notification>()
  return ({ title, body, actionLabel }, { onOpen, onAction }) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title,
      body,
      actions: actionLabel === null ? [] : [{ type: 'button', text: actionLabel }],
    })
    shown.add(notification)
    notification.on('click', () => {
      focus()
      onOpen()
    })
    notification.on('action', onAction)
    notification.on('close', () => shown.delete(notification))
    notification.on('failed', () => shown.delete(notification))
    notification.show()
  }
}
