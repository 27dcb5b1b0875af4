import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { DoubleBrowserWindow } from './browser-window.ts'
import { DoubleNotification } from './notification.ts'
import { screen } from './screen.ts'
import { defaultSession, fromPartition } from './session.ts'
import { pageServer } from './state.ts'

// The module `electron`, as far as src-main/desktop uses it. Every part is written against Electron's own
// typings, so that it cannot promise what Electron has not.

export const protocol = {
  registerSchemesAsPrivileged: (schemes) => pageServer.registerSchemes(schemes),
  handle: (scheme, handler) => pageServer.handle(scheme, handler),
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>

export const shell = {
  /** Nothing is opened: what would be is written to `opened-links.txt` in the data folder, one a line. */
  openExternal: async (url) => {
    appendFileSync(join(app.getPath('userData'), 'opened-links.txt'), `${url}\n`)
  },
} satisfies Pick<Electron.Shell, 'openExternal'>

export const dialog = {
  showErrorBox: (title, content) => {
    process.stderr.write(`${title}: ${content}\n`)
  },
} satisfies Pick<Electron.Dialog, 'showErrorBox'>

/** Chromium's window has no menu to set. */
export const Menu = {
  setApplicationMenu: () => undefined,
  buildFromTemplate: () => null,
}

export const nativeTheme = { shouldUseDarkColors: false } satisfies Pick<
  Electron.NativeTheme,
  'shouldUseDarkColors'
>

export const session = { defaultSession, fromPartition }
export { app, DoubleBrowserWindow as BrowserWindow, DoubleNotification as Notification, screen }
export default {
  app,
  BrowserWindow: DoubleBrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  Notification: DoubleNotification,
  protocol,
  screen,
  session,
  shell,
}
