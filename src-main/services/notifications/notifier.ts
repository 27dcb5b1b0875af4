import { labelled } from '../../domain/instances/instance-label.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import type { Preferences } from '../../domain/settings/settings.ts'

/** What a notification on the desktop can lead to. */
export interface NotificationAnswers {
  /** It was clicked: its page is to be shown. */
  readonly onOpen: () => void
  /** Its button was pressed; only some systems show one. */
  readonly onAction: () => void
}

/** Shows a notification of the system; desktop/ does it. */
export type ShowNotification = (
  shown: { readonly title: string; readonly body: string; readonly actionLabel: string | null },
  answers: NotificationAnswers,
) => void

export interface Notifier {
  readonly notify: (notification: Notification) => void
  /** The page of each notification that is clicked from now on. */
  readonly opened: (signal?: AbortSignal) => AsyncGenerator<{ path: string }, void, void>
}

/** Tells the desktop what its user wants to be told. */
export function createNotifier({
  show,
  preferences,
  labelOf,
  postpone,
}: {
  readonly show: ShowNotification
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  /** What the user calls an instance; `null` for one without a label. */
  readonly labelOf: (instanceId: number) => string | null
  /** "One hour more" for a guard. */
  readonly postpone: (guardId: string) => void
}): Notifier {
  const clicked = new Latest<{ readonly path: string } | null>(null)
  return {
    notify: ({ kind, title, body, instanceId, path, guardId }) => {
      if (!preferences.value.notifications[kind]) return
      show(
        {
          title: labelled(title, instanceId === null ? null : labelOf(instanceId)),
          body,
          actionLabel: guardId === null ? null : 'One hour more',
        },
        {
          onOpen: () => clicked.set({ path }),
          onAction: () => {
            if (guardId !== null) postpone(guardId)
          },
        },
      )
    },
    async *opened(signal) {
      // What was clicked before this window looked has been shown.
      const before = clicked.value
      for await (const value of clicked.watch(signal)) if (value !== null && value !== before) yield value
    },
  }
}
