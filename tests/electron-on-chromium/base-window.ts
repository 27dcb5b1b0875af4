import { EventEmitter } from 'node:events'
import type { BaseWindow, BaseWindowConstructorOptions, Rectangle } from 'electron'
import { Preventable } from './prevention.ts'
import { chromium, report } from './state.ts'
import { DoubleView } from './view.ts'
import type { DoubleWebContentsView } from './web-contents-view.ts'

type Implemented = Pick<
  BaseWindow,
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'getContentBounds'
  | 'getNormalBounds'
  | 'hide'
  | 'isDestroyed'
  | 'isFullScreen'
  | 'isMaximized'
  | 'isMinimized'
  | 'isVisible'
  | 'maximize'
  | 'minimize'
  | 'restore'
  | 'setFullScreen'
  | 'show'
  | 'unmaximize'
>
type WindowState = 'normal' | 'maximized' | 'minimized' | 'fullscreen'

/** Chromium tells nobody that its window was moved, so it is asked. */
const boundsPollMs = 1000
const menuBarHeight = 26

const open: DoubleBaseWindow[] = []
let hasMenuBar = false
/** Tells `app` that the last window is closed. */
export const windowEvents = new EventEmitter<{ 'all-closed': [] }>()

/** Outside of macOS each window has the application's menu bar above its content. */
export function setMenuBar(isThere: boolean): void {
  hasMenuBar = isThere && process.platform !== 'darwin'
  for (const window of open) window.layOutSoon()
}

/** Its pages; where each lies and whether it is seen, it says itself. */
class DoubleContentView extends DoubleView {
  readonly children: DoubleWebContentsView[] = []
  readonly #closedByUser: (view: DoubleWebContentsView) => void
  readonly #unwatch = new Map<DoubleWebContentsView, () => void>()

  constructor(closedByUser: (view: DoubleWebContentsView) => void) {
    super()
    this.#closedByUser = closedByUser
  }

  addChildView(view: DoubleWebContentsView): void {
    const { webContents } = view
    const closed = (): void => this.#closedByUser(view)
    webContents.on('closed-by-user', closed)
    this.#unwatch.set(view, () => webContents.off('closed-by-user', closed))
    this.children.push(view)
  }

  removeChildView(view: DoubleWebContentsView): void {
    this.#unwatch.get(view)?.()
    this.#unwatch.delete(view)
    const at = this.children.indexOf(view)
    if (at !== -1) this.children.splice(at, 1)
  }
}

/**
 * The one window, which is Chromium's. Chromium's is seen at once; that it was shown is told when `show` was called.
 * As on Linux, the content is laid out anew a moment after the window has changed, which `resize` does not wait for, and
 * which is told by `bounds-changed` of the content only.
 */
export class DoubleBaseWindow extends EventEmitter implements Implemented {
  readonly id = 1
  readonly #content = new DoubleContentView((view) => this.#closedByUser(view))
  /** With the frame, of which there is none. */
  #bounds: Rectangle
  #normalBounds: Rectangle
  #state: WindowState = 'normal'
  #isVisible = false
  #isDestroyed = false
  readonly #poll: NodeJS.Timeout

