import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'

vi.mock('electron', () => ({ net: {} }))
const { logInToProxy } = await import('../../../../src-main/desktop/network/log-in-to-proxy.ts')
const { ProxyLogins } = await import('../../../../src-main/desktop/network/proxy-logins.ts')

const proxy = { isProxy: true, scheme: 'basic', host: 'proxy.example', port: 8080, realm: 'Staff' }
const right = { name: 'ada', password: 'right' }

/** A proxy that takes one login; as in Electron, a request that is canceled gets its 407 as a response, or fails. */
class Probe extends EventEmitter {
  readonly sent: (string | undefined)[][] = []
  readonly #challenge: typeof proxy

  constructor(challenge = proxy) {
    super()
    this.#challenge = challenge
  }

  end(): void {
    this.emit('login', this.#challenge, (name?: string, password?: string) => {
      this.sent.push([name, password])
      if (name === undefined) this.emit('error', new Error('net::ERR_TUNNEL_CONNECTION_FAILED'))
      else if (name === right.name && password === right.password) this.emit('response')
      else this.end()
    })
  }

  abort(): void {
    this.emit('abort')
  }
}

describe('a proxy that asks for a login', () => {
  test('is told to the user, gets nothing before, and then what the user said', async () => {
    const logins = new ProxyLogins()
    const first = new Probe()
    expect(await logInToProxy(() => first, logins)).toBe('asked')
    expect(first.sent).toEqual([[undefined, undefined]])
    expect(logins.question.value).toEqual({
      id: 1,
      host: 'proxy.example',
      port: 8080,
      wasRefused: false,
      isInTheClear: true,
    })
    logins.answer(1, right)
    expect(logins.question.value).toBeNull()
    expect(await logInToProxy(() => new Probe(), logins)).toBe('done')
    expect(logins.question.value).toBeNull()
  })

  test('that refuses a login is not given it again', async () => {
    const logins = new ProxyLogins()
    await logInToProxy(() => new Probe(), logins)
    logins.answer(1, { name: 'ada', password: 'wrong' })
    const second = new Probe()
    expect(await logInToProxy(() => second, logins)).toBe('asked')
    expect(second.sent).toEqual([
      ['ada', 'wrong'],
      [undefined, undefined],
    ])
    expect(logins.question.value).toMatchObject({ id: 2, wasRefused: true })
    const third = new Probe()
    await logInToProxy(() => third, logins)
    expect([third.sent, logins.question.value?.id]).toEqual([[[undefined, undefined]], 2])
  })

  test('a login is for the one proxy that asked, and never for a service', async () => {
    const logins = new ProxyLogins()
    await logInToProxy(() => new Probe(), logins)
    logins.answer(1, right)
    const another = new Probe({ ...proxy, host: 'evil.example' })
    expect(await logInToProxy(() => another, logins)).toBe('asked')
    const service = new Probe({ ...proxy, isProxy: false })
    expect(await logInToProxy(() => service, logins)).toBe('not-it')
    expect([another.sent, service.sent]).toEqual([[[undefined, undefined]], [[undefined, undefined]]])
  })

  test('asks nobody twice who come at once: the second passes unasked', async () => {
    const second = new Probe()
    vi.spyOn(second, 'end').mockImplementation(() => void second.emit('response'))
    expect(await logInToProxy(() => second, new ProxyLogins())).toBe('done')
  })

  test('who gives up the request gives up the login to a proxy that says nothing more', async () => {
    const logins = new ProxyLogins()
    await logInToProxy(() => new Probe(), logins)
    logins.answer(1, right)
    const silent = new Probe()
    vi.spyOn(silent, 'end').mockImplementation(() => undefined)
    const given = new AbortController()
    const outcome = logInToProxy(() => silent, logins, given.signal)
    given.abort()
    expect(await outcome).toBe('not-it')
    expect(await logInToProxy(() => silent, logins, given.signal)).toBe('not-it')
  })

  test('an answer to a question that is gone is refused', async () => {
    const logins = new ProxyLogins()
    await logInToProxy(() => new Probe(), logins)
    expect(() => logins.answer(7, right)).toThrow(ProblemError)
    logins.answer(1, right)
    expect(() => logins.answer(1, right)).toThrow(ProblemError)
  })
})
