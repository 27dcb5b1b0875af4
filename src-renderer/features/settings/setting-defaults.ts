import {
  preferences,
  preferencesChange,
  type Preferences,
  type PreferencesChange,
} from '#domain/settings/settings.ts'

/** A value that the user may have changed, and the way back. */
export interface ChangedSetting {
  readonly name: string
  /** What it is without a choice, as words. */
  readonly normally: string
  /** Sets it back, and nothing else. */
  readonly back: PreferencesChange
}

const defaults = preferences.parse({})

type Group = 'terminals' | 'notifications'
type Single =
  | 'theme'
  | 'motion'
  | 'sshUser'
  | 'jumpHosts'
  | 'readSshConfig'
  | 'hideSecretsAfterMinutes'
  | 'looksForUpdates'
  | 'getsPrereleases'
  | 'restorePage'
  | 'tray'
type Words = (value: unknown) => string

const onOff: Words = (value) => (value === true ? 'on' : 'off')
const plain: Words = (value) => (value === '' ? 'none' : String(value))

interface Setting {
  readonly section: string
  readonly name: string
  readonly words: Words
  readonly of: (from: Preferences) => unknown
  readonly back: (now: Preferences) => PreferencesChange
}

function single(section: string, key: Single, name: string, words: Words = plain): Setting {
  return {
    ...{ section, name, words },
    of: (from) => from[key],
    back: () => preferencesChange.parse({ [key]: defaults[key] }),
  }
}

function inGroup<G extends Group>(
  section: string,
  group: G,
  key: keyof Preferences[G] & string,
  name: string,
  words: Words = plain,
): Setting {
  return {
    ...{ section, name, words },
    of: (from) => from[group][key],
    back: (now) => preferencesChange.parse({ [group]: { ...now[group], [key]: defaults[group][key] } }),
  }
}

const settings: readonly Setting[] = [
  single('appearance', 'theme', 'Theme', (value) => (value === 'system' ? 'as the system' : plain(value))),
  single('appearance', 'motion', 'Reduce motion', (value) => onOff(value === 'reduced')),
  inGroup('terminals', 'terminals', 'fontFamily', 'Font', (value) =>
    value === '' ? 'JetBrains Mono' : plain(value),
  ),
  inGroup('terminals', 'terminals', 'fontSize', 'Font size', (value) => `${plain(value)} px`),
  inGroup('terminals', 'terminals', 'scrollbackLines', 'Lines kept above the screen'),
  inGroup('terminals', 'terminals', 'cursor', 'Cursor'),
  inGroup('terminals', 'terminals', 'newShell', 'New terminals run', (value) =>
    value === 'plain' ? 'a plain shell' : plain(value),
  ),
  inGroup('terminals', 'terminals', 'keepScreens', 'Keep what terminals showed', onOff),
  inGroup('terminals', 'terminals', 'connectAtStart', 'Connect at the next start', onOff),
  inGroup('terminals', 'terminals', 'sendLocale', 'Send your language and locale', onOff),
  inGroup('notifications', 'notifications', 'running', 'A machine runs', onOff),
  inGroup('notifications', 'notifications', 'trouble', 'A machine is in trouble', onOff),
  inGroup('notifications', 'notifications', 'guard', 'A guard is due', onOff),
  inGroup('notifications', 'notifications', 'credit', 'The credit runs out', onOff),
  inGroup('notifications', 'notifications', 'unattended', 'Nobody is connected', onOff),
  inGroup(
    'notifications',
    'notifications',
    'creditHours',
    'Warn about credit',
    (value) => `${plain(value)} h`,
  ),
  inGroup(
    'notifications',
    'notifications',
    'unattendedHours',
    'Warn about nobody connected',
    (value) => `${plain(value)} h`,
  ),
  single('secrets', 'hideSecretsAfterMinutes', 'Hide secrets', (value) => `after ${plain(value)} min`),
  single('ssh-login', 'sshUser', 'SSH user'),
  single('ssh-login', 'jumpHosts', 'Jump host'),
  single('ssh-login', 'readSshConfig', 'Use ~/.ssh/config', onOff),
  single('start', 'restorePage', 'Restore last page', onOff),
  single('start', 'tray', 'Show an icon', onOff),
  single('updates', 'looksForUpdates', 'Check for updates daily', onOff),
  single('updates', 'getsPrereleases', 'Get pre-release versions', onOff),
]

/** What of a section is not as it was at the first start. */
export function settingsOffDefault(section: string, now: Preferences): readonly ChangedSetting[] {
  return settings
    .filter((setting) => setting.section === section && setting.of(now) !== setting.of(defaults))
    .map(({ name, words, of, back }) => ({ name, normally: words(of(defaults)), back: back(now) }))
}
