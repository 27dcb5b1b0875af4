import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call } from './caller.ts'
import { anyString, containing } from './expectations.ts'

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({ offers: 20 })
})
afterAll(() => simulator.close())

/** Unlike fetch, Node's older client sends whatever headers it is told, and a body with GET. */
async function send(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<{ status: number | undefined; body: unknown }> {
  const authorization = { Authorization: `Bearer ${simulator.key}` }
  const length = { 'Content-Length': String(Buffer.byteLength(body)) }
  const request = httpRequest(simulator.baseUrl + path, {
    method,
    headers: { ...authorization, ...length, ...headers },
  })
  const reply = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (message) => {
      readText(message).then((text) => {
        resolve({ status: message.statusCode, body: text === '' ? null : JSON.parse(text) })
      }, reject)
    })
  })
  request.end(body)
  return await reply
}

describe('a web page elsewhere, which any browser on this machine may be showing', () => {
  // The name of such a page can be made to stand for 127.0.0.1, and then the browser lets it read the replies.
  it.each([
    [{ Host: 'attacker.example:18080' }, 'attacker.example'],
    [{ Host: '127.0.0.1.attacker.example' }, 'attacker.example'],
    [{ Origin: 'https://attacker.example' }, 'attacker.example'],
    [{ Origin: 'null' }, 'null'],
  ])('reaches neither the controls nor the service with %j', async (headers, named) => {
    for (const path of ['/_simulator/outbox', '/api/v0/users/current/']) {
      expect(await send('GET', path, { headers })).toMatchObject({
        status: 403,
        body: { error: 'forbidden', msg: containing(named) },
      })
    }
  })

  it.each([{ Host: 'localhost:18080' }, { Host: '[::1]:18080' }, { Origin: 'http://localhost:5173' }])(
    'is not what sends %j',
    async (headers) => {
      expect(await send('GET', '/_simulator/outbox', { headers })).toMatchObject({ status: 200 })
    },
  )
})

describe('bodies that are not what they seem', () => {
  it.each([
    ['a name twice', '{"limit":1,"limit":2}', '"limit" is there twice'],
    ['a name twice, escaped once', '{"limit":1,"l\\u0069mit":2}', '"limit" is there twice'],
    ['a name twice further inside', '{"num_gpus":{"eq":1,"eq":2}}', '"eq" is there twice'],
    ['a byte order mark', '\ufeff{}', 'not valid JSON'],
    ['bytes that are not UTF-8', Buffer.from('{"gpu_name":{"eq":"\xff"}}', 'latin1'), 'not UTF-8'],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 'not valid JSON'],
  ])('refuses %s', async (_what, body, reason) => {
    for (const path of ['/api/v0/bundles/', '/_simulator/account']) {
      expect(await send('POST', path, { body })).toMatchObject({
        status: 400,
        body: { error: 'bad_request', msg: containing(reason) },
      })
    }
  })

  it('takes the same name in objects beside each other, and as a value', async () => {
    const body = { gpu_name: { eq: 'gpu_name' }, num_gpus: { eq: 1 }, order: [['id', 'asc']] }
    expect((await call(simulator, 'POST', '/api/v0/bundles/', { body })).status).toBe(200)
  })
})

it.each(['/api/v0/', '/_simulator/'])('cuts what it says of a path that is very long: %s', async (begin) => {
  const { status, body } = await send('GET', `${begin}${'x'.repeat(9_000)}/`)
  expect(status).toBe(404)
  const { msg } = z.object({ msg: z.string() }).parse(body)
  expect(msg).toMatch(/…$/)
  expect(msg.length).toBeLessThan(600)
})

it('cuts what it says of a fault of its own', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => said.mockRestore())
  let isBroken = false
  const broken = await startSimulator({
    offers: 1,
    machineNow: () => {
      if (isBroken) throw new Error('no time '.repeat(1_000))
      return Date.now()
    },
  })
  onTestFinished(() => {
    isBroken = false
    return broken.close()
  })
  isBroken = true
  const answer = await call(broken, 'GET', '/api/v0/users/current/')
  expect(answer).toMatchObject({ status: 500, body: { error: 'internal_error', msg: containing('no time') } })
  expect(JSON.stringify(answer.body).length).toBeLessThan(600)
  expect(said.mock.calls.flat().join('')).toContain('no time')
})