  constructor(options: BaseWindowConstructorOptions = {}) {
    super()
    if (open.length > 0) throw new Error('This double has one window')
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = this.#normalBounds = { x, y, width, height }
    // Without the menu bar, which is there, too, but not laid out yet.
    this.#content.setBounds({ x: 0, y: 0, width, height })
    open.push(this)
    chromium().context.on('close', this.#chromiumEnded)
    this.#setBounds({ left: x, top: y, width, height }).catch(report)
    this.layOutSoon()
    this.#poll = setInterval(() => void this.#readBounds().catch(report), boundsPollMs)
    this.#poll.unref()
  }

  static getAllWindows(): readonly DoubleBaseWindow[] {
    return [...open]
  }

  /** @throws Error once the window is closed, as all of Electron's window does */
  get contentView(): DoubleContentView {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed')
    return this.#content
  }

  getBounds(): Rectangle {
    return { ...this.#bounds }
  }

  /** As it was laid out last. */
  getContentBounds(): Rectangle {
    const { x, y, width, height } = this.#content.getBounds()
    return { x: this.#bounds.x + x, y: this.#bounds.y + y, width, height }
  }

  getNormalBounds(): Rectangle {
    return { ...this.#normalBounds }
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  isVisible(): boolean {
    return this.#isVisible
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  isFullScreen(): boolean {
    return this.#state === 'fullscreen'
  }

  show(): void {
    if (this.#isDestroyed) return
    this.#isVisible = true
    this.emit('show')
    this.focus()
  }

  /** Chromium's stays where it is: that it's hidden is told. */
  hide(): void {
    if (this.#isDestroyed || !this.#isVisible) return
    this.#isVisible = false
    this.emit('hide')
  }

  focus(): void {
    if (!this.#isDestroyed) chromium().tabs.showAgain().catch(report)
    this.emit('focus')
  }

  /** Shows it, as in Electron, if nobody has done so. */
  maximize(): void {
    this.#setState('maximized')
    if (this.#isVisible) return
    this.#isVisible = true
    this.emit('show')
  }

  unmaximize(): void {
    this.#setState('normal')
  }

  minimize(): void {
    this.#setState('minimized')
  }

  restore(): void {
    this.#setState('normal')
  }

  setFullScreen(flag: boolean): void {
    this.#setState(flag ? 'fullscreen' : 'normal')
  }

  close(): void {
    if (!this.#isPrevented()) this.destroy()
  }

  destroy(): void {
    if (!this.#isDestroyed) this.#end()
  }

  layOutSoon(): void {
    setImmediate(() => {
      const { width, height } = this.#bounds
      const y = hasMenuBar ? menuBarHeight : 0
      this.#content.setBounds({ x: 0, y, width, height: height - y })
    })
  }

  /** Whether it is to stay. */
  #isPrevented(): boolean {
    if (this.#isDestroyed) return true
    const event = new Preventable()
    this.emit('close', event)
    return event.defaultPrevented
  }

  /** Chromium asks nobody before it closes a page. One that was to stay is opened again. */
  #closedByUser({ webContents }: DoubleWebContentsView): void {
    if (this.#isDestroyed) return
    if (this.#isPrevented()) webContents.openAgain()
    else this.destroy()
  }

  /** By its user or a crash: there is nothing left that could stay. */
  readonly #chromiumEnded = (): void => {
    if (this.#isDestroyed) return
    this.#isPrevented()
    this.destroy()
  }

  #end(): void {
    this.#isDestroyed = true
    clearInterval(this.#poll)
    open.splice(open.indexOf(this), 1)
    this.emit('closed')
    if (open.length === 0) windowEvents.emit('all-closed')
  }

  #setState(windowState: WindowState): void {
    this.#changeState(windowState).catch(report)
  }

  /** Chromium takes it from one of the three into another only by way of the normal one. */
  async #changeState(windowState: WindowState): Promise<void> {
    if (windowState !== 'normal') await this.#setBounds({ windowState: 'normal' })
    await this.#setBounds({ windowState })
    await this.#readBounds()
  }

  async #setBounds(bounds: {
    readonly left?: number
    readonly top?: number
    readonly width?: number
    readonly height?: number
    readonly windowState?: WindowState
  }): Promise<void> {
    const { cdp } = chromium().tabs.any
    // Asked for each time: a page that was opened again may be in another one.
    const { windowId } = await cdp.send('Browser.getWindowForTarget')
    await cdp.send('Browser.setWindowBounds', { windowId, bounds })
  }

  async #readBounds(): Promise<void> {
    if (this.#isDestroyed || !chromium().tabs.hasAny) return
    const { bounds } = await chromium().tabs.any.cdp.send('Browser.getWindowForTarget')
    const state = bounds.windowState ?? 'normal'
    const { left: x, top: y, width, height } = bounds
    // A minimized one is as large as it was.
    if (state !== 'minimized' && x !== undefined && y !== undefined && width && height) {
      const before = this.#bounds
      this.#bounds = { x, y, width, height }
      if (state === 'normal') this.#normalBounds = this.#bounds
      if (before.width !== width || before.height !== height) {
        this.emit('resize')
        this.layOutSoon()
      }
      if (before.x !== x || before.y !== y) this.emit('move')
    }
    this.#enter(state)
  }

  #enter(state: WindowState): void {
    const before = this.#state
    if (before === state) return
    this.#state = state
    if (before === 'minimized') this.emit('restore')
    if (before === 'maximized') this.emit('unmaximize')
    if (before === 'fullscreen') this.emit('leave-full-screen')
    if (state === 'minimized') this.emit('minimize')
    if (state === 'maximized') this.emit('maximize')
    if (state === 'fullscreen') this.emit('enter-full-screen')
  }
}
