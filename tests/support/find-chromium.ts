import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The system's Chromium, or the one that SLIPWAY_CHROMIUM names. @throws Error when there is none */
export function findChromium(): string {
  const path = process.env['SLIPWAY_CHROMIUM'] ?? places.find((place) => existsSync(place))
  if (path === undefined) throw new Error(`No Chromium at ${places.join(', ')}`)
  return path
}
