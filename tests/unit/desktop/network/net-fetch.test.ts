import { describe, expect, it } from 'vitest'
import type { LoggedIn } from '../../../../src-main/desktop/network/proxy-logins.ts'
import { createNetFetch, type FetchSession } from '../../../../src-main/desktop/network/net-fetch.ts'
import { problemOfFetchFailure } from '#services/rental-api/http.ts'

/** Sessions that write down what is done with them; a reply comes when the test gives it. */
function sessions() {
  const done: string[] = []
  const replies: ((response: Response) => void)[] = []
  const session = (name: string): FetchSession => ({
    fetch: (url, init) => {
      done.push(`${name}: ${init?.method ?? 'GET'} ${url}`)
      return new Promise((resolve) => replies.push(resolve))
    },
    closeAllConnections: async () => void done.push(`${name}: close`),
    logInToProxy: async () => 'not-it',
  })
  let setReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (setReady = resolve))
  const fetch = createNetFetch({
    ready,
    shared: () => session('shared'),
    apart: (slot) => session(`apart ${slot}`),
  })
  return { fetch, done, replies, setReady }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('what Chromium would repeat on a connection that was used before', () => {
  it.each(['PUT', 'POST', 'DELETE'])('%s leaves on a new connection', async (method) => {
    const { fetch, done, replies, setReady } = sessions()
    setReady()
    const reply = fetch('https://service.example/a/', { method })
    await turn()
    expect(done).toEqual(['apart 0: close', `apart 0: ${method} https://service.example/a/`])
    replies[0]?.(Response.json({ new_contract: 1 }, { status: 201, headers: { 'x-kept': 'yes' } }))
    const response = await reply
    expect([response.status, response.headers.get('x-kept'), await response.json()]).toEqual([
      201,
      'yes',
      { new_contract: 1 },
    ])
  })

  it('two at once do not cut each other off, and the first session serves again afterwards', async () => {
    const { fetch, done, replies, setReady } = sessions()
    setReady()
    const rental = fetch('https://service.example/rent/', { method: 'PUT' })
    await turn()
    const stop = fetch('https://service.example/stop/', { method: 'PUT' })
    await turn()
    expect(done.filter((line) => line.endsWith('close'))).toEqual(['apart 0: close', 'apart 1: close'])
    let end: () => void = () => undefined
    replies[0]?.(
      new Response(
        new ReadableStream({
          start: (stream) => {
            end = () => stream.close()
          },
        }),
      ),
    )
    await turn()
    // Its body is still on the way: its session is not free yet.
    void fetch('https://service.example/third/', { method: 'PUT' })
    await turn()
    expect(done.at(-1)).toBe('apart 2: PUT https://service.example/third/')
    end()
    await (await rental).text()
    void fetch('https://service.example/fourth/', { method: 'PUT' })
    await turn()
    expect(done.at(-1)).toBe('apart 0: PUT https://service.example/fourth/')
    replies[1]?.(new Response(null, { status: 204 }))
    expect((await stop).status).toBe(204)
  })

  it('a failure frees its session', async () => {
    const failing: FetchSession = {
      fetch: () => Promise.reject(new Error('net::ERR_CONNECTION_RESET')),
      closeAllConnections: () => Promise.resolve(),
      logInToProxy: () => Promise.resolve('not-it'),
    }
    const slots: number[] = []
    const fetch = createNetFetch({
      ready: Promise.resolve(),
      shared: () => failing,
      apart: (slot) => (slots.push(slot), failing),
    })
    for (let time = 0; time < 2; time += 1)
      await expect(fetch('https://service.example/', { method: 'DELETE' })).rejects.toThrow('RESET')
    expect(slots).toEqual([0, 0])
  })
})

it('GET may be repeated, and keeps its connections; nothing is sent before Electron is ready', async () => {
  const { fetch, done, setReady } = sessions()
  void fetch(new URL('https://service.example/'))
  await turn()
  expect(done).toEqual([])
  setReady()
  await turn()
  expect(done).toEqual(['shared: GET https://service.example/'])
})

describe('a proxy that refuses a request', () => {
  /** @param replies what each request comes to, one after the other */
  function behindProxy(replies: readonly (() => Response)[], loggedIn: LoggedIn) {
    const done: string[] = []
    const left = [...replies]
    const session: FetchSession = {
      fetch: async (url, init) => {
        done.push(`${init?.method ?? 'GET'} ${url} ${String(init?.body ?? '')}`.trim())
        return left.shift()?.() ?? Response.error()
      },
      closeAllConnections: async () => void done.push('close'),
      logInToProxy: async (url) => {
        done.push(`log in: ${url}`)
        return loggedIn
      },
    }
    const fetch = createNetFetch({ ready: Promise.resolve(), shared: () => session, apart: () => session })
    return { fetch, done }
  }
  const noTunnel = () => {
    throw new Error('net::ERR_TUNNEL_CONNECTION_FAILED')
  }
  const asksWho = () => new Response(null, { status: 407 })
  const fine = () => Response.json({ fine: true })
  const url = 'https://service.example/rent/'

  it.each([noTunnel, asksWho])(
    'passes once it has been logged in to, with the same request, again on a new connection',
    async (refusal) => {
      const { fetch, done } = behindProxy([refusal, fine], 'done')
      const reply = await fetch(url, { method: 'PUT', body: '{"a":1}' })
      expect([reply.status, done]).toEqual([
        200,
        ['close', `PUT ${url} {"a":1}`, `log in: ${url}`, 'close', `PUT ${url} {"a":1}`],
      ])
    },
  )

  it('leaves what else is asked meanwhile alone when it lets a question pass', async () => {
    const { fetch, done } = behindProxy([noTunnel, fine], 'done')
    expect((await fetch(url)).status).toBe(200)
    expect(done).toEqual([`GET ${url}`, `log in: ${url}`, `GET ${url}`])
  })

  it.each([noTunnel, asksWho])(
    'is told as one that asks for a login, and nothing is sent twice',
    async (refusal) => {
      const { fetch, done } = behindProxy([refusal, fine], 'asked')
      const error: unknown = await fetch(url, { method: 'PUT' }).catch((thrown: unknown) => thrown)
      expect(problemOfFetchFailure(error, 'https://service.example')).toEqual({
        kind: 'unreachable',
        cause: 'proxy-login',
        origin: 'https://service.example',
      })
      expect(done.filter((line) => line !== 'close')).toEqual([`PUT ${url}`, `log in: ${url}`])
    },
  )

  it('is waited for as long as the request, and no longer', async () => {
    const session: FetchSession = {
      fetch: async () => noTunnel(),
      closeAllConnections: async () => undefined,
      logInToProxy: (_url, signal) =>
        new Promise((resolve) => signal?.addEventListener('abort', () => resolve('not-it'))),
    }
    const fetch = createNetFetch({ ready: Promise.resolve(), shared: () => session, apart: () => session })
    const given = new AbortController()
    const reply = fetch(url, { signal: given.signal })
    await turn()
    given.abort()
    await expect(reply).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED')
  })

  it('for another reason stays what it was', async () => {
    const { fetch } = behindProxy([noTunnel], 'not-it')
    await expect(fetch(url)).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED')
  })

  it('is not asked for a login after any other failure, behind which the request may have arrived', async () => {
    const reset = () => {
      throw new Error('net::ERR_CONNECTION_RESET')
    }
    const { fetch, done } = behindProxy([reset, fine], 'done')
    await expect(fetch(url, { method: 'PUT' })).rejects.toThrow('ERR_CONNECTION_RESET')
    expect(done).toEqual(['close', `PUT ${url}`])
  })
})
