import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { DatedReply } from '#domain/vault/clock-offset.ts'
import type { Problem } from '#domain/base/problem.ts'
import { createHttp, type HttpRequest } from '#services/rental-api/http.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { problemOf } from '../../support/problem-of.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A real server on loopback whose n-th request is answered by the n-th handler, the last one repeating. */
async function service(...handlers: Handler[]) {
  const seen: IncomingMessage[] = []
  const dates: DatedReply[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    handlers[Math.min(seen.length, handlers.length) - 1]?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  let serviceAddress = `http://127.0.0.1:${address.port}`
  const clock = new FakeClock()
  const http = createHttp({
    fetch: globalThis.fetch,
    clock,
    random: () => 0,
    credentials: () => Promise.resolve({ serviceAddress, bearer: 'key-of-the-test' }),
    onDate: (reply) => dates.push(reply),
  })
  const moveTo = (address: string): void => void (serviceAddress = address)
  return { http, clock, seen, dates, serviceAddress, server, moveTo }
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const text =
  (body: string, status: number): Handler =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(body)

const get = {
  method: 'GET',
  path: '/api/v0/users/current/',
  reply: z.looseObject({ id: z.number(), nested: z.looseObject({ list: z.array(z.number()) }).optional() }),
  repeatable: false,
} as const satisfies HttpRequest<unknown>

describe('a reply', () => {
  test('is asked for with the key, and keeps fields that nobody knows', async () => {
    const { http, seen } = await service(json({ id: 1, surprise: 'kept' }))
    expect(await http.send(get)).toEqual({ id: 1, surprise: 'kept' })
    expect(seen[0]?.headers.authorization).toBe('Bearer key-of-the-test')
  })

  test.each<[string, Handler, Problem]>([
    ['401', json({ error: 'x', msg: 'bad key' }, 401), { kind: 'key-refused', message: 'bad key' }],
    [
      'text that would reorder the screen',
      json({ error: 'x\u202e', msg: 'a\u202eb\nc' }, 401),
      { kind: 'key-refused', message: 'a�b c' },
    ],
    ['403', json({ error: 'scope', msg: 'no' }, 403), { kind: 'not-allowed', code: 'scope', message: 'no' }],
    [
      '401 that is not about the key',
      json({ error: 'invalid_backup_code', msg: 'used' }, 401),
      { kind: 'refused', status: 401, code: 'invalid_backup_code', message: 'used' },
    ],
    [
      '404',
      json({ error: 'no_such_ask', msg: 'gone' }, 404),
      { kind: 'refused', status: 404, code: 'no_such_ask', message: 'gone' },
    ],
    [
      '429 in another shape',
      json({ detail: 'slow down' }, 429, { 'retry-after': '7' }),
      { kind: 'rate-limited', retryAfterSeconds: 7, message: 'slow down' },
    ],
    [
      '429 until a date',
      json({ msg: 'slow' }, 429, { 'retry-after': new Date(Date.UTC(2026, 0, 1, 0, 1, 30)).toUTCString() }),
      { kind: 'rate-limited', retryAfterSeconds: 90, message: 'slow' },
    ],
    [
      '429 until a date that is past',
      json({ msg: 'slow' }, 429, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }),
      { kind: 'rate-limited', retryAfterSeconds: 0, message: 'slow' },
    ],
    [
      '429 as plain text',
      (_, response) => response.writeHead(429).end('too many'),
      { kind: 'rate-limited', retryAfterSeconds: null, message: 'too many' },
    ],
    ['502 as a web page', text('<html>', 502), { kind: 'service-failed', status: 502, message: '' }],
    [
      'a web page with status 200',
      text('<!doctype html><title>Login</title>', 200),
      { kind: 'bad-reply', status: 200, path: '', detail: 'HTML instead of JSON' },
    ],
    [
      'broken JSON',
      text('{"id": 1', 200),
      { kind: 'bad-reply', status: 200, path: '', detail: 'no valid JSON' },
    ],
  ])('%s is told apart', async (_, handler, expected) => {
    const { http } = await service(handler)
    expect(await problemOf(http.send(get))).toEqual(expected)
  })

  test('that does not fit names the path of what does not', async () => {
    const { http } = await service(json({ id: 1, nested: { list: [1, 'two'] } }))
    expect(await problemOf(http.send(get))).toMatchObject({ kind: 'bad-reply', path: 'nested.list.1' })
  })

  test('that redirects is not followed, so the key goes nowhere else', async () => {
    const other = await service(json({ id: 2 }))
    const { http } = await service((_, response) =>
      response.writeHead(302, { location: `${other.serviceAddress}/` }).end(),
    )
    expect(await problemOf(http.send(get))).toMatchObject({ kind: 'redirected' })
    expect(other.seen).toHaveLength(0)
  })
})

describe('a lost connection', () => {
  test('is not taken for a redirect because of the service’s name', async () => {
    const http = createHttp({
      fetch: () => Promise.reject(new Error('getaddrinfo ENOTFOUND redirect.example.com')),
      clock: new FakeClock(),
      random: () => 0,
      credentials: () =>
        Promise.resolve({ serviceAddress: 'https://redirect.example.com', bearer: 'key-of-the-test' }),
    })
    expect(await problemOf(http.send(get))).toMatchObject({ cause: 'address-unknown' })
  })

  test('refused, reset and broken-off replies are told apart', async () => {
    const nobody = await findFreePort()
    const refused = await service(json({}))
    refused.moveTo(`http://127.0.0.1:${nobody}`)
    expect(await problemOf(refused.http.send(get))).toMatchObject({ kind: 'unreachable', cause: 'refused' })
    const reset = await service((request) => request.socket.resetAndDestroy())
    expect(await problemOf(reset.http.send(get))).toMatchObject({ kind: 'unreachable', cause: 'reset' })
    const brokenOff = await service((request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{')
      setTimeout(() => request.socket.destroy(), 20)
    })
    expect(await problemOf(brokenOff.http.send(get))).toMatchObject({ kind: 'unreachable', cause: 'reset' })
  })

  test('a reply that drips for ever ends at the deadline', async () => {
    let begun = (): void => undefined
    const dripping = new Promise<void>((resolve) => (begun = resolve))
    const { http, clock } = await service((_, response) => {
      response.writeHead(200).write('{')
      begun()
    })
    const outcome = problemOf(http.send(get))
    await dripping
    await clock.advance(20_000)
    expect(await outcome).toMatchObject({ kind: 'unreachable', cause: 'timeout' })
  })

  test('ends when its caller gives up', async () => {
    const { http } = await service(() => undefined)
    const caller = new AbortController()
    const outcome = http.send({ ...get, signal: caller.signal })
    await settle()
    caller.abort(new Error('left the page'))
    await expect(outcome).rejects.toThrow('left the page')
  })
})

describe('trying again', () => {
  const unavailable = json({ error: 'e', msg: '' }, 503)

  /** Moves time on until the outcome is there. */
  async function inTime<T>(clock: FakeClock, outcome: Promise<T>): Promise<T> {
    let over = false
    const done = (): void => void (over = true)
    outcome.then(done, done)
    while (!over) {
      await clock.advance(100)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return outcome
  }

  test('a repeatable request is tried three times in all', async () => {
    const { http, clock, seen } = await service(unavailable)
    const outcome = problemOf(http.send({ ...get, repeatable: true }))
    expect(await inTime(clock, outcome)).toMatchObject({ kind: 'service-failed', status: 503 })
    expect(seen).toHaveLength(3)
  })

  test('and succeeds when the failure has passed', async () => {
    const { http, clock, seen } = await service(unavailable, json({ id: 1 }))
    expect(await inTime(clock, http.send({ ...get, repeatable: true }))).toEqual({ id: 1 })
    expect(seen).toHaveLength(2)
  })

  test('waits as long as the service asks', async () => {
    const { http, clock } = await service(json({ msg: '' }, 429, { 'retry-after': '9' }), json({ id: 1 }))
    const start = clock.now()
    await inTime(clock, http.send({ ...get, repeatable: true }))
    expect(clock.now() - start).toBeGreaterThanOrEqual(9_000)
  })

  test.each<[string, Handler]>([
    ['a refusal', json({ error: 'x', msg: '' }, 400)],
    ['a wrong key', json({ error: 'x', msg: '' }, 401)],
    ['a bad reply', text('<html>', 200)],
    ['a rate limit of minutes', json({ msg: '' }, 429, { 'retry-after': '600' })],
  ])('not after %s', async (_, handler) => {
    const { http, clock, seen } = await service(handler)
    await inTime(clock, problemOf(http.send({ ...get, repeatable: true })))
    expect(seen).toHaveLength(1)
  })

  test('never what rents, spends or removes', async () => {
    const { http, seen } = await service(unavailable)
    await problemOf(http.send({ ...get, method: 'PUT', body: {} }))
    expect(seen).toHaveLength(1)
  })
})

test('each reply says what time it is, also one that refuses; one without a date says nothing', async () => {
  const date = 'Thu, 01 Jan 2026 02:00:00 GMT'
  const { http, clock, dates } = await service(
    json({ id: 7 }, 200, { date }),
    json({ error: 'auth_error', msg: '' }, 401, { date }),
    (_, response) => {
      response.sendDate = false
      response.end('{"id":7}')
    },
  )
  await http.send(get)
  await problemOf(http.send(get))
  await http.send(get)
  const reply = { dateMs: Date.parse(date), sentMs: clock.now(), receivedMs: clock.now() }
  expect(dates).toEqual([reply, reply])
})
