import type { LoggedIn } from './proxy-logins.ts'

/** The part of Electron's Session that is used here. */
export interface FetchSession {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly closeAllConnections: () => Promise<void>
  /** Logs in to the proxy on the way to this address, as far as the user has told how. The signal ends the attempt. */
  readonly logInToProxy: (url: string, signal: AbortSignal | null | undefined) => Promise<LoggedIn>
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
 * but GET leaves on a new connection, in a session that no other request uses until the reply has ended.
 *
 * The body comes as it is read, so that its reader can bound it; a reader that gives it up ends the request.
 */
export function createNetFetch({ ready, shared, apart }: NetFetchOptions): typeof globalThis.fetch {
  const busy = new Set<number>()

  async function sendOnNewConnection(url: string, init: RequestInit | undefined): Promise<Response> {
    let slot = 0
    while (busy.has(slot)) slot += 1
    busy.add(slot)
    const free = (): void => void busy.delete(slot)
    try {
      const session = apart(slot)
      await session.closeAllConnections()
      return await send({ ...session, logInToProxy: logInAndClose }, url, init, free)

      /** What logged in has used its connection, and left it open. */
      async function logInAndClose(...request: Parameters<FetchSession['logInToProxy']>): Promise<LoggedIn> {
        const loggedIn = await session.logInToProxy(...request)
        await session.closeAllConnections()
        return loggedIn
      }
    } catch (error) {
      free()
      throw error
    }
  }

  return async (input, init) => {
    if (input instanceof Request) throw new TypeError('A request is given as its address and its options')
    const url = String(input)
    await ready
    return (init?.method ?? 'GET') === 'GET'
      ? send(shared(), url, init, () => undefined)
      : sendOnNewConnection(url, init)
  }
}

/** @param onEnd called once, when the reply has ended */
async function send(
  session: FetchSession,
  url: string,
  init: RequestInit | undefined,
  onEnd: () => void,
): Promise<Response> {
  const end = new AbortController()
  const signal = init?.signal ? AbortSignal.any([init.signal, end.signal]) : end.signal
  const { status, statusText, headers, body } = await fetchPastProxy(session, url, { ...init, signal })
  if (body === null) onEnd()
  const followed =
    body &&
    followedBody(body, (isWhole) => {
      // Electron's fetch goes on loading when only its body is given up.
      if (!isWhole) end.abort()
      onEnd()
    })
  return new Response(followed, { status, statusText, headers })
}

/**
 * Asks once more where a proxy on the way has refused the request and takes a login that is known. The service has seen
 * nothing of the first one: to it goes a tunnel, and Chromium takes no 407 for an answer but a proxy's.
 *
 * @throws Error with Chromium's ERR_PROXY_AUTH_REQUESTED when the user has to log in first
 */
async function fetchPastProxy(session: FetchSession, url: string, init: RequestInit): Promise<Response> {
  const refusal = await session.fetch(url, init).catch((error: unknown) => {
    if (error instanceof Error && /ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_AUTH_/.test(error.message))
      return error
    throw error
  })
  if (refusal instanceof Response && refusal.status !== 407) return refusal
  switch (await session.logInToProxy(url, init.signal)) {
    case 'done':
      return session.fetch(url, init)
    case 'asked':
      throw new Error('net::ERR_PROXY_AUTH_REQUESTED', { cause: refusal })
    case 'not-it':
      if (refusal instanceof Response) return refusal
      throw refusal
  }
}

/**
 * The same body, which tells once when nothing more of it comes. Nothing is read ahead of the reader.
 *
 * @param onEnd is told whether it was read to its end; otherwise it failed, or its reader has given it up
 */
export function followedBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: (isWhole: boolean) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (followed) => {
        try {
          const { done, value } = await reader.read()
          if (!done) return followed.enqueue(value)
          followed.close()
          onEnd(true)
        } catch (error) {
          followed.error(error)
          onEnd(false)
        }
      },
      cancel: async (reason) => {
        const given = reader.cancel(reason)
        onEnd(false)
        await given
      },
    },
    { highWaterMark: 0 },
  )
}
