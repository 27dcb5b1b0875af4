/** A section of the settings. */
export interface SettingsSection {
  readonly title: string
  /** What it is about: said below its title, and in the palette. */
  readonly about: string
  /** Further words by which it is found on the page. */
  readonly words?: string
}

/** By what the end of an address calls it: `/settings#terminals`. In the order of the page. */
const sections = {
  account: { title: 'Account', about: 'Name, key, and credit' },
  appearance: {
    title: 'Appearance',
    about: 'Theme, motion, number and date format',
    words: 'color dark light contrast animation locale region decimal separator',
  },
  start: {
    title: 'Start and desktop',
    about: 'Last page, tray icon, start at login',
    words: 'autostart background close',
  },
  instances: {
    title: 'Instances',
    about: 'How often they’re refreshed',
    words: 'poll polling list requests',
  },
  terminals: { title: 'Terminals', about: 'Font, shell, and output', words: 'size shell tmux scrollback' },
  files: { title: 'Files', about: 'Your own editor', words: 'program open with' },
  notifications: { title: 'Notifications', about: 'What Slipway notifies you about' },
  keychain: { title: 'Keychain', about: 'Where secrets are stored' },
  secrets: { title: 'Secrets', about: 'When secrets are hidden' },
  'ssh-key': { title: 'SSH key', about: 'Created by Slipway' },
  'ssh-login': { title: 'SSH login', about: 'For all instances', words: 'password' },
  'host-keys': { title: 'Host keys', about: 'Hosts that you trust' },
  help: {
    title: 'Help',
    about: 'First steps, diagnostics',
    words: 'reset copy versions log tour newcomer',
  },
  file: {
    title: 'Export and import',
    about: 'Settings as a file',
    words: 'backup transfer move other computer',
  },
  updates: { title: 'Updates', about: 'New versions of Slipway' },
  about: { title: 'About', about: 'Version, files, log', words: 'version path folder log licenses' },
} as const satisfies Readonly<Record<string, SettingsSection>>

/** What the end of an address calls a section. */
export type SettingsAnchor = keyof typeof sections

/** All sections. */
export const settingsSections: Readonly<Record<SettingsAnchor, SettingsSection>> = sections
