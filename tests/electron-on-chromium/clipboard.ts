import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { chromium, report } from './state.ts'

type Payload = ConstructorParameters<typeof Electron.ClipboardItem>[0]

/** How a format of one system is named for Electron. */
const rawFormat = /^electron application\/osclipboard;format="(?<name>.+)"$/

/** What is written. */
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

  /** The formats of one system. @throws Error for what the double does not know */
  async raw(): Promise<Record<string, string>> {
    const raw: Record<string, string> = {}
    for (const [type, item] of Object.entries(this.#items)) {
      const name = rawFormat.exec(type)?.groups?.['name']
      if (name === undefined) {
        if (type !== 'text/plain') throw new Error(`The double knows no ${type}`)
        continue
      }
      const value = await item
      if (typeof value !== 'string') throw new Error('The double copies text only')
      raw[name] = value
    }
    return raw
  }
}

/**
 * Chromium's own clipboard, by way of the page: what main copies can be pasted there, and the other way round. The
 * formats of one system, which a page does not see, are `clipboard-formats.json` in the data folder. While there is a
 * file `clipboard-hangs`, whoever owns the clipboard does not answer.
 */
export const clipboard = {
  clear: () => {
    keepRaw({})
    clipboard.writeText('').catch(report)
  },
  readText: async () => {
    if (existsSync(join(app.getPath('userData'), 'clipboard-hangs'))) await new Promise(() => undefined)
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
    for (const item of items) {
      await clipboard.writeText(await item.text())
      keepRaw(await item.raw())
    }
  },
  writeText: async (text) => {
    const { page } = chromium().tabs.any
    if (!page.isClosed()) await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  },
} satisfies Pick<Electron.Clipboard, 'clear' | 'readText' | 'writeText'> & { write: unknown }

function keepRaw(raw: Readonly<Record<string, string>>): void {
  writeFileSync(join(app.getPath('userData'), 'clipboard-formats.json'), JSON.stringify(raw))
}

/** The page itself may not read it: it is allowed for the moment in which main does. */
async function setReading(setting: 'granted' | 'denied'): Promise<void> {
  const { cdp, page } = chromium().tabs.any
  const { origin } = new URL(page.url())
  await cdp.send('Browser.setPermission', { permission: { name: 'clipboard-read' }, setting, origin })
}
