/** The part of Electron's Session that is used here. */
export interface FetchSession {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly closeAllConnections: () => Promise<void>
}

export interface NetFetchOptions {
  /** Resolves when Electron has sessions. The program begins before. */
  readonly ready: Promise<void>
  /** For what may be asked twice: it keeps its connections open. */
  readonly shared: () => FetchSession
  /** Further sessions, each of them with connections of its own. */
  readonly apart: (slot: number) => FetchSession
}

/**
 * Electron's fetch, which knows the system's proxy and certificates, so that what is sent once leaves once.
 *
 * Chromium itself repeats a request, whatever its method, when a connection that was used before breaks before
 * the reply (`HttpNetworkTransaction::ShouldResendRequest`): a rental that was done would be done again. So all
 * but GET leaves on a new connection, in a session that no other request uses meanwhile.
 */
export function createNetFetch({ ready, shared, apart }: NetFetchOptions): typeof globalThis.fetch {
  const busy = new Set<number>()

  async function sendOnNewConnection(url: string, init: RequestInit | undefined): Promise<Response> {
    let slot = 0
    while (busy.has(slot)) slot += 1
    busy.add(slot)
    try {
      const session = apart(slot)
      await session.closeAllConnections()
      const response = await session.fetch(url, init)
      // To its end here: the next one to use the session closes its connections.
      const body = await response.arrayBuffer()
      const { status, statusText, headers } = response
      return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
    } finally {
      busy.delete(slot)
    }
  }

  return async (input, init) => {
    if (input instanceof Request) throw new TypeError('A request is given as its address and its options')
    const url = String(input)
    await ready
    return (init?.method ?? 'GET') === 'GET' ? shared().fetch(url, init) : sendOnNewConnection(url, init)
  }
}
