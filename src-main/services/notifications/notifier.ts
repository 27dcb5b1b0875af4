import { withLabel } from '../../domain/instances/instance-label.ts'
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

export interface NotificationAction {
  readonly label: string
  readonly run: () => void
}

export interface Notifier {
  /** @param action its button, where the system shows one */
  readonly notify: (notification: Notification, action?: NotificationAction) => void
  /** The page of each notification that is clicked from now on. */
  readonly opened: (signal?: AbortSignal) => AsyncGenerator<{ path: string }, void, void>
}

/** Tells the desktop what its user wants to be told. */
export function createNotifier({
  showNotification,
  among,
  preferences,
  labelOf,
}: {
  readonly showNotification: ShowNotification
  /** The account among the others. */
  readonly among: {
    /** What heads a notification of it; `null` where there is only one. */
    readonly name: () => string | null
    /** Brings its page to the front. */
    readonly show: () => void
  }
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  /** What the user calls an instance; `null` for one without a label. */
  readonly labelOf: (instanceId: number) => string | null
}): Notifier {
  const clicked = new Latest<{ readonly path: string } | null>(null)
  return {
    notify: ({ kind, title, body, instanceId, path }, action) => {
      if (!preferences.value.notifications[kind]) return
      const name = among.name()
      const labeled = withLabel(title, instanceId === null ? null : labelOf(instanceId))
      showNotification(
        {
          title: name === null ? labeled : `${name}: ${labeled}`,
          body,
          actionLabel: action?.label ?? null,
        },
        {
          onOpen: () => {
            among.show()
            clicked.set({ path })
          },
          onAction: () => action?.run(),
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
