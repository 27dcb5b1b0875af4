import type { Log } from '../domain/log.ts'

/** The one thing that Slipway asks of the system's shell. */
type OpenExternal = (url: string) => Promise<void>

/** Longer addresses are no links that a page of Slipway shows. */
const longestUrl = 2048

/**
 * The only way out to other programs: plain https addresses go to the system's browser.
 *
 * Electron's `shell.openExternal` starts whatever the system has registered for a scheme, and what asks may be
 * a service's reply or a machine's output; so files and other programs' schemes are refused.
 */
export class SafeShell {
  readonly #openExternal: OpenExternal
  readonly #log: Log

  constructor(openExternal: OpenExternal, log: Log) {
    this.#openExternal = openExternal
    this.#log = log
  }

  /** Never throws. Everything is logged, with the link's origin at most: its path may hold a secret. */
  async openLink(url: string): Promise<'opened' | 'refused' | 'failed'> {
    const link = parseLink(url)
    if (link === null) {
      this.#log.warn('Refused to open what is not a plain https address')
      return 'refused'
    }
    try {
      await this.#openExternal(link.href)
      this.#log.info(`Opened a link to ${link.origin} in the browser`)
      return 'opened'
    } catch (error) {
      this.#log.error(`Could not open a link to ${link.origin}`, error)
      return 'failed'
    }
  }
}

function parseLink(url: string): URL | null {
  if (url.length > longestUrl || !URL.canParse(url)) return null
  const link = new URL(url)
  return link.protocol === 'https:' && link.username === '' && link.password === '' ? link : null
}
