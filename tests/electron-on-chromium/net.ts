import { EventEmitter } from 'node:events'
import type { AuthInfo, ClientRequestConstructorOptions, Net } from 'electron'
import { DoubleSession } from './session.ts'

/** One request of main, as far as logging in to a proxy needs it. The service gets it as any other one. */
class DoubleClientRequest extends EventEmitter {
  readonly #session: DoubleSession
  readonly #url: string
  readonly #method: string
  readonly #redirect: RequestRedirect
  #isAborted = false

  constructor(
    session: DoubleSession,
    { url, method, redirect }: { url: string; method: string; redirect: RequestRedirect },
  ) {
    super()
    this.#session = session
    this.#url = url
    this.#method = method
    this.#redirect = redirect
  }

  end(): this {
    queueMicrotask(() => this.#begin())
    return this
  }

  abort(): void {
    if (this.#isAborted) return
    this.#isAborted = true
    process.nextTick(() => this.emit('abort'))
  }

  /** As often as what is answered is wrong. Without a listener, or an answer, the request fails. */
  #begin(): void {
    const challenge = this.#session.challenge
    if (challenge === null) void this.#send()
    else if (!this.emit('login', challenge, (...answer: string[]) => this.#answer(challenge, answer)))
      this.#fail('net::ERR_TUNNEL_CONNECTION_FAILED')
  }

  #answer(_challenge: AuthInfo, [name, password]: readonly string[]): void {
    if (name === undefined || password === undefined) this.#fail('net::ERR_TUNNEL_CONNECTION_FAILED')
    else {
      this.#session.logIn(name, password)
      queueMicrotask(() => this.#begin())
    }
  }

  async #send(): Promise<void> {
    try {
      const response = await this.#session.fetch(this.#url, {
        method: this.#method,
        redirect: this.#redirect,
      })
      if (this.#isAborted) return
      if (response.status < 300 || response.status > 399) this.emit('response', response)
      else {
        this.emit('redirect', response.status, this.#method, response.headers.get('location'), {})
        // Nobody of those who use it follows.
        this.#fail('Redirect was cancelled')
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error))
    }
  }

  #fail(message: string): void {
    if (!this.#isAborted) this.emit('error', new Error(message))
  }
}

export const net = {
  request: (options: ClientRequestConstructorOptions | string) => {
    if (typeof options === 'string') throw new TypeError('This double wants to know the session')
    const { session, url = '', method = 'GET', redirect = 'follow' } = options
    // Of this double's own making, whatever its type says.
    if (!(session instanceof DoubleSession)) throw new TypeError('This double knows its own sessions only')
    return new DoubleClientRequest(session, { url, method, redirect })
  },
} satisfies { readonly request: (options: Parameters<Net['request']>[0]) => unknown }
