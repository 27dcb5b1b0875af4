import { Notification } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'
import type { Log } from '../domain/base/log.ts'

type ShowNotification = ReturnType<AppDependencies['notifications']>
type NotificationAnswers = Parameters<ShowNotification>[1]

/** As long as Windows' Action Center keeps one, if nobody says otherwise. */
const keptMs = 3 * 24 * 60 * 60_000

/**
 * Notifications of the system. A click brings the window to the user before anything else.
 *
 * @param focus brings the window to the front
 * @param now ms since the epoch
 */
export function createNotifications({
  platform,
  focus,
  now,
  log,
}: {
  readonly platform: NodeJS.Platform
  readonly focus: () => void
  readonly now: () => number
  readonly log: Log
}): ShowNotification {
  // Held until they are answered or closed: what is collected as garbage is clicked in vain.
  const held = new Map<Notification, { readonly answers: NotificationAnswers; readonly shownAtMs: number }>()

  function answer(notification: Notification, answered: 'click' | 'action'): void {
    const answers = held.get(notification)?.answers
    // Windows tells of a button twice, and Linux of no end after a click.
    if (answers === undefined) return
    held.delete(notification)
    if (answered === 'action') answers.onAction()
    else {
      focus()
      answers.onOpen()
    }
  }

  function dropOld(): void {
    for (const [notification, { shownAtMs }] of held)
      if (now() - shownAtMs >= keptMs) held.delete(notification)
  }

  // What Windows still shows of an earlier run, or longer than it was held here. Buttons name their notification; a
  // click on the rest of it does not, and is told to the notification itself while that is held.
  if (platform === 'win32')
    Notification.handleActivation(({ type, arguments: told }) => {
      const id = new URLSearchParams(told).get('tag')
      const notification = [...held.keys()].find((one) => one.id === id)
      if (notification !== undefined && type === 'action') answer(notification, 'action')
      else focus()
    })

  return ({ title, body, actionLabel }, answers) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title,
      body,
      actions: actionLabel === null ? [] : [{ type: 'button', text: actionLabel }],
    })
    dropOld()
    held.set(notification, { answers, shownAtMs: now() })
    notification.on('click', () => answer(notification, 'click'))
    notification.on('action', () => answer(notification, 'action'))
    notification.on('close', ({ reason }) => {
      // It is in the Action Center then, where it can be clicked.
      if (reason !== 'timedOut') held.delete(notification)
    })
    notification.on('failed', (_event, why) => {
      held.delete(notification)
      log.warn(`A notification was not shown: ${why}`)
    })
    notification.show()
  }
}
