import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** By what the system, and the files and secrets on it, tell one Slipway from another. */
export interface AppIdentity {
  /** Of the data folder, the window, and the keychain's entries. A folder may be called so on every system. */
  readonly name: string
  /** What Windows knows the program by; the installer gives the same to the shortcut, whose notifications are shown. */
  readonly appUserModelId: string
  /**
   * What Windows starts for a click on a notification, for good: shortcuts that were made with it stay. `null`: another one
   * at each start, which is Electron's own.
   */
  readonly toastActivatorClsid: string | null
  readonly isDevelopment: boolean
}

export const installed: AppIdentity = {
  name: 'Slipway',
  appUserModelId: 'app.slipway',
  toastActivatorClsid: '{CA284D32-C3A2-49AB-AA60-88F5EE6DEDE1}',
  isDevelopment: false,
}

/** A start from the sources. */
export const development: AppIdentity = {
  name: 'Slipway (development)',
  appUserModelId: 'app.slipway.development',
  toastActivatorClsid: null,
  isDevelopment: true,
}

/** Names the window to Linux's desktops, which would otherwise count it among the installed app's. */
const developmentDesktopName = 'app.slipway.Slipway.Development.desktop'

/** The part of Electron's app that is used here. */
export interface IdentifiedApp {
  readonly isPackaged: boolean
  readonly getPath: (name: 'appData') => string
  readonly setPath: (name: 'userData', path: string) => void
  readonly setName: (name: string) => void
  readonly setAppLogsPath: (path: string) => void
  readonly setAppUserModelId: (id: string) => void
  readonly setToastActivatorCLSID: (id: string) => void
  readonly setDesktopName: (name: string) => void
}

/**
 * Keeps a start from the sources away from the installed app's data folder, single-instance lock (which follows the
 * folder), log, and keychain entries, Chromium's own among them (which follow the name). To be called before all else.
 *
 * @param otherUserData another data folder, for tests and the demo; an installed app takes no such hint
 */
export function takeIdentity(
  app: IdentifiedApp,
  {
    platform,
    otherUserData,
  }: { readonly platform: NodeJS.Platform; readonly otherUserData: string | undefined },
): AppIdentity {
  const identity = app.isPackaged ? installed : development
  if (platform === 'win32') {
    app.setAppUserModelId(identity.appUserModelId)
    if (identity.toastActivatorClsid !== null) app.setToastActivatorCLSID(identity.toastActivatorClsid)
  }
  if (app.isPackaged) return identity
  app.setName(identity.name)
  if (platform === 'linux') app.setDesktopName(developmentDesktopName)
  const userData = otherUserData || join(app.getPath('appData'), identity.name)
  mkdirSync(userData, { recursive: true, mode: 0o700 })
  app.setPath('userData', userData)
  // macOS has one folder for the logs of all apps, tests' and demos' too.
  app.setAppLogsPath(join(userData, 'logs'))
  return identity
}
