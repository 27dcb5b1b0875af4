import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { DoubleBaseWindow } from './base-window.ts'
import { clipboard, DoubleClipboardItem } from './clipboard.ts'
import { DoubleMenu } from './menu.ts'
import { net } from './net.ts'
import { DoubleNotification } from './notification.ts'
import { powerMonitor } from './power-monitor.ts'
import { screen } from './screen.ts'
import { defaultSession, fromPartition } from './session.ts'
import { pageServer } from './state.ts'
import { DoubleTray } from './tray.ts'
import { utilityProcess } from './utility-process.ts'
import { DoubleWebContentsView } from './web-contents-view.ts'

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
  /** Nothing is shown: what would be is written to `shown-items.txt` in the data folder, one a line. */
  showItemInFolder: (path) => {
    appendFileSync(join(app.getPath('userData'), 'shown-items.txt'), `${path}\n`)
  },
  /** As on a Linux desktop without a bus: into the trash of the home folder, without a note of where it was. */
  trashItem: async (path) => {
    const trash = join(homedir(), '.local', 'share', 'Trash', 'files')
    await mkdir(trash, { recursive: true })
    await rename(path, join(trash, `${basename(path)}.${randomUUID()}`))
  },
} satisfies Pick<Electron.Shell, 'openExternal' | 'showItemInFolder' | 'trashItem'>

export const dialog = {
  showErrorBox: (title, content) => {
    process.stderr.write(`${title}: ${content}\n`)
  },
  /**
   * What is asked is printed, and canceled, or answered by the button whose label is in `answer-dialog` of the data
   * folder, once.
   */
  showMessageBox: async (...args: [unknown, Electron.MessageBoxOptions] | [Electron.MessageBoxOptions]) => {
    const options = args.length === 1 ? args[0] : args[1]
    process.stderr.write(`${options.message} ${options.detail ?? ''}\n`)
    const file = join(app.getPath('userData'), 'answer-dialog')
    const answer = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
    rmSync(file, { force: true })
    const chosen = options.buttons?.indexOf(answer ?? '') ?? -1
    return { response: chosen === -1 ? (options.cancelId ?? 0) : chosen, checkboxChecked: false }
  },
  /** Nobody chooses: it is the suggested name, in `saved-files` of the data folder. */
  showSaveDialog: async (...args: [unknown, Electron.SaveDialogOptions] | [Electron.SaveDialogOptions]) => {
    const { defaultPath = 'untitled' } = args.length === 1 ? args[0] : args[1]
    const folder = join(app.getPath('userData'), 'saved-files')
    mkdirSync(folder, { recursive: true })
    return { canceled: false, filePath: join(folder, basename(defaultPath)) }
  },
  /** Nobody chooses: it is all that lies in `chosen-files` of the data folder. */
  showOpenDialog: async () => {
    const folder = join(app.getPath('userData'), 'chosen-files')
    mkdirSync(folder, { recursive: true })
    const filePaths = readdirSync(folder).map((name) => join(folder, name))
    return { canceled: filePaths.length === 0, filePaths }
  },
} satisfies Pick<Electron.Dialog, 'showErrorBox' | 'showMessageBox' | 'showOpenDialog' | 'showSaveDialog'>

/** Nothing is written: there is no Crashpad. As in Electron, the folder is there once it is started. */
export const crashReporter = {
  start: ({ uploadToServer = true, submitURL }) => {
    if (uploadToServer && submitURL === undefined)
      throw new Error('submitURL must be specified when uploadToServer is true')
    const folder = app.getPath('crashDumps')
    for (const name of ['new', 'pending', 'completed', 'attachments'])
      mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'settings.dat'), 'sPdC')
  },
} satisfies Pick<Electron.CrashReporter, 'start'>

export const nativeTheme = { shouldUseDarkColors: false } satisfies Pick<
  Electron.NativeTheme,
  'shouldUseDarkColors'
>

export const session = { defaultSession, fromPartition }
export {
  app,
  clipboard,
  DoubleBaseWindow as BaseWindow,
  DoubleClipboardItem as ClipboardItem,
  DoubleMenu as Menu,
  net,
  DoubleNotification as Notification,
  powerMonitor,
  screen,
  DoubleTray as Tray,
  utilityProcess,
  DoubleWebContentsView as WebContentsView,
}
export default {
  app,
  BaseWindow: DoubleBaseWindow,
  clipboard,
  ClipboardItem: DoubleClipboardItem,
  crashReporter,
  dialog,
  Menu: DoubleMenu,
  nativeTheme,
  net,
  Notification: DoubleNotification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray: DoubleTray,
  utilityProcess,
  WebContentsView: DoubleWebContentsView,
}
