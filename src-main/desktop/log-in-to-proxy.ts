import { net, type Session } from 'electron'
import type { AuthChallenge, ProxyLogins } from './proxy-logins.ts'
import type { ProxyLogin } from '../domain/proxy-login.ts'

/** What became of an attempt to log a session in to the proxy that refused it. */
export type LoggedIn =
  /** Its requests pass from now on. */
  | 'done'
  /** The proxy wants what only the user knows. */
  | 'asked'
  /** It was not a login that was missing. */
  | 'not-it'

/** The part of Electron's ClientRequest that is used here. */
export interface ProbeRequest {
  on(
    event: 'login',
    listener: (challenge: AuthChallenge, answer: (name?: string, password?: string) => void) => void,
  ): unknown
  on(event: 'response' | 'error' | 'abort', listener: () => void): unknown
  end(): unknown
  abort(): void
}

/**
 * Asks for nothing of the service, without a key, by the one way of Electron's on which main is told that a proxy wants
 * a login: neither `session.fetch` nor `app.on('login')` tells of main's own requests (electron#44249). What the proxy
 * has taken lasts as long as the session.
 *
 * @param open makes the request in the session
 */
export function logInToProxy(open: () => ProbeRequest, logins: ProxyLogins): Promise<LoggedIn> {
  return new Promise((resolve) => {
    const request = open()
    let outcome: LoggedIn = 'not-it'
    let tried: ProxyLogin | null = null
    request.on('login', (challenge, answer) => {
      // A service that asks for a login of its own gets none.
      if (!challenge.isProxy) {
        answer()
        return
      }
      if (tried !== null) logins.refuse(challenge, tried)
      tried = logins.find(challenge)
      outcome = tried === null ? 'asked' : 'done'
      if (tried === null) answer()
      else answer(tried.name, tried.password)
    })
    request.on('response', () => {
      resolve(outcome)
      request.abort()
    })
    request.on('error', () => resolve(outcome === 'done' ? 'not-it' : outcome))
    request.on('abort', () => resolve(outcome))
    request.end()
  })
}

/** Such a request, of Electron's. @param url of the service; only its origin is asked */
export function openProbe(session: Session, url: string): ProbeRequest {
  const { origin } = new URL(url)
  return net.request({ method: 'HEAD', url: `${origin}/`, session, redirect: 'error' })
}
