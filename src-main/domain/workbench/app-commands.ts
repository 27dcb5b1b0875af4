import { z } from 'zod'

interface Command {
  readonly id: string
  readonly label: string
  /** Other words that somebody may look for it by, and what it is about. */
  readonly about: string
  /**
   * The page that it leads to, `?do=` with the dialog that the page opens then; `null` for what is done where it is
   * asked for. What costs money or ends something is never done by a command: its dialog asks first.
   */
  readonly to: string | null
  /** Its keys in Electron's notation, the usual ones first; those of a terminal are not among them. */
  readonly accelerators?: readonly string[]
  /** A dialog asks for more, so that a menu's item ends in "…". */
  readonly asks?: true
  /** Of use before an account is connected, too. */
  readonly withoutAccount?: true
}

const list = [
  { id: 'offers', label: 'Offers', about: 'Machines for rent', to: '/offers', accelerators: ['Alt+1'] },
  {
    id: 'instances',
    label: 'Instances',
    about: 'What you rented',
    to: '/instances',
    accelerators: ['Alt+2'],
  },
  {
    id: 'terminals',
    label: 'Terminals',
    about: 'Shells over SSH',
    to: '/terminals',
    accelerators: ['Alt+3'],
  },
  {
    id: 'jobs',
    label: 'Jobs',
    about: 'A folder, a command, and what comes back',
    to: '/jobs',
    accelerators: ['Alt+8'],
  },
  {
    id: 'templates',
    label: 'Templates',
    about: 'Images with their setup',
    to: '/templates',
    accelerators: ['Alt+4'],
  },
  { id: 'cloud', label: 'Cloud', about: 'Connected storage', to: '/cloud', accelerators: ['Alt+5'] },
  {
    id: 'security',
    label: 'Security',
    about: 'Two-factor authentication, vault, codes',
    to: '/security',
    accelerators: ['Alt+6'],
  },
  {
    id: 'settings',
    label: 'Settings',
    about: 'Preferences',
    to: '/settings',
    accelerators: ['CommandOrControl+,', 'Alt+7'],
  },
  { id: 'account', label: 'Account', about: 'Credit, API key, permissions', to: '/account' },
  {
    id: 'spending',
    label: 'Spending',
    about: 'What instances cost by day and month, ledger, CSV',
    to: '/spending',
  },
  { id: 'run', label: 'Run a command', about: 'On several instances at once', to: '/run' },
  { id: 'diagnostics', label: 'Diagnostics', about: 'Versions, log, reset', to: '/diagnostics' },
  { id: 'licenses', label: 'Licenses', about: 'Open-source packages in Slipway', to: '/licenses' },
  {
    id: 'search-offers',
    label: 'Search for offers',
    about: 'With the current filters',
    to: '/offers?do=search',
  },
  {
    id: 'refresh-instances',
    label: 'Refresh instances',
    about: 'Get the current list',
    to: null,
  },
  {
    id: 'reopen-terminal',
    label: 'Reopen the last closed terminal',
    about: 'Its tab and folder',
    to: '/terminals?do=reopen',
  },
  {
    id: 'new-job',
    label: 'New job',
    about: 'Run a folder’s command on an instance, or rent one for it',
    to: '/jobs?do=new',
    asks: true,
  },
  {
    id: 'insert-saved-command',
    label: 'Insert a saved command',
    about: 'Snippet, into the terminal in front',
    to: '/terminals?do=insert-saved-command',
    asks: true,
  },
  {
    id: 'open-terminals',
    label: 'Open terminals on several instances',
    about: 'On the selected instances, or on all that run',
    to: '/instances?do=open-terminals',
    asks: true,
  },
  { id: 'new-template', label: 'New template', about: 'Create, make', to: '/templates/new' },
  {
    id: 'import-template',
    label: 'Import template',
    about: 'From a file',
    to: '/templates?do=import',
    asks: true,
  },
  {
    id: 'templates-recommended',
    label: 'Recommended templates',
    about: 'On the service’s list',
    to: '/templates?ready=Recommended',
  },
  {
    id: 'templates-mine',
    label: 'My templates',
    about: 'Created by this account',
    to: '/templates?ready=Mine',
  },
  {
    id: 'templates-all',
    label: 'All templates',
    about: 'Yours and public templates',
    to: '/templates?ready=All',
  },
  {
    id: 'add-connection',
    label: 'Add a cloud connection',
    about: 'Object store, drive, model hub',
    to: '/cloud?do=add',
    asks: true,
  },
  {
    id: 'add-one-time-password',
    label: 'Add a one-time password',
    about: 'New entry in the vault: TOTP, authenticator, QR code',
    to: '/security?do=add-entry',
    asks: true,
  },
  {
    id: 'add-backup-codes',
    label: 'Add backup codes',
    about: 'New entry in the vault',
    to: '/security?do=add-codes',
    asks: true,
  },
  {
    id: 'hide-secrets',
    label: 'Hide secrets',
    about: 'Lock: hides codes and secrets on screen',
    to: null,
  },
  {
    id: 'import-vault',
    label: 'Import into the vault',
    about: 'One-time passwords from a file',
    to: '/security?do=import',
    asks: true,
  },
  {
    id: 'export-vault',
    label: 'Export the vault',
    about: 'Back up to an encrypted file',
    to: '/security?do=export',
    asks: true,
  },
  {
    id: 'add-method',
    label: 'Add a 2FA method',
    about: 'Set up two-factor authentication, 2FA, SMS, authenticator',
    to: '/security?do=add-method',
    asks: true,
  },
  {
    id: 'use-admin-session',
    label: 'Use admin session for all requests',
    about: 'In place of the API key',
    to: null,
  },
  { id: 'use-api-key', label: 'Use API key', about: 'In place of the admin session', to: null },
  {
    id: 'add-account',
    label: 'Add an account',
    about: 'Connect another API key',
    to: null,
    withoutAccount: true,
  },
  {
    id: 'cannot-sign-in',
    label: 'I can’t sign in',
    about: 'Complete a sign-in at the service with a code, without an API key',
    to: '/cannot-sign-in',
    withoutAccount: true,
  },
  {
    id: 'cost-limit',
    label: 'Cost limit for all instances',
    about: 'Stop all instances at a cost, spending limit, budget',
    to: '/instances?do=cost-limit',
    asks: true,
  },
  {
    id: 'budget',
    label: 'Monthly budget',
    about: 'Warn when a month’s spending nears an amount',
    to: '/spending?do=budget',
    asks: true,
  },
  {
    id: 'sign-out',
    label: 'Sign out',
    about: 'Remove this account from this computer',
    to: '/settings?do=sign-out',
    asks: true,
  },
  {
    id: 'theme-system',
    label: 'Theme: System',
    about: 'Appearance',
    to: null,
    withoutAccount: true,
  },
  { id: 'theme-dark', label: 'Theme: Dark', about: 'Appearance', to: null, withoutAccount: true },
  { id: 'theme-light', label: 'Theme: Light', about: 'Appearance', to: null, withoutAccount: true },
  {
    id: 'palette',
    label: 'Go to',
    about: 'Search or run a command',
    to: null,
    accelerators: ['CommandOrControl+K'],
    withoutAccount: true,
    asks: true,
  },
  {
    id: 'shortcuts',
    label: 'Keyboard shortcuts',
    about: 'Help, keys',
    to: null,
    accelerators: ['?'],
    withoutAccount: true,
  },
  {
    id: 'updates',
    label: 'Updates',
    about: 'Check for updates',
    to: '/settings#updates',
    withoutAccount: true,
  },
  { id: 'about', label: 'About Slipway', about: 'Version, files, log', to: '/settings#about' },
] as const satisfies readonly Command[]

export const appCommandId = z.enum(list.map(({ id }) => id))
export type AppCommandId = z.infer<typeof appCommandId>

/** Something that Slipway can be told from the palette and from the menu alike. */
export interface AppCommand extends Command {
  readonly id: AppCommandId
}

/** All of them, in the order in which they are offered. */
export const appCommands: readonly AppCommand[] = list

const byId = new Map(appCommands.map((command) => [command.id, command]))

export function appCommand(id: AppCommandId): AppCommand {
  const command = byId.get(id)
  if (command === undefined) throw new Error(`There is no command ${id}`)
  return command
}
