import { randomBytes } from 'node:crypto'
import type { Chromium } from './chromium.ts'
import { PageServer } from './page-server.ts'
import { PortLink } from './port-link.ts'

// What the parts of the double share: one process is one app with one browser.

export const link = new PortLink(() => randomBytes(32).toString('hex'))
export const pageServer = new PageServer(link)

let running: Chromium | null = null

export function setChromium(chromium: Chromium): void {
  running = chromium
}

/** @throws Error before the app is ready, when Electron has no windows and screens either */
export function chromium(): Chromium {
  if (running === null) throw new Error('Cannot be used before the app is ready')
  return running
}

/** Says what is wrong with the double itself, where a developer looks. */
export function report(error: unknown): void {
  process.stderr.write(
    `electron-on-chromium: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
}
