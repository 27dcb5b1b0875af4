import { join } from 'node:path'
import { BaseWindow, screen } from 'electron'
import type { Log } from '../domain/log.ts'
import { placeWindow, smallestSize } from './bounds.ts'
import { backgroundColour } from './page-view.ts'
import { readRememberedWindow, writeRememberedWindow } from './bounds-file.ts'

export interface WindowOptions {
  readonly userData: string
  readonly log: Log
}

/** Makes the one window, where it was last, still empty and hidden. */
export function createWindow({ userData, log }: WindowOptions): BaseWindow {
  const boundsFile = join(userData, 'window.json')
  const remembered = readRememberedWindow(boundsFile, log)
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  const bounds = placeWindow(remembered, [primary.workArea, ...others.map(({ workArea }) => workArea)])

  const window = new BaseWindow({
    ...bounds,
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: 'Slipway',
    show: false,
    backgroundColor: backgroundColour(),
  })
  if (remembered?.isMaximized) window.maximize()
  window.on('close', () => {
    const isMaximized = window.isMaximized()
    writeRememberedWindow(boundsFile, { ...window.getNormalBounds(), isMaximized }, log)
  })
  return window
}

/** Brings the window to the front, wherever it is. Does nothing when it is gone. */
export function focusWindow(window: BaseWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
