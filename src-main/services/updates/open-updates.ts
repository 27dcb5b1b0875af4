import type { Lifetime } from '../../domain/base/lifetime.ts'
import { Updates, type UpdatesOptions } from './updates.ts'

export interface UpdatesDependencies extends Omit<UpdatesOptions, 'notify'> {
  readonly showNotification: (
    shown: { readonly title: string; readonly body: string; readonly actionLabel: null },
    answers: { readonly onOpen: () => void; readonly onAction: () => void },
  ) => void
  /** The user wants to read about the version that was found. */
  readonly onOpen: () => void
}

/** New versions of Slipway. */
export function openUpdates(from: UpdatesDependencies, lifetime: Lifetime): Updates {
  const { showNotification, onOpen } = from
  const updates = new Updates({
    ...from,
    notify: (version) =>
      showNotification(
        {
          title: `Slipway ${version} is available`,
          body: 'Settings, “Updates”, says what is new.',
          actionLabel: null,
        },
        { onOpen, onAction: () => undefined },
      ),
  })
  lifetime.follow((signal) => updates.follow(signal))
  return updates
}
