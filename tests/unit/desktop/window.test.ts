import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'

vi.mock('electron', () => ({ BaseWindow: EventEmitter, screen: {}, nativeTheme: {} }))
const { hideWindow, watchVisibility } = await import('../../../src-main/desktop/window.ts')

/** As far as its being seen is concerned. */
class Window extends EventEmitter {
  state: 'normal' | 'minimized' = 'normal'
  isMinimized(): boolean {
    return this.state === 'minimized'
  }
  enter(state: 'normal' | 'minimized', event: string): void {
    this.state = state
    this.emit(event)
  }
}

test.each([
  ['restored', 'restore'],
  // Electron tells nothing else of it on Windows (native_window_views_win.cc).
  ['put back to full screen on Windows', 'enter-full-screen'],
])('a minimized window that is %s is seen again', (_, event) => {
  const window = new Window()
  const told: boolean[] = []
  watchVisibility(window as never, (isVisible) => told.push(isVisible))
  window.emit('show')
  window.enter('minimized', 'minimize')
  window.enter('normal', event)
  expect(told).toEqual([true, false, true])
})

test('a window in full screen leaves that before it is hidden: macOS would show an empty screen', () => {
  const window = Object.assign(new EventEmitter(), {
    told: [] as string[],
    isFullScreen: () => true,
    setFullScreen: (isOn: boolean) => void window.told.push(`full screen: ${isOn}`),
    hide: () => void window.told.push('hidden'),
  })
  hideWindow(window as never)
  expect(window.told).toEqual(['full screen: false'])
  window.emit('leave-full-screen')
  expect(window.told).toEqual(['full screen: false', 'hidden'])
})
