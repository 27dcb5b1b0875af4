import { EventEmitter } from 'node:events'
import type { BaseWindow, BaseWindowConstructorOptions, Rectangle } from 'electron'
import { Preventable } from './prevention.ts'
import { chromium, report } from './state.ts'
import type { DoubleWebContentsView } from './web-contents-view.ts'

type Implemented = Pick<
  BaseWindow,
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'getContentBounds'
  | 'getNormalBounds'
  | 'isDestroyed'
  | 'isMaximized'
  | 'isMinimized'
  | 'maximize'
  | 'restore'
  | 'show'
>

/** Chromium tells nobody that its window was moved, so it is asked. */
const boundsPollMs = 1000

const open: DoubleBaseWindow[] = []
/** Tells `app` that the last window is closed. */
export const windowEvents = new EventEmitter<{ 'all-closed': [] }>()

/** The one window, which is Chromium's. It is shown at once: `show: false` is not honoured. */
export class DoubleBaseWindow extends EventEmitter implements Implemented {
  readonly id = 1
  readonly #views = new Set<DoubleWebContentsView>()
  /** One view lies upon another; which is seen, each says itself. */
  readonly contentView = {
    addChildView: (view: DoubleWebContentsView): void => {
      this.#views.add(view)
      view.webContents.once('closed-by-user', this.#closed)
    },
    removeChildView: (view: DoubleWebContentsView): void => {
      this.#views.delete(view)
      view.webContents.off('closed-by-user', this.#closed)
    },
  }
  #bounds: Rectangle
  #state: 'normal' | 'maximized' | 'minimized' | 'fullscreen' = 'normal'
  #windowId: number | null = null
  #isDestroyed = false
  readonly #poll: NodeJS.Timeout

  constructor(options: BaseWindowConstructorOptions = {}) {
    super()
    if (open.length > 0) throw new Error('This double has one window')
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    open.push(this)
    chromium().context.on('close', this.#closed)
    this.#place().catch(report)
    this.#poll = setInterval(() => void this.#readBounds().catch(report), boundsPollMs)
    this.#poll.unref()
  }

  static getAllWindows(): readonly DoubleBaseWindow[] {
    return [...open]
  }

  getBounds(): Rectangle {
    return { ...this.#bounds }
  }

  getContentBounds(): Rectangle {
    return { ...this.#bounds }
  }

  getNormalBounds(): Rectangle {
    return { ...this.#bounds }
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  show(): void {
    this.focus()
  }

  focus(): void {
    if (!this.#isDestroyed) chromium().tabs.show(chromium().tabs.any).catch(report)
    this.emit('focus')
  }

  maximize(): void {
    this.#setState('maximized')
  }

  restore(): void {
    this.#setState('normal')
  }

  close(): void {
    if (this.#isDestroyed) return
    const event = new Preventable()
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  destroy(): void {
    if (!this.#isDestroyed) this.#end()
  }

  /** By the user, so that `close` has not been told yet. */
  readonly #closed = (): void => {
    if (this.#isDestroyed) return
    this.emit('close', new Preventable())
    this.#end()
  }

  #end(): void {
    this.#isDestroyed = true
    clearInterval(this.#poll)
    open.splice(open.indexOf(this), 1)
    this.emit('closed')
    if (open.length === 0) windowEvents.emit('all-closed')
  }

  #setState(windowState: 'normal' | 'maximized'): void {
    this.#state = windowState
    this.#setBounds({ windowState }).catch(report)
  }

  async #place(): Promise<void> {
    const { x: left, y: top, width, height } = this.#bounds
    await this.#setBounds({ left, top, width, height })
  }

  async #setBounds(bounds: Parameters<typeof setWindowBounds>[1]): Promise<void> {
    await setWindowBounds(await this.#findWindow(), bounds)
  }

  async #findWindow(): Promise<number> {
    this.#windowId ??= (await chromium().tabs.any.cdp.send('Browser.getWindowForTarget')).windowId
    return this.#windowId
  }

  async #readBounds(): Promise<void> {
    if (this.#isDestroyed) return
    const { bounds } = await chromium().tabs.any.cdp.send('Browser.getWindowForTarget')
    this.#state = bounds.windowState ?? 'normal'
    const { left: x, top: y, width, height } = bounds
    if (this.#state !== 'normal' || x === undefined || y === undefined || !width || !height) return
    const before = this.#bounds
    this.#bounds = { x, y, width, height }
    if (before.width !== width || before.height !== height) this.emit('resize')
    if (before.x !== x || before.y !== y) this.emit('move')
  }
}

interface WindowBounds {
  readonly left?: number
  readonly top?: number
  readonly width?: number
  readonly height?: number
  readonly windowState?: 'normal' | 'maximized'
}

async function setWindowBounds(windowId: number, bounds: WindowBounds): Promise<void> {
  await chromium().tabs.any.cdp.send('Browser.setWindowBounds', { windowId, bounds })
}
