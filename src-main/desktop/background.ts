import type { App as ElectronApp } from 'electron'
import type { App } from '../app/create-app.ts'

/** Given to a start that nobody has asked for just now: at login. */
export const startInTraySwitch = '--start-in-tray'

/** Whether Slipway may go on, or begin, without its window. */
export interface Background {
  /** `never` where nothing would show that Slipway goes on, or when it is told to quit. */
  readonly mayHide: () => 'never' | 'ask' | 'always'
  /** The tray icon is there, or it is gone. */
  readonly trayShown: (isShown: boolean) => void
  /** The user was asked, and doesn't end Slipway: a command to quit is called off. */
  readonly stays: () => void
}

/**
 * Slipway without its window is in the tray, or in macOS' Dock. Starting it again brings the window back, also on a
 * desktop that takes a tray icon and does not show it.
 */
export function watchBackground(
  app: Pick<ElectronApp, 'on'>,
  { platform, preferences }: Pick<App, 'preferences'> & { readonly platform: NodeJS.Platform },
): Background {
  let isQuitting = false
  let hasTray = false
  app.on('before-quit', () => (isQuitting = true))
  return {
    mayHide: () => {
      if (isQuitting || (!hasTray && platform !== 'darwin')) return 'never'
      return preferences.value.keepInTray ? 'always' : 'ask'
    },
    trayShown: (isShown) => (hasTray = isShown),
    stays: () => (isQuitting = false),
  }
}

/**
 * Whether a start leaves the window hidden: the system has started Slipway, its user lets it go on without one, and needs
 * not be asked for anything, such as a locked keychain, without which no rule can act.
 */
export function startsInTray(
  app: Pick<ElectronApp, 'getLoginItemSettings'>,
  {
    platform,
    args,
    preferences,
    needsUser,
  }: Pick<App, 'preferences' | 'needsUser'> & {
    readonly platform: NodeJS.Platform
    readonly args: readonly string[]
  },
): boolean {
  const { keepInTray, tray } = preferences.value
  // macOS gives no arguments.
  const isAtLogin =
    platform === 'darwin' ? app.getLoginItemSettings().wasOpenedAtLogin : args.includes(startInTraySwitch)
  return isAtLogin && keepInTray && (tray || platform === 'darwin') && !needsUser()
}
