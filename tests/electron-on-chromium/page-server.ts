import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CustomScheme, Protocol } from 'electron'
import type { PortLink } from './port-link.ts'

type SchemeHandler = Parameters<Protocol['handle']>[1]

/** No page of Slipway's has a path like it. */
const largePath = '/ports/large/'

/**
 * `protocol`: what is handled for a scheme of the app's own is served over HTTP on the loopback, because
 * Chromium knows no other schemes. Addresses are translated both ways, so main sees its scheme only.
 *
 * The headers are the handler's own, with one addition: the policy's connect-src also names the socket of the
 * isolated world and where it fetches large messages, because it is bound by it as the page is.
 */
export class PageServer {
  readonly #link: PortLink
  readonly #handlers = new Map<string, SchemeHandler>()
  readonly #standardSchemes = new Set<string>()
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => {
      process.stderr.write(`electron-on-chromium: ${String(error)}\n`)
      // A network error: over a connection that only ended, Chromium would ask a second time.
      request.socket.end('This is not HTTP\r\n\r\n')
    })
  })
  #origins: { readonly loopback: string; readonly own: string } | null = null
  #port = 0
  #lastDocument = 0

  constructor(link: PortLink) {
    this.#link = link
  }

  registerSchemes(schemes: readonly CustomScheme[]): void {
    for (const { scheme, privileges } of schemes)
      if (privileges?.standard && privileges.secure) this.#standardSchemes.add(`${scheme}:`)
  }

  handle(scheme: string, handler: SchemeHandler): void {
    if (this.#handlers.has(`${scheme}:`)) throw new Error(`${scheme} is handled already`)
    this.#handlers.set(`${scheme}:`, handler)
  }

  async listen(): Promise<void> {
    this.#server.on('upgrade', (request, socket, head) => this.#link.upgrade(request, socket, head))
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    this.#port = portOf(this.#server.address())
  }

  close(): void {
    this.#link.close()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  get socketUrl(): string {
    return `ws://127.0.0.1:${this.#port}/ports`
  }

  /** The name of a large message belongs behind it. */
  get largeUrl(): string {
    return `${this.origin}${largePath}`
  }

  /** Of its pages, as Chromium has it. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** The address that Chromium is given for one of main's. */
  toChromium(url: string): string {
    const { protocol, host, pathname, search, hash } = new URL(url)
    if (!this.#handlers.has(protocol)) return url
    // Without these two privileges such an address has no origin of its own, and the page would not work.
    if (!this.#standardSchemes.has(protocol))
      throw new Error(`${protocol} is not registered as standard and secure`)
    const loopback = this.origin
    this.#origins = { loopback, own: `${protocol}//${host}` }
    return `${loopback}${pathname}${search}${hash}`
  }

  /** The address that main is told for one of Chromium's. */
  toMain(url: string): string {
    if (this.#origins === null) return url
    const { loopback, own } = this.#origins
    return url === loopback || url.startsWith(`${loopback}/`) ? own + url.slice(loopback.length) : url
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    // Chromium asks by itself; Electron does not.
    if (
      this.#origins === null ||
      path === '/favicon.ico' ||
      request.headers.host !== `127.0.0.1:${this.#port}`
    ) {
      response.writeHead(204).end()
      return
    }
    if (path.startsWith(largePath)) {
      this.#link.answer(path.slice(largePath.length), response)
      return
    }
    const { own } = this.#origins
    const handler = this.#handlers.get(new URL(own).protocol)
    if (handler === undefined) throw new Error(`Nothing handles ${own}`)
    const answer = await handler(new Request(own + path, { method: request.method ?? 'GET' }))
    const headers = Object.fromEntries(answer.headers)
    const policy = headers['content-security-policy']
    if (policy !== undefined)
      headers['content-security-policy'] = allowConnection(policy, `${this.socketUrl} ${this.largeUrl}`)
    headers['server-timing'] = documentHeader.of(++this.#lastDocument)
    const body = Buffer.from(await answer.arrayBuffer())
    // Electron shows a refusal without a body as it is, where Chromium has a page of its own.
    const shown = answer.ok || body.length > 0 ? body : ' '
    response.writeHead(answer.status, headers).end(shown)
  }
}

/**
 * What is served has a number, rising by one. Its document reads it (isolated-world.ts), and Chromium tells it of what
 * it navigates to, so both sides know which document is which.
 */
export const documentHeader = {
  of: (document: number): string => `document;desc="${document}"`,
  /** 0: served by another. */
  read: (headers: Readonly<Record<string, string>>): number =>
    Number(/^document;desc="(\d+)"$/.exec(headers['server-timing'] ?? '')?.[1] ?? 0),
}

/** The policy with more addresses to connect to, as they stand in one. */
export function allowConnection(policy: string, url: string): string {
  const directives = policy.split(';').map((directive) => directive.trim())
  const found = directives.find((directive) => directive.startsWith('connect-src '))
  if (found === undefined) return [...directives, `connect-src ${url}`].join('; ')
  const sources = found.split(/\s+/).slice(1)
  const kept = sources.filter((source) => source !== "'none'")
  const widened = ['connect-src', ...kept, url].join(' ')
  return directives.map((directive) => (directive === found ? widened : directive)).join('; ')
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('The page server has no port')
}
