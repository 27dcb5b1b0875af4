import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import type { Log } from '../domain/log.ts'
import { placeWindow, smallestSize } from './bounds.ts'
import { readRememberedWindow, writeRememberedWindow } from './bounds-file.ts'

export interface WindowOptions {
  /** Of the built preload script. */
  readonly preload: string
  readonly userData: string
  readonly log: Log
}

/** Makes the one window, where it was last, still empty and hidden; it shows itself when it has something to show. */
export function createWindow({ preload, userData, log }: WindowOptions): BrowserWindow {
  const boundsFile = join(userData, 'window.json')
  const remembered = readRememberedWindow(boundsFile, log)
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  const bounds = placeWindow(remembered, [primary.workArea, ...others.map(({ workArea }) => workArea)])

  const window = new BrowserWindow({
    ...bounds,
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: 'Slipway',
    show: false,
    // Seen for a moment before the first paint.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#18181b' : '#ffffff',
    webPreferences: {
      preload,
      // Said although most are defaults: a later default must not loosen them.
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      // It would send words to a dictionary service, and marks every command in a start script as wrong.
      spellcheck: false,
      navigateOnDragDrop: false,
      // The timers of a hidden page would run once a second, later once a minute. Its terminals must go on
      // parsing: what they have not taken holds up the programs on the machines.
      backgroundThrottling: false,
    },
  })
  if (remembered?.isMaximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    const isMaximized = window.isMaximized()
    writeRememberedWindow(boundsFile, { ...window.getNormalBounds(), isMaximized }, log)
  })
  return window
}

/** Brings the window to the user, who has started Slipway a second time. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
