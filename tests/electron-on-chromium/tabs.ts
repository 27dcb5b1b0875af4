import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** A page of Chromium's, with a line to it. */
export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
}

/** The pages of the one window: one for each WebContents. Whatever else opens is closed before it shows anything. */
export class Tabs {
  readonly #context: BrowserContext
  readonly #open: Tab[]
  readonly #own = new Set<Page>()
  #shown: Tab | null = null
  #isFirstFree = true
  #opening: Promise<unknown> = Promise.resolve()

  constructor(context: BrowserContext, first: Tab, report: (error: unknown) => void) {
    this.#context = context
    this.#open = [first]
    this.#own.add(first.page)
    context.on('page', (opened) => {
      // One of ours is told of before it is known as such.
      this.#opening.then(() => (this.#own.has(opened) ? undefined : opened.close())).catch(report)
    })
  }

  /** Not in the moment in which the last one was closed by the user, and none was opened again. */
  get hasAny(): boolean {
    return this.#open.length > 0
  }

  /** The one that was shown last: it stands for the browser as a whole. */
  get any(): Tab {
    const tab = this.#open.find((one) => one === this.#shown) ?? this.#open[0]
    if (tab === undefined) throw new Error('Chromium has no page')
    return tab
  }

  /** The page that Chromium began with, and then new ones. */
  take(): Promise<Tab> {
    if (this.#isFirstFree) {
      this.#isFirstFree = false
      return Promise.resolve(this.any)
    }
    const opened = this.#opening.then(() => this.#make())
    this.#opening = opened.catch(() => undefined) // its caller gets the error
    return opened
  }

  async showAgain(): Promise<void> {
    if (this.hasAny) await this.show(this.any)
  }

  async show(tab: Tab): Promise<void> {
    this.#shown = tab
    if (!tab.page.isClosed()) await tab.page.bringToFront()
  }

  /** Not the last one: Chromium would end with it, and when that is, `app` decides. */
  async close(tab: Tab): Promise<void> {
    if (this.#open.length === 1) return
    this.forget(tab)
    await tab.page.close()
  }

  /** It was closed, and not by `close`. */
  forget(tab: Tab): void {
    const at = this.#open.indexOf(tab)
    if (at !== -1) this.#open.splice(at, 1)
  }

  async #make(): Promise<Tab> {
    const page = await this.#context.newPage()
    this.#own.add(page)
    const tab = { page, cdp: await this.#context.newCDPSession(page) }
    this.#open.push(tab)
    return tab
  }
}
