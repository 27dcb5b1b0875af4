import { editorNames, isEditorLink, type Editor } from '../domain/instances/editor-link.ts'
import type { Log } from '../domain/base/log.ts'

/** What became of a link. */
export type Opened = 'opened' | 'refused' | 'failed'

/** The one thing that Slipway asks of the system's shell. */
type OpenExternal = (url: string) => Promise<void>

/** Longer addresses are no links that a page of Slipway shows. */
const longestUrl = 2048

/**
 * The only way out to other programs: plain https addresses go to the system's browser, and once the user has
 * asked for it, http addresses and ports of rented machines to the browser and machines to editors.
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
  async openLink(url: string): Promise<Opened> {
    const link = parseLink(url)
    return link === null
      ? this.#refuse('what is not a plain https address')
      : this.#open(link.href, `a link to ${link.origin}`)
  }

  /** An http address that the user saw in full and agreed to. Never throws. */
  readonly openPlainLink = async (url: string): Promise<Opened> => {
    const link = parseLink(url, 'http:')
    return link === null
      ? this.#refuse('what is not a plain http address')
      : this.#open(link.href, `a link to ${link.origin}`)
  }

  /**
   * A port of a rented machine, which speaks https with a certificate that nobody knows, or plain http: the
   * user was asked. Nothing but scheme, host and port; or, for one that was forwarded to this computer, a plain
   * path, which is not logged. A token is not among what it has: other users of the computer read the arguments of
   * the program that opens it. Never throws.
   */
  readonly openPort = async (url: string): Promise<Opened> =>
    isPortAddress(url) || isForwardedPath(url)
      ? this.#open(url, `the port ${new URL(url).origin}`)
      : this.#refuse('what is not the address of a port')

  /** A folder of an instance in an editor, and nothing else of the editor. Never throws. */
  readonly openEditor = async (editor: Editor, link: string): Promise<Opened> =>
    isEditorLink(editor, link)
      ? this.#open(link, editorNames[editor])
      : this.#refuse(`what is not a link to a machine in ${editorNames[editor]}`)

  #refuse(what: string): Opened {
    this.#log.warn(`Refused to open ${what}`)
    return 'refused'
  }

  async #open(url: string, what: string): Promise<Opened> {
    try {
      await this.#openExternal(url)
      this.#log.info(`Opened ${what}`)
      return 'opened'
    } catch (error) {
      this.#log.error(`Could not open ${what}`, error)
      return 'failed'
    }
  }
}

function isPortAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  // A port that is the scheme's own is left out of `host`, but not of the address as it is made here.
  const plain = [`${protocol}//${host}/`, `${protocol}//${host}:${protocol === 'http:' ? 80 : 443}/`]
  return username === '' && password === '' && plain.includes(url)
}

/** On this computer's own loopback: over any other way it could be read on the way. */
function isForwardedPath(url: string): boolean {
  const plain = /^https?:\/\/127(?:\.\d{1,3}){3}:\d{1,5}\/(?:[\w~-][\w.~-]*\/)*(?:[\w~-][\w.~-]*)?$/
  return url.length <= longestUrl && plain.test(url) && URL.canParse(url)
}

function parseLink(url: string, scheme: 'http:' | 'https:' = 'https:'): URL | null {
  if (url.length > longestUrl || !URL.canParse(url)) return null
  const link = new URL(url)
  return link.protocol === scheme && link.username === '' && link.password === '' ? link : null
}
