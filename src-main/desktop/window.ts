import { join } from 'node:path'
import { BaseWindow, screen } from 'electron'
import type { Log } from '../domain/base/log.ts'
import { placeWindow, smallestSize } from './bounds.ts'
import { backgroundColor } from './pages/page-view.ts'
import { readRememberedWindow, writeRememberedWindow } from './bounds-file.ts'

export interface WindowOptions {
  readonly title: string
  readonly userData: string
  readonly log: Log
}

/** Makes the one window, where it was last, still empty and hidden. */
export function createWindow({ title, userData, log }: WindowOptions): BaseWindow {
  const boundsFile = join(userData, 'window.json')
  const remembered = readRememberedWindow(boundsFile, log)
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  const bounds = placeWindow(remembered, [primary.workArea, ...others.map(({ workArea }) => workArea)])

  const window = new BaseWindow({
    ...bounds,
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title,
    show: false,
    backgroundColor: backgroundColor(),
  })
  let isToBeMaximized = remembered?.isMaximized === true
  // Not before: to maximize a window shows it, and there is nothing in it yet.
  window.once('show', () => {
    if (isToBeMaximized) window.maximize()
    isToBeMaximized = false
  })
  window.on('close', () => {
    const isMaximized = isToBeMaximized || window.isMaximized()
    writeRememberedWindow(boundsFile, { ...window.getNormalBounds(), isMaximized }, log)
  })
  return window
}

/**
 * Tells whether the window can be seen, whenever that changes: it is shown, and neither hidden nor minimized. On macOS
 * one that others cover is hidden, too; Wayland does not tell programs that a window is minimized.
 */
export function watchVisibility(window: BaseWindow, tell: (isVisible: boolean) => void): void {
  let isShown = false
  let told = false
  const look = (): void => {
    const isVisible = isShown && !window.isMinimized()
    if (isVisible === told) return
    told = isVisible
    tell(isVisible)
  }
  // By what is told, because on macOS `isVisible` can be wrong about a window that others cover.
  window.on('show', () => {
    isShown = true
    look()
  })
  window.on('hide', () => {
    isShown = false
    look()
  })
  window.on('minimize', look)
  window.on('restore', look)
  // Windows tells nothing else of a window in full screen that was minimized.
  window.on('enter-full-screen', look)
}

/** Brings the window to the front, wherever it is. Does nothing when it is gone. */
export function focusWindow(window: BaseWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Takes the window from the screen. One in full screen would leave an empty screen on macOS, so it leaves that first. */
export function hideWindow(window: BaseWindow): void {
  if (!window.isFullScreen()) return window.hide()
  window.once('leave-full-screen', () => window.hide())
  window.setFullScreen(false)
}
