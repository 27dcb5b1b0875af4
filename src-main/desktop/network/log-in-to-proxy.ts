import { net, type Session } from 'electron'
import {
  LoginAttempt,
  type AuthChallenge,
  type GiveLogin,
  type LoggedIn,
  type ProxyLogins,
} from './proxy-logins.ts'

/** The part of Electron's ClientRequest that is used here. */
export interface ProbeRequest {
  on(event: 'login', listener: (challenge: AuthChallenge, give: GiveLogin) => void): unknown
  on(event: 'response' | 'redirect' | 'error' | 'abort', listener: () => void): unknown
  end(): unknown
  abort(): void
}

/**
 * Asks for nothing of the service, without a key, by the one way of Electron's on which main is told that a proxy wants
 * a login: neither `session.fetch` nor `app.on('login')` tells of main's own requests (electron#44249). What the proxy
 * has taken lasts as long as the session.
 *
 * @param open makes the request in the session
 * @param signal of the request that was refused: nobody waits for longer
 */
export function logInToProxy(
  open: () => ProbeRequest,
  logins: ProxyLogins,
  signal?: AbortSignal | null,
): Promise<LoggedIn> {
  return new Promise((resolve) => {
    const request = open()
    const attempt = new LoginAttempt(logins)
    const giveUp = (): void => request.abort()
    const end = (outcome: LoggedIn): void => {
      signal?.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const arrived = (): void => {
      // Unasked, because another request has logged the session in meanwhile.
      end(attempt.outcome === 'not-it' ? 'done' : attempt.outcome)
      request.abort()
    }
    request.on('login', (challenge, give) => attempt.answer(challenge, give))
    request.on('response', arrived)
    // The service's word, too, which came through.
    request.on('redirect', arrived)
    request.on('error', () => end(attempt.outcome === 'done' ? 'not-it' : attempt.outcome))
    request.on('abort', () => end(attempt.outcome))
    if (signal?.aborted) giveUp()
    else {
      signal?.addEventListener('abort', giveUp)
      request.end()
    }
  })
}

/** Such a request, of Electron's. @param url of the service; only its origin is asked */
export function openProbe(session: Session, url: string): ProbeRequest {
  const { origin } = new URL(url)
  // Not followed: nobody but the service is asked.
  return net.request({ method: 'HEAD', url: `${origin}/`, session, redirect: 'manual' })
}
