import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { App } from '../app/create-app.ts'
import { appCommand, type AppCommandId } from '../domain/workbench/app-commands.ts'

export interface MenuOptions {
  readonly platform: NodeJS.Platform
  /** Whether an account is connected: before, most commands have nothing to be about. */
  readonly isConnected: boolean
  readonly run: (id: AppCommandId) => void
}

/** Sets the menu bar, at once and whenever the first account comes or the last one goes. Ends with the signal. */
export async function followMenu(
  { accountPages, ...options }: Omit<MenuOptions, 'isConnected'> & Pick<App, 'accountPages'>,
  signal?: AbortSignal,
): Promise<void> {
  let isConnected = accountPages.value.front !== null
  // On Linux and Windows it is every window's, also of those that are open.
  const set = (): void =>
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate({ ...options, isConnected })))
  set()
  for await (const { front } of accountPages.watch(signal)) {
    if (isConnected === (front !== null)) continue
    isConnected = front !== null
    set()
  }
}

/** The menu bar by the custom of the platform, with the commands that the palette has. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const item = (id: AppCommandId, label?: string) => commandItem(id, options, label)
  const pages = (['offers', 'instances', 'terminals', 'jobs', 'templates', 'cloud', 'security'] as const).map(
    (id) => item(id),
  )
  const theme: MenuItemConstructorOptions = {
    label: 'Theme',
    submenu: [
      item('theme-system', 'As the System'),
      item('theme-dark', 'Dark'),
      item('theme-light', 'Light'),
    ],
  }
  const file = [
    item('new-job'),
    item('new-template'),
    item('import-template'),
    separator,
    item('add-account'),
  ]
  const view = [item('palette'), separator, ...pages, separator, item('refresh-instances'), theme]
  const size: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
  ]
  const vault = [item('add-one-time-password'), item('hide-secrets')]

  if (options.platform === 'darwin')
    return [
      {
        role: 'appMenu',
        submenu: [
          { role: 'about' },
          item('updates'),
          separator,
          item('settings', 'Settings…'),
          separator,
          { role: 'services' },
          separator,
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          separator,
          { role: 'quit' },
        ],
      },
      {
        label: 'File',
        // ⌘W is the terminal's that is in front.
        submenu: [...file, separator, ...vault, separator, { role: 'close', accelerator: 'Shift+Command+W' }],
      },
      { role: 'editMenu' },
      { label: 'View', submenu: [...view, separator, ...size] },
      { role: 'windowMenu' },
      { role: 'help', submenu: [item('shortcuts'), item('diagnostics'), item('licenses')] },
    ]
  return [
    {
      label: 'File',
      submenu: [...file, separator, ...vault, separator, item('settings'), separator, shellSafe('quit')],
    },
    {
      label: 'Edit',
      submenu: [
        ...(['undo', 'redo'] as const).map(shellSafe),
        separator,
        ...(['cut', 'copy', 'paste', 'selectAll'] as const).map(shellSafe),
      ],
    },
    { label: 'View', submenu: [...view, separator, ...size] },
    { label: 'Window', submenu: [shellSafe('minimize'), shellSafe('close')] },
    {
      label: 'Help',
      submenu: [
        item('shortcuts'),
        item('diagnostics'),
        item('licenses'),
        separator,
        item('updates'),
        item('about'),
      ],
    },
  ]
}

const separator = { type: 'separator' } as const

/**
 * A role whose keys are shown and left to the page: Ctrl+W, Ctrl+Z, Ctrl+C and others mean something to a shell, and
 * text fields know theirs without a menu.
 */
function shellSafe(role: NonNullable<MenuItemConstructorOptions['role']>): MenuItemConstructorOptions {
  return { role, registerAccelerator: false }
}

/**
 * A command as an item. Its keys are shown, and acted on by the page alone: which of them are a shell's, when a terminal
 * has the keyboard, only the page knows. A Mac's menu takes all that it shows, so Option is not among that: with it
 * digits type "[", "]" and "|" on many keyboards.
 */
function commandItem(
  id: AppCommandId,
  { platform, isConnected, run }: MenuOptions,
  label?: string,
): MenuItemConstructorOptions {
  const command = appCommand(id)
  const keys = command.accelerators ?? []
  const accelerator = keys.find((one) => platform !== 'darwin' || !one.startsWith('Alt+'))
  return {
    id,
    label: label ?? `${command.label}${command.asks === true ? '…' : ''}`,
    enabled: isConnected || command.withoutAccount === true,
    // A single character is no accelerator to a menu: it would be taken from every text field.
    ...(accelerator?.includes('+') && { accelerator, registerAccelerator: false }),
    click: () => run(id),
  }
}
