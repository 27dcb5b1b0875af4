import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rectangle } from 'electron'
import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '../support/find-chromium.ts'
import { Tabs } from './tabs.ts'

/** The running browser and its pages. */
export interface Chromium {
  readonly context: BrowserContext
  readonly tabs: Tabs
  /** Of the display that its window is on. */
  readonly workArea: Rectangle
}

/** What to connect a second client to, written to `cdp.json` in the data folder when SLIPWAY_CDP_PORT is set. */
export interface CdpFile {
  readonly url: string
  /** Of the pages that are this app's: a browser that several share has others, too. */
  readonly origin: string
}

/** A browser that was killed may need a moment until its profile is free again. */
const launchAttempts = 4

/**
 * Starts Chromium with a profile in the data folder, or takes pages of its own in the one that runs at SLIPWAY_BROWSER.
 *
 * @param origin of the pages, as Chromium has it
 */
export async function launchChromium(
  userData: string,
  { origin, report }: { readonly origin: string; readonly report: (error: unknown) => void },
): Promise<Chromium> {
  const cdpPort = process.env['SLIPWAY_CDP_PORT']
  const shared = process.env['SLIPWAY_BROWSER']
  rmSync(join(userData, 'cdp.json'), { force: true })
  const { context, url } = shared
    ? { context: await joinBrowser(shared), url: shared }
    : await startBrowser(join(userData, 'chromium'), {
        headless: process.env['SLIPWAY_HEADLESS'] === '1' || !process.env['DISPLAY'],
        cdpPort,
      })
  const page = context.pages()[0] ?? (await context.newPage())
  const cdp = await context.newCDPSession(page)
  if (url !== null) {
    const file: CdpFile = { url, origin }
    writeFileSync(join(userData, 'cdp.json'), `${JSON.stringify(file)}\n`)
  }
  const workArea = await page.evaluate(() => ({
    x: 0,
    y: 0,
    width: screen.availWidth,
    height: screen.availHeight,
  }))
  return { context, tabs: new Tabs(context, { page, cdp }, report), workArea }
}

// The page is to see the system as it is, not what Playwright would put in its place.
const asItIs = {
  viewport: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
  acceptDownloads: false,
} as const

/** What is of this app in it goes when this process ends, however it ends. */
async function joinBrowser(url: string): Promise<BrowserContext> {
  const browser = await chromium.connectOverCDP(url)
  return browser.newContext(asItIs)
}

/**
 * It is driven through a pipe, and it ends when that pipe does: whichever way this process ends, no browser is left behind.
 *
 * @param cdpPort of its debugging port, whose address is then `url`; none without it
 */
export async function startBrowser(
  profile: string,
  { headless, cdpPort }: { readonly headless: boolean; readonly cdpPort: string | undefined },
): Promise<{ readonly context: BrowserContext; readonly url: string | null }> {
  rmSync(join(profile, 'DevToolsActivePort'), { force: true })
  const context = await launch(profile, headless, cdpPort)
  return { context, url: cdpPort === undefined ? null : await debuggingAddress(profile) }
}

async function launch(
  profile: string,
  headless: boolean,
  cdpPort: string | undefined,
): Promise<BrowserContext> {
  const executablePath = findChromium()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chromium.launchPersistentContext(profile, {
        executablePath,
        headless,
        // Chromium's own sandbox does not work for root.
        chromiumSandbox: process.getuid?.() !== 0,
        ...asItIs,
        // How this process ends is decided by `app`.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        args: [
          '--app=about:blank',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          // The isolated world learns from it that the page has closed a port, as Electron's main does.
          '--enable-blink-features=MessagePortCloseEvent',
          // Of every page: it cannot be set for one (web-contents.ts).
          '--webrtc-ip-handling-policy=disable_non_proxied_udp',
          // Chromium reaches this machine and nothing else, even if a page got past every other rule.
          '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
          ...(headless ? ['--screen-info={1600x1000}'] : []),
          ...(cdpPort === undefined
            ? []
            : [
                `--remote-debugging-port=${cdpPort}`,
                // A heap snapshot that a test searches for secrets has texts as long as they are.
                '--js-flags=--heap-snapshot-string-limit=1000000000',
              ]),
        ],
      })
    } catch (error) {
      if (attempt === launchAttempts) throw error
      await sleep(500 * attempt)
    }
  }
}

async function debuggingAddress(profile: string): Promise<string> {
  const active = join(profile, 'DevToolsActivePort')
  for (;;) {
    const [port, ...more] = existsSync(active) ? readFileSync(active, 'utf8').split('\n') : []
    // Before the first line's end it's being written.
    if (more.length > 0) return `http://127.0.0.1:${port}`
    await sleep(20)
  }
}
