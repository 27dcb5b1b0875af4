import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as NetServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ProxyLogins } from '../../../src-main/desktop/network/proxy-logins.ts'
import { problemOfFetchFailure } from '#services/rental-api/http.ts'
import { askingProxy } from '../../electron-on-chromium/asking-proxy.ts'
import { net } from '../../electron-on-chromium/net.ts'
import { DoubleSession } from '../../electron-on-chromium/session.ts'

vi.mock('electron', () => ({ net }))
const { logInToProxy, openProbe } = await import('../../../src-main/desktop/network/log-in-to-proxy.ts')

async function listening(server: NetServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const answering = (text: string) =>
  listening(createTcpServer((socket) => socket.once('data', () => socket.end(text))))

/** What the product makes of the failure, and in which words it came. */
async function failure(url: string) {
  const error: unknown = await new DoubleSession()
    .fetch(url, { redirect: 'error' })
    .then((response) => response.text())
    .catch((thrown: unknown) => thrown)
  const problem = problemOfFetchFailure(error, 'origin')
  const kind = problem.kind === 'unreachable' ? problem.cause : problem.kind
  return [error instanceof Error ? error.message : error, kind]
}

describe('why a request failed is told in Chromium’s words, and understood', () => {
  test('nobody listens', async () => {
    const server = createServer()
    const url = await listening(server)
    server.close()
    expect(await failure(url)).toEqual(['net::ERR_CONNECTION_REFUSED', 'refused'])
  })

  test('no such name', async () => {
    expect(await failure('http://service.invalid')).toEqual(['net::ERR_NAME_NOT_RESOLVED', 'address-unknown'])
  })

  test('no reply', async () => {
    expect(await failure(await answering(''))).toEqual(['net::ERR_EMPTY_RESPONSE', 'reset'])
  })

  test('half a reply', async () => {
    const url = await answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
    expect(await failure(url)).toEqual(['net::ERR_CONTENT_LENGTH_MISMATCH', 'reset'])
  })

  test('a redirect', async () => {
    const url = await answering('HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n')
    expect(await failure(url)).toEqual([
      "Attempted to redirect, but redirect policy was 'error'",
      'redirected',
    ])
  })
})

test('what the caller gave up comes as the caller’s own reason', async () => {
  const url = await listening(createServer())
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(new DoubleSession().fetch(url, { signal })).rejects.toThrow('enough')
})

test('a proxy that asks is told of on a request of its own alone, and lets the session through after that', async () => {
  const url = await listening(createServer((_request, response) => void response.end('from the service')))
  const session = new DoubleSession(askingProxy('ada:right'))
  await expect(session.fetch(url)).rejects.toThrow('net::ERR_TUNNEL_CONNECTION_FAILED')
  const logins = new ProxyLogins()
  const probe = () => net.request({ url, method: 'HEAD', session: session as never })
  expect(await logInToProxy(probe, logins)).toBe('asked')
  logins.answer(1, { name: 'ada', password: 'wrong' })
  expect(await logInToProxy(probe, logins)).toBe('asked')
  expect(logins.question.value).toMatchObject({ id: 2, wasRefused: true })
  logins.answer(2, { name: 'ada', password: 'right' })
  expect(await logInToProxy(probe, logins)).toBe('done')
  expect(await (await session.fetch(url)).text()).toBe('from the service')
})

test('a service whose first address leads elsewhere was reached through the proxy all the same', async () => {
  const asked: (string | undefined)[] = []
  const url = await listening(
    createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: '/welcome' }).end()
    }),
  )
  const session = new DoubleSession(askingProxy('ada:right'))
  const logins = new ProxyLogins()
  const probe = () => openProbe(session as never, `${url}/api/rent?key=1`)
  expect(await logInToProxy(probe, logins)).toBe('asked')
  logins.answer(1, { name: 'ada', password: 'right' })
  expect(await logInToProxy(probe, logins)).toBe('done')
  expect(asked).toEqual(['/'])
})
