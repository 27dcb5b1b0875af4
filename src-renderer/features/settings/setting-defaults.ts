import {
  preferences,
  preferencesChange,
  type Preferences,
  type PreferencesChange,
} from '#domain/settings/settings.ts'
import type { SettingsAnchor } from './settings-sections.ts'

/** A value that the user changed, and how to reset it. */
export interface ChangedSetting {
  readonly name: string
  /** What it is without a choice, as words. */
  readonly normally: string
  /** Sets it back, and nothing else. */
  readonly back: PreferencesChange
}

const defaults = preferences.parse({})

/** What has its own page or panel, which shows it as it is and sets it back. */
type NoSetting =
  | 'dismissedNotices'
  | 'identityFiles'
  | 'ownEditor'
  | 'lastOfferQuery'
  | 'offerView'
  | 'templateView'
  | 'instanceView'
  | 'fileView'
  | 'showsAllFigures'
  | 'firstSteps'
type Group = 'terminals' | 'notifications'
type Single = Exclude<keyof Preferences, NoSetting | Group>

interface Words {
  readonly name: string
  /** Its default in words; without it, as it is. */
  readonly words?: (value: unknown) => string
}

const onOff = (value: unknown): string => (value === true ? 'on' : 'off')
const plain = (value: unknown): string => (value === '' ? 'none' : String(value))

const singles: Readonly<Record<Single, Words & { readonly section: SettingsAnchor }>> = {
  theme: {
    section: 'appearance',
    name: 'Theme',
    words: (value) => (value === 'system' ? 'System' : plain(value)),
  },
  motion: { section: 'appearance', name: 'Reduce motion', words: (value) => onOff(value === 'reduced') },
  formatLocale: {
    section: 'appearance',
    name: 'Number and date format',
    words: () => 'System',
  },
  hideSecretsAfterMinutes: {
    section: 'secrets',
    name: 'Hide secrets',
    words: (value) => `after ${plain(value)} min`,
  },
  sshUser: { section: 'ssh-login', name: 'SSH user' },
  jumpHosts: { section: 'ssh-login', name: 'Jump host' },
  readSshConfig: { section: 'ssh-login', name: 'Use ~/.ssh/config', words: onOff },
  restingPauseSeconds: {
    section: 'instances',
    name: 'Background refresh interval',
    words: (value) => `${plain(value)} s`,
  },
  stopsNewWhenIdle: { section: 'instances', name: 'Stop new instances when idle', words: onOff },
  newIdleMinutes: {
    section: 'instances',
    name: 'Idle time of new instances',
    words: (value) => `${plain(value)} min`,
  },
  restorePage: { section: 'start', name: 'Restore last page', words: onOff },
  tray: { section: 'start', name: 'Show tray icon', words: onOff },
  keepInTray: { section: 'start', name: 'Keep running in tray', words: onOff },
  looksForUpdates: { section: 'updates', name: 'Check for updates daily', words: onOff },
  getsPrereleases: { section: 'updates', name: 'Get pre-release versions', words: onOff },
}

const groups: { readonly [G in Group]: Readonly<Record<keyof Preferences[G], Words>> } = {
  terminals: {
    fontFamily: { name: 'Font', words: (value) => (value === '' ? 'JetBrains Mono' : plain(value)) },
    fontSize: { name: 'Font size', words: (value) => `${plain(value)} px` },
    scrollbackLines: { name: 'Scrollback lines' },
    cursor: { name: 'Cursor' },
    newShell: {
      name: 'New terminals run',
      words: (value) => (value === 'plain' ? 'plain shell' : plain(value)),
    },
    keepScreens: { name: 'Save terminal output', words: onOff },
    connectAtStart: { name: 'Reconnect terminals at startup', words: onOff },
    sendLocale: { name: 'Send your language and locale', words: onOff },
    offersPorts: { name: 'Offer to forward new ports', words: onOff },
  },
  notifications: {
    running: { name: 'Instance is running', words: onOff },
    trouble: { name: 'Instance failed', words: onOff },
    guard: { name: 'Auto-stop rule', words: onOff },
    credit: { name: 'Credit is running out, or a month’s budget is nearly spent', words: onOff },
    unattended: { name: 'No connection', words: onOff },
    gpuIdle: { name: 'GPUs idle', words: onOff },
    diskFull: { name: 'Disk full', words: onOff },
    gpuMemoryFull: { name: 'GPU memory full', words: onOff },
    gpuHot: { name: 'GPU hot', words: onOff },
    gpuGone: { name: 'GPU missing', words: onOff },
    machine: { name: 'Instance isn’t what was offered', words: onOff },
    offers: { name: 'Watched search found an offer', words: onOff },
    done: { name: '“Notify when done” and edited files', words: onOff },
    creditHours: { name: 'Warn about credit', words: (value) => `${plain(value)} h` },
    unattendedHours: { name: 'Warn about no connection', words: (value) => `${plain(value)} h` },
    idleGpuMinutes: { name: 'Warn about idle GPUs', words: (value) => `${plain(value)} min` },
  },
}

/** What of a section is not as it was at the first start. */
export function settingsOffDefault(section: SettingsAnchor, now: Preferences): readonly ChangedSetting[] {
  if (section === 'terminals' || section === 'notifications')
    return offDefault(groups[section], now[section], defaults[section], (back) => ({
      [section]: { ...now[section], ...back },
    }))
  const own = Object.entries(singles).filter(([, single]) => single.section === section)
  return offDefault(Object.fromEntries(own), now, defaults, (back) => back)
}

type Values = Readonly<Record<string, unknown>>

function offDefault(
  settings: Readonly<Record<string, Words>>,
  now: Values,
  normal: Values,
  change: (back: Values) => Values,
): readonly ChangedSetting[] {
  return Object.entries(settings)
    .filter(([key]) => now[key] !== normal[key])
    .map(([key, { name, words = plain }]) => ({
      name,
      normally: words(normal[key]),
      back: preferencesChange.parse(change({ [key]: normal[key] })),
    }))
}
