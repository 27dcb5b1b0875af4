import { type Browser, chromium } from '@playwright/test'
import { findChromium } from './find-chromium.ts'

/** The system's Chromium, which asks nobody on the network for anything. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
}
