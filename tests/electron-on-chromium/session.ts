import type { ProxyConfig, Session } from 'electron'
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
class DoubleSession implements Pick<
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

  fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    if (this.#proxy.mode === 'fixed_servers')
      return Promise.reject(new TypeError('net::ERR_PROXY_CONNECTION_FAILED'))
    return fetch(input, init)
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
