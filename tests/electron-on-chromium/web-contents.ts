import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { CDPSession } from 'playwright-core'
import type { WebContents } from 'electron'
import { isolatedWorldScript } from './isolated-world.ts'
import { refuseNewPages, watchNavigation } from './navigation.ts'
import type { PostedMessage } from './port-link.ts'
import { defaultSession } from './session.ts'
import { chromium, link, linkToken, pageServer, report } from './state.ts'

export type WindowOpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0]

/** The page of the one window. */
export class DoubleWebContents
  extends EventEmitter
  implements Pick<WebContents, 'getURL' | 'isDestroyed' | 'loadURL' | 'reload' | 'setWindowOpenHandler'>
{
  readonly id = 1
  readonly ipc = new EventEmitter()
  readonly session = defaultSession
  readonly #cdp: CDPSession = chromium().cdp
  readonly #ready: Promise<void>
  #windowOpenHandler: WindowOpenHandler = () => ({ action: 'allow' })
  #url = ''
  #isDestroyed = false

  constructor(preload: string | undefined) {
    super()
    this.#ready = this.#prepare(preload)
    this.#ready.catch(report)
    link.on('posted', (message) => {
      this.#deliver(message).catch(report)
    })
    chromium().page.on('crash', () => {
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
    })
  }

  async loadURL(url: string): Promise<void> {
    await this.#ready
    const address = pageServer.toChromium(url)
    if (address !== url) await defaultSession.applyPermissions(originOf(url), new URL(address).origin)
    await chromium().page.goto(address, { waitUntil: 'load' })
    this.emit('did-finish-load')
  }

  reload(): void {
    this.#cdp.send('Page.reload').catch(report)
  }

  getURL(): string {
    return this.#url
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler
  }

  /** Called by the window when it is closed. */
  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.emit('destroyed')
  }

  async #prepare(preload: string | undefined): Promise<void> {
    await this.#cdp.send('Page.enable')
    if (preload !== undefined)
      await this.#cdp.send('Page.addScriptToEvaluateOnNewDocument', {
        source: isolatedWorldScript(readFileSync(preload, 'utf8'), {
          url: pageServer.socketUrl,
          token: linkToken,
        }),
        worldName: 'electron-isolated',
      })
    await watchNavigation(this.#cdp, {
      toMain: (url) => pageServer.toMain(url),
      emit: (name, event) => this.emit(name, event, event.url),
      navigated: (url) => {
        this.#url = url
        this.emit('did-navigate', {}, url)
      },
      windowOpened: (url) => this.#askToOpen(url),
    })
    refuseNewPages(chromium())
  }

  #askToOpen(url: string): void {
    const { action } = this.#windowOpenHandler({
      url,
      frameName: '',
      features: '',
      disposition: 'foreground-tab',
      referrer: { url: '', policy: 'no-referrer' },
    })
    if (action === 'allow') report(new Error('This double has one window: none was opened'))
  }

  async #deliver({ channel, message, ports, origin }: PostedMessage): Promise<void> {
    // The socket of a new document may be ahead of the news that the old one is gone: whatever Chromium has
    // said until now is told first.
    await this.#cdp.send('Page.getFrameTree')
    if (this.#isDestroyed) return
    const senderFrame = { origin: pageServer.toMain(origin), parent: null, url: this.#url }
    this.ipc.emit(channel, { sender: this, senderFrame, ports, frameId: 1, processId: 1 }, message)
  }
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
