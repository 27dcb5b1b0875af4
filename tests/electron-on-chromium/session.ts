import type { AuthInfo, ProxyConfig, Session } from 'electron'
import { type AskingProxy, askingProxy } from './asking-proxy.ts'
import { bodyOfElectron, netError } from './net-errors.ts'
import { chromium } from './state.ts'

type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>
type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>
type Permission = Parameters<CheckHandler>[1]

/** Electron's names of permissions, and Chromium's. */
const permissions: readonly (readonly [Permission, readonly string[]])[] = [
  ['clipboard-read', ['clipboard-read']],
  ['clipboard-sanitized-write', ['clipboard-write']],
  ['geolocation', ['geolocation']],
  ['media', ['camera', 'microphone']],
  ['midi', ['midi']],
  ['notifications', ['notifications']],
  ['idle-detection', ['idle-detection']],
  ['storage-access', ['storage-access']],
]

/**
 * Permissions are asked for once, when a page of the app's own is loaded, and what the handlers answer is set
 * in Chromium for that origin. As in Electron, what no handler is there for is granted.
 */
export class DoubleSession implements Pick<
  Session,
  | 'closeAllConnections'
  | 'fetch'
  | 'setProxy'
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
> {
  #mayAsk: CheckHandler = () => true
  #hasHandler = false
  #proxy: ProxyConfig = { mode: 'system' }
  /** On the way of what main asks. */
  readonly #asking: AskingProxy | null
  #isLoggedIn = false

  constructor(asking: AskingProxy | null = askingProxy(process.env['SLIPWAY_PROXY_LOGIN'])) {
    this.#asking = asking
  }

  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.#hasHandler = handler !== null
  }

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#mayAsk = handler ?? (() => true)
  }

  /** As a session whose proxy does not answer. Pages come over http here, so that theirs is not Chromium's. */
  setProxy(config: ProxyConfig): Promise<void> {
    this.#proxy = config
    return Promise.resolve()
  }

  /** As Electron tells it: in Chromium's words, and without a status text, which HTTP/2 has not. */
  async fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    if (this.#proxy.mode === 'fixed_servers') throw new Error('net::ERR_PROXY_CONNECTION_FAILED')
    // Nobody hears of it that a proxy asks: not by `fetch`, and not by the app's `login`.
    if (this.challenge !== null) throw new Error('net::ERR_TUNNEL_CONNECTION_FAILED')
    const signal = init?.signal ?? null
    const { status, headers, body } = await fetch(input, init).catch((error: unknown) => {
      throw signal?.aborted ? error : netError(error, 'net::ERR_EMPTY_RESPONSE')
    })
    return new Response(body && bodyOfElectron(body, signal), { status, headers })
  }

  /** What the proxy asks, while it lets nothing through. */
  get challenge(): AuthInfo | null {
    return this.#isLoggedIn ? null : (this.#asking?.challenge ?? null)
  }

  logIn(name: string, password: string): void {
    if (this.#asking?.takes(name, password)) this.#isLoggedIn = true
  }

  /** Node keeps connections open, too, but never repeats a request that may have been answered. */
  closeAllConnections(): Promise<void> {
    return Promise.resolve()
  }

  /** No device is ever offered: Chromium's choosers do not open in a driven browser. */
  setDevicePermissionHandler(): void {
    return
  }

  /** @param origin as main knows it; @param chromiumOrigin where that page is in Chromium */
  async applyPermissions(origin: string, chromiumOrigin: string): Promise<void> {
    for (const [permission, names] of permissions) {
      const isGranted =
        !this.#hasHandler ||
        this.#mayAsk(null, permission, origin, { isMainFrame: true, requestingUrl: `${origin}/` })
      for (const name of names)
        await chromium().tabs.any.cdp.send('Browser.setPermission', {
          permission: { name },
          setting: isGranted ? 'granted' : 'denied',
          origin: chromiumOrigin,
        })
    }
  }
}

export const defaultSession = new DoubleSession()

const partitions = new Map<string, DoubleSession>()

export function fromPartition(name: string): DoubleSession {
  const session = partitions.get(name) ?? new DoubleSession()
  partitions.set(name, session)
  return session
}
