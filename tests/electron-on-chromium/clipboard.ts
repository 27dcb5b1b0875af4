import type Electron from 'electron'
import { chromium, report } from './state.ts'

type Payload = ConstructorParameters<typeof Electron.ClipboardItem>[0]

/** What is written; formats of one system only are taken and not kept. */
export class DoubleClipboardItem {
  readonly types: string[]
  readonly #items: Payload

  constructor(items: Payload) {
    this.#items = items
    this.types = Object.keys(items)
  }

  async text(): Promise<string> {
    const text = await this.#items['text/plain']
    if (typeof text !== 'string') throw new Error('The double copies text only')
    return text
  }
}

/** Chromium's own clipboard, by way of the page: what main copies can be pasted there, and the other way round. */
export const clipboard = {
  clear: () => {
    clipboard.writeText('').catch(report)
  },
  readText: async () => {
    const { page } = chromium().tabs.any
    // The browser, and its clipboard, is gone before main.
    if (page.isClosed()) return ''
    await setReading('granted')
    try {
      return await page.evaluate(() => navigator.clipboard.readText())
    } finally {
      await setReading('denied')
    }
  },
  write: async (items: readonly DoubleClipboardItem[]) => {
    for (const item of items) await clipboard.writeText(await item.text())
  },
  writeText: async (text) => {
    const { page } = chromium().tabs.any
    if (!page.isClosed()) await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  },
} satisfies Pick<Electron.Clipboard, 'clear' | 'readText' | 'writeText'> & { write: unknown }

/** The page itself may not read it: it is allowed for the moment in which main does. */
async function setReading(setting: 'granted' | 'denied'): Promise<void> {
  const { cdp, page } = chromium().tabs.any
  const { origin } = new URL(page.url())
  await cdp.send('Browser.setPermission', { permission: { name: 'clipboard-read' }, setting, origin })
}
