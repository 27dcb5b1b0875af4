/** A section of the settings, and what the end of an address calls it: `/settings#terminals`. */
export interface SettingsSection {
  readonly anchor: string
  readonly title: string
  readonly about: string
}

export const settingsSections = [
  { anchor: 'account', title: 'Account', about: 'Whose money is spent' },
  { anchor: 'appearance', title: 'Appearance', about: 'Theme: dark, light' },
  { anchor: 'start', title: 'Start and desktop', about: 'Page of the last time, tray icon' },
  { anchor: 'terminals', title: 'Terminals', about: 'On this machine' },
  { anchor: 'notifications', title: 'Notifications', about: 'What the desktop is told' },
  { anchor: 'keychain', title: 'Keychain', about: 'Where secrets are kept' },
  { anchor: 'secrets', title: 'Secrets', about: 'On the screen' },
  { anchor: 'ssh-key', title: 'SSH key', about: 'Made by Slipway' },
  { anchor: 'ssh-login', title: 'SSH login', about: 'For every rented machine' },
  { anchor: 'host-keys', title: 'Host keys', about: 'Machines that you trust' },
  { anchor: 'help', title: 'Help', about: 'First steps, once more' },
  { anchor: 'updates', title: 'Updates', about: 'New versions of Slipway' },
  { anchor: 'about', title: 'About', about: 'Version, files, log' },
] as const satisfies readonly SettingsSection[]
