import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { launchChromium } from '../../support/launch-chromium.ts'
import './page/flood-page.ts'

const origin = 'http://terminal.localhost'

export interface TerminalBrowser {
  /** A page with a fresh terminal of the window's own. */
  readonly open: () => Promise<Page>
  /** What the page's memory holds once its garbage is gone, in MB. */
  readonly heapMb: (page: Page) => Promise<number>
  readonly close: () => Promise<void>
}

/** Builds a page around the window's terminal, and shows it in the system's Chromium. */
export async function startTerminalBrowser(): Promise<TerminalBrowser> {
  const built = await build({
    root: join(import.meta.dirname, 'page'),
    logLevel: 'warn',
    configFile: false,
    build: { write: false },
  })
  if (Array.isArray(built) || !('output' in built)) throw new Error('One build was asked for')
  const files = new Map(
    built.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' } as const
  const browser = await launchChromium()
  return {
    open: async () => {
      const page = await browser.newPage()
      await page.route('**', async (route) => {
        const path = new URL(route.request().url()).pathname.slice(1)
        const body = files.get(path)
        const [, kind = ''] = /\.(\w+)$/.exec(path) ?? []
        if (body === undefined) await route.abort()
        else
          await route.fulfill({
            body: Buffer.from(body),
            contentType: Reflect.get(types, kind) ?? 'application/octet-stream',
          })
      })
      await page.goto(`${origin}/index.html`)
      await page.evaluate(() => window.floodPage.attach())
      return page
    },
    heapMb: async (page) => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('HeapProfiler.collectGarbage')
      const { usedSize } = await cdp.send('Runtime.getHeapUsage')
      await cdp.detach()
      return usedSize / 1e6
    },
    close: () => browser.close(),
  }
}
