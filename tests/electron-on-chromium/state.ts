import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
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

let dataFolder: (() => string) | null = null

/** @param folder the app's data folder, which may be another one later */
export function keepDataIn(folder: () => string): void {
  dataFolder = folder
}

/** A file of the double's own in the app's data folder, for tests to read. */
export function dataFile(name: string): string {
  if (dataFolder === null) throw new Error('There is no app yet')
  return join(dataFolder(), name)
}

/** Says what is wrong with the double itself, where a developer looks. */
export function report(error: unknown): void {
  process.stderr.write(
    `electron-on-chromium: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
}
