import { counted, plural } from '#domain/base/plural.ts'
import type { PortableSetting } from '#domain/settings/settings-file.ts'
import type { client } from '#ipc/client.ts'

/** What an import would change, or has changed. */
export type SettingsChanges = Awaited<ReturnType<typeof client.settings.previewImport>>

const names: Readonly<Record<PortableSetting, string>> = {
  theme: 'Theme',
  motion: 'Reduce motion',
  formatLocale: 'Number and date format',
  sshUser: 'SSH user',
  readSshConfig: 'Use ~/.ssh/config',
  jumpHosts: 'Jump hosts',
  offerView: 'Columns and plot of offers',
  templateView: 'Columns of templates',
  instanceView: 'Columns of instances',
  fileView: 'Hidden files on the Files page',
  showsAllFigures: 'Show figures of all running instances',
  notifications: 'Notifications',
  terminals: 'Terminals',
  hideSecretsAfterMinutes: 'Hide secrets',
  restingPauseSeconds: 'Background refresh interval',
  stopsNewWhenIdle: 'Stop new instances when idle',
  newIdleMinutes: 'Idle time of new instances',
  restorePage: 'Restore last page',
  tray: 'Tray icon',
  keepInTray: 'Keep running in tray',
  looksForUpdates: 'Check for updates daily',
  getsPrereleases: 'Get pre-release versions',
}

/** What an import changes, a line for each kind of thing; none when everything is as in the file already. */
export function changesText({ settings, lists }: SettingsChanges): readonly string[] {
  const merged =
    lists.kind === 'merged'
      ? [
          changed(lists.searches, 'added', 'saved search', 'saved searches'),
          changed(lists.replacedSearches, 'replaced', 'saved search', 'saved searches'),
          changed(lists.favorites, 'added', 'favorite'),
          changed(lists.removedFavorites, 'removed: blocked in the file', 'favorite'),
          changed(lists.blocked, 'added', 'block'),
          changed(
            lists.unblocked,
            `removed: ${plural(lists.unblocked, 'a favorite', 'favorites')} in the file`,
            'block',
          ),
        ]
      : []
  return [
    ...(settings.length > 0
      ? [`${counted(settings.length, 'setting')} replaced: ${settings.map((name) => names[name]).join(', ')}`]
      : []),
    ...merged.flatMap((line) => line ?? []),
  ]
}

/** Why the file's lists are left out; `null` when they aren't. */
export function listsLeftOutText({ lists }: SettingsChanges): string | null {
  switch (lists.kind) {
    case 'no-account':
      return 'Saved searches, favorites, and blocks are left out: no account is connected.'
    case 'other-service':
      return 'Saved searches, favorites, and blocks are left out: they’re for another service.'
    case 'merged':
    case 'none':
      return null
  }
}

function changed(count: number, how: string, one: string, others?: string): string | null {
  return count === 0 ? null : `${counted(count, one, others)} ${how}`
}