describe('a body of more than 1 MiB', () => {
  const body = `"${'x'.repeat(1024 * 1024)}"`

  it.each([
    ['POST', '/api/v0/bundles/'],
    ['GET', '/api/v0/users/current/'],
    ['POST', '/_simulator/account'],
  ])('is refused at %s %s', async (method, path) => {
    expect(await send(method, path, { body })).toMatchObject({
      status: 413,
      body: { error: 'body_too_large', msg: containing('1048576 bytes') },
    })
  })

  it('is all that is: one string of nearly so much is read', async () => {
    const longest = JSON.stringify({ gpu_name: { eq: 'x'.repeat(1024 * 1024 - 100) } })
    expect(await send('POST', '/api/v0/bundles/', { body: longest })).toMatchObject({
      status: 200,
      body: { offers: [] },
    })
  })

  const template = {
    name: 'Large',
    image: 'ubuntu',
    docker_login_repo: '',
    docker_login_user: '',
    docker_login_pass: '',
  }
  it.each([
    ['one value', `-e A="${'x'.repeat(1024 * 1024 - 400)}"`, 200],
    ['many ranges of ports', '-p 1-60000:1-60000 '.repeat(50_000), 400],
    ['many variables', '-e A=1 '.repeat(140_000), 400],
  ])('leaves room for no env that takes long: %s', async (_what, env, status) => {
    const startMs = performance.now()
    expect(
      await send('POST', '/api/v0/template/', { body: JSON.stringify({ ...template, env }) }),
    ).toMatchObject({
      status,
    })
    expect(performance.now() - startMs).toBeLessThan(20_000)
  })
})

it('does not take a caller that hangs up for a fault of its own', async () => {
  const complaints = vi.spyOn(process.stderr, 'write')
  for (const path of ['/api/v0/bundles/', '/_simulator/account']) {
    const socket = connect(Number(new URL(simulator.baseUrl).port), '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20\r\n\r\n{"limit"`)
    await sleep(50)
    socket.destroy()
  }
  await sleep(100)
  expect((await call(simulator, 'GET', '/api/v0/users/current/')).status).toBe(200)
  expect(complaints.mock.calls).toEqual([])
  complaints.mockRestore()
})

describe('controls that would leave no world to play in', () => {
  it.each([
    ['clock', { advance_seconds: 1e300 }, 'body.advance_seconds: '],
    ['clock', { advance_seconds: 8000 * 366 * 24 * 3600 }, 'the year 9999'],
    ['account', { name: 'default', instances: 1e9 }, 'body.instances: '],
    ['faults', [{ kind: 'delay', ms: 1e12 }], 'body.0.ms: '],
    ['faults', [{ kind: 'slow-drip', ms: 1e12 }], 'body.0.ms: '],
  ])('refuses %s %j', async (path, body, reason) => {
    expect(await call(simulator, 'POST', `/_simulator/${path}`, { body })).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
    const dated = await call(simulator, 'GET', '/api/v0/users/current/')
    expect(Date.parse(dated.headers.get('Date') ?? '')).not.toBeNaN()
  })

  it.each([
    ['GET', 'clock', 'POST'],
    ['POST', 'journal', 'GET'],
    ['GET', 'faults', 'POST, DELETE'],
    ['PUT', 'instances/1/fate', 'POST'],
  ])('knows no %s %s', async (method, path, methods) => {
    expect(await call(simulator, method, `/_simulator/${path}`)).toMatchObject({
      status: 405,
      body: { error: 'method_not_allowed', msg: containing(methods) },
    })
  })

  it('takes no HEAD either', async () => {
    expect((await call(simulator, 'HEAD', '/_simulator/outbox')).status).toBe(405)
  })

  it('finds the path of a fault at once, however many stars it has', async () => {
    simulator.faults.add({ kind: '500', path: `${'*a'.repeat(12)}*b` })
    const path = `/api/v0/${'a'.repeat(4000)}/`
    expect((await call(simulator, 'GET', path)).status).toBe(404)
    simulator.faults.clear()
    simulator.faults.add({ kind: '503', path: '/api/*/v*/users/*' })
    expect((await call(simulator, 'GET', '/api/v0/users/current/')).status).toBe(200)
    simulator.faults.clear()
    simulator.faults.add({ kind: '503', path: '/api/*/users/*rr*t/' })
    const { body } = await call(simulator, 'GET', '/api/v0/users/current/')
    expect(z.object({ error: z.string(), msg: z.string() }).parse(body)).toEqual({
      error: 'service_unavailable',
      msg: anyString,
    })
  })
})
