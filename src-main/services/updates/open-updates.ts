import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Folder } from '../storage/folder.ts'
import { openBegunUpdate } from './begun-update.ts'
import { Updates, type UpdatesOptions } from './updates.ts'

export interface UpdatesDependencies extends Omit<UpdatesOptions, 'begun' | 'notify'> {
  readonly file: Folder['file']
  readonly showNotification: (
    shown: { readonly title: string; readonly body: string; readonly actionLabel: null },
    answers: { readonly onOpen: () => void; readonly onAction: () => void },
  ) => void
  /** The user wants to read about the version that was found. */
  readonly onOpen: () => void
}

/**
 * New versions of Slipway.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openUpdates(from: UpdatesDependencies, lifetime: Lifetime): Promise<Updates> {
  const { file, showNotification, onOpen } = from
  const updates = new Updates({
    ...from,
    begun: await openBegunUpdate(file('update.json')),
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
