import { nativeTheme, WebContentsView, type BaseWindow, type WebContents } from 'electron'

/**
 * The pages in a window. Each fills it, whether it is seen or not: one that is hidden is as large as the window when it
 * is shown.
 */
export class PageViews {
  readonly #window: BaseWindow
  readonly #preload: string
  /** With the contents of each, which its view does not tell any more once they are destroyed. */
  readonly #views = new Map<WebContentsView, WebContents>()

  /** @param preload the built preload script */
  constructor(window: BaseWindow, preload: string) {
    this.#window = window
    this.#preload = preload
    const fill = (): void => this.#fill()
    // Only the content itself tells when it was laid out: the menu bar takes its room without a `resize`, and on Linux
    // `resize` comes before the content has the size of a window that was maximized.
    window.contentView.on('bounds-changed', fill)
    window.on('show', fill)
    window.on('maximize', fill)
    window.on('unmaximize', fill)
    window.on('enter-full-screen', fill)
    window.on('leave-full-screen', fill)
    // Electron leaves it to us: a page would outlive its window.
    window.once('closed', () => {
      for (const contents of [...this.#views.values()]) contents.close()
    })
  }

  /** Makes a page, still empty and unseen. */
  add(): WebContentsView {
    const view = new WebContentsView({
      webPreferences: {
        preload: this.#preload,
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
        // parsing: what they have not taken holds up the programs on the machines. Every page is `visible` to
        // Chromium then; whether it is seen, main tells it (contract/workbench.ts).
        backgroundThrottling: false,
      },
    })
    const contents = view.webContents
    // WebRTC is not under the page's policy: it would send packets to whatever address the page names.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
    // Seen for a moment before the first paint.
    view.setBackgroundColor(backgroundColor())
    view.setVisible(false)
    this.#window.contentView.addChildView(view)
    this.#views.set(view, contents)
    contents.once('destroyed', () => this.#views.delete(view))
    this.#fill()
    return view
  }

  /** Takes a page out of the window and ends it. Does nothing when it has ended, or the window has. */
  remove(view: WebContentsView): void {
    const contents = this.#views.get(view)
    if (contents === undefined || this.#window.isDestroyed()) return
    this.#views.delete(view)
    this.#window.contentView.removeChildView(view)
    contents.close()
  }

  #fill(): void {
    if (this.#window.isDestroyed()) return
    // As the content was laid out, which the window's own bounds are ahead of.
    const { width, height } = this.#window.contentView.getBounds()
    for (const view of this.#views.keys()) view.setBounds({ x: 0, y: 0, width, height })
  }
}

/** What is seen before a page has painted. */
export function backgroundColor(): string {
  return nativeTheme.shouldUseDarkColors ? '#18181b' : '#ffffff'
}
