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
}

/** A browser that was killed may need a moment until its profile is free again. */
const launchAttempts = 4

/**
 * Starts Chromium with a profile in the data folder. It is driven through a pipe, and it ends when that pipe
 * does: whichever way this process ends, no browser is left behind.
 */
export async function launchChromium(userData: string, report: (error: unknown) => void): Promise<Chromium> {
  const isHeadless = process.env['SLIPWAY_HEADLESS'] === '1' || !process.env['DISPLAY']
  const profile = join(userData, 'chromium')
  const cdpPort = process.env['SLIPWAY_CDP_PORT']
  rmSync(join(userData, 'cdp.json'), { force: true })
  rmSync(join(profile, 'DevToolsActivePort'), { force: true })

  const context = await launch(profile, isHeadless, cdpPort)
  const page = context.pages()[0] ?? (await context.newPage())
  const cdp = await context.newCDPSession(page)
  if (cdpPort !== undefined) await writeCdpFile(userData, profile)
  const workArea = await page.evaluate(() => ({
    x: 0,
    y: 0,
    width: screen.availWidth,
    height: screen.availHeight,
  }))
  return { context, tabs: new Tabs(context, { page, cdp }, report), workArea }
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
        // The page is to see the system as it is, not what Playwright would put in its place.
        viewport: null,
        colorScheme: null,
        reducedMotion: null,
        forcedColors: null,
        contrast: null,
        acceptDownloads: false,
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

async function writeCdpFile(userData: string, profile: string): Promise<void> {
  const active = join(profile, 'DevToolsActivePort')
  while (!existsSync(active)) await sleep(20)
  const [port] = readFileSync(active, 'utf8').split('\n')
  const file: CdpFile = { url: `http://127.0.0.1:${port}` }
  writeFileSync(join(userData, 'cdp.json'), `${JSON.stringify(file)}\n`)
}
