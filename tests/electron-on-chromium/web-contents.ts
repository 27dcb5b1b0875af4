import { EventEmitter, once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import type { WebContents } from 'electron'
import { isolatedWorld, withPaths } from './dropped-paths.ts'
import { type DoubleFrame, Frames } from './frames.ts'
import { isolatedWorldScript } from './isolated-world.ts'
import { watchNavigation } from './navigation.ts'
import type { PostedMessage } from './port-link.ts'
import { defaultSession } from './session.ts'
import { chromium, dataFile, link, pageServer, report } from './state.ts'
import type { Tab } from './tabs.ts'

export type WindowOpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0]

let lastId = 0

/** A page in the one window. */
export class DoubleWebContents
  extends EventEmitter
  implements
    Pick<
      WebContents,
      | 'close'
      | 'copy'
      | 'cut'
      | 'focus'
      | 'getURL'
      | 'isDestroyed'
      | 'loadURL'
      | 'paste'
      | 'reload'
      | 'selectAll'
      | 'setWebRTCIPHandlingPolicy'
      | 'setWindowOpenHandler'
      | 'undo'
    >
{
  readonly id = ++lastId
  readonly ipc = new EventEmitter()
  readonly session = defaultSession
  readonly #preload: string | undefined
  readonly #frames = new Frames()
  /** Once it runs what is to run in it. */
  #ready: Promise<Tab>
  #pressed = Promise.resolve()
  #windowOpenHandler: WindowOpenHandler = () => ({ action: 'allow' })
  #url = ''
  /** A document has come whose load has not ended yet. */
  #isLoading = false
  #isClosing = false
  #isDestroyed = false

  constructor(preload: string | undefined) {
    super()
    this.#preload = preload
    this.#ready = this.#prepare()
    this.#ready.catch(report)
  }

  async loadURL(url: string): Promise<void> {
    const { page } = await this.#ready
    const address = pageServer.toChromium(url)
    if (address !== url) await defaultSession.applyPermissions(originOf(url), new URL(address).origin)
    await page.goto(address, { waitUntil: 'load' })
  }

  /** After Chromium has closed it, and it was to stay: what it showed is loaded anew. */
  openAgain(): void {
    this.#ready = this.#prepare()
    const loaded = this.#url === '' ? this.#ready : this.loadURL(this.#url)
    loaded.catch(report)
  }

  /** Not before the document that is coming is there: Chromium tells of it first, and loses a reload that meets it. */
  reload(): void {
    const load = async (): Promise<void> => {
      const { cdp } = await this.#ready
      if (this.#isLoading) {
        const over = new AbortController()
        const { signal } = over
        await Promise.race([
          once(this, 'did-finish-load', { signal }),
          once(this, 'render-process-gone', { signal }),
        ])
        over.abort()
      }
      await cdp.send('Page.reload')
    }
    load().catch(report)
  }

  get mainFrame(): DoubleFrame {
    return this.#frames.main
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

  /** Chromium has one policy for all pages, from its start on: the strictest. What is asked for is written down. */
  setWebRTCIPHandlingPolicy(policy: Parameters<WebContents['setWebRTCIPHandlingPolicy']>[0]): void {
    appendFileSync(dataFile('webrtc-policies.txt'), `${policy}\n`)
  }

  /** Its page is the one that is seen. */
  focus(): void {
    this.#ready.then((tab) => chromium().tabs.show(tab)).catch(report)
  }

  undo(): void {
    this.#press('Z')
  }

  cut(): void {
    this.#press('X')
  }

  copy(): void {
    this.#press('C')
  }

  paste(): void {
    this.#press('V')
  }

  selectAll(): void {
    this.#press('A')
  }

  /** As in Electron, it is destroyed a moment later. */
  close(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#ready.then((tab) => chromium().tabs.close(tab)).catch(report)
    setImmediate(() => {
      this.#isDestroyed = true
      this.emit('destroyed')
    })
  }

  /** As the keys do it, in what has the keyboard; one after the other, or Control is up when the next one comes. */
  #press(key: string): void {
    const pressed = this.#pressed.then(async () => (await this.#ready).page.keyboard.press(`Control+${key}`))
    this.#pressed = pressed.catch(report)
  }

  async #prepare(): Promise<Tab> {
    const tab = await chromium().tabs.take()
    const { page, cdp } = tab
    // Not the page's own event, which comes once in its life.
    cdp.on('Inspector.targetCrashed', () => {
      this.#isLoading = false
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
    })
    page.on('close', () => {
      chromium().tabs.forget(tab)
      if (!this.#isClosing) this.emit('closed-by-user')
    })
    cdp.on('Page.loadEventFired', () => {
      this.#isLoading = false
      this.emit('did-finish-load')
    })
    await cdp.send('Page.enable')
    await cdp.send('Inspector.enable')
    if (this.#preload !== undefined) {
      const token = link.admit({
        posted: (message) => void this.#deliver(message).catch(report),
        contextMenu: (click) => this.emit('context-menu', {}, click),
      })
      await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
        source: isolatedWorldScript(readFileSync(this.#preload, 'utf8'), {
          url: pageServer.socketUrl,
          largeUrl: pageServer.largeUrl,
          token,
        }),
        worldName: isolatedWorld,
      })
    }
    await watchNavigation(cdp, {
      toMain: (url) => pageServer.toMain(url),
      emit: (name, event) => this.emit(name, event, event.url),
      navigated: (url, status, document) => {
        this.#url = url
        this.#isLoading = true
        this.#frames.navigated(document, originOf(url), url)
        this.emit('did-navigate', {}, url, status, '')
      },
      // Chromium's own reason is about a server that Electron has not.
      failed: (url) => this.emit('did-fail-load', {}, -2, 'ERR_FAILED', url, true, 1, 1),
      windowOpened: (url) => this.#askToOpen(url),
    })
    return tab
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

  async #deliver({ channel, message, ports, document }: PostedMessage): Promise<void> {
    // The socket of a new document may be ahead of the news that the old one is gone.
    await this.#frames.heardOf(document)
    const { cdp } = await this.#ready
    const told = await withPaths(cdp, message)
    if (this.#isDestroyed) return
    const findFrame = this.#frames.senderFrame(document)
    const event = { sender: this, ports, frameId: 1, processId: 1 }
    this.ipc.emit(channel, Object.defineProperty(event, 'senderFrame', { get: findFrame }), told)
  }
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
