import { serviceUserId, type AccountState } from '../../domain/accounts/account.ts'
import type { Latest } from '../../domain/base/latest.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { fetchUser } from '../rental-api/account.ts'
import type { Http, HttpRequest } from '../rental-api/http.ts'

/** An admin session that a 2FA login opened (service API 4.7). */
export interface AdminSession {
  readonly key: string
  /** Told that it's of no use: the service refused it, or it's another user's. */
  readonly drop: () => void
}

export interface BearerOptions {
  /** By the API key. */
  readonly keyHttp: Http
  readonly httpOfSession: (sessionKey: string) => Http
  /** Says which of the two the account's requests go by. */
  readonly state: Latest<AccountState>
}

export interface Bearer {
  /**
   * The account's requests: by the API key, or by the session for as long as that is chosen. Once the service refuses the
   * session they go by the API key again. What only reads is then read by that; what doesn't is not sent again by itself.
   *
   * @throws ProblemError session-ended for a request that was refused with its session: the service did nothing
   */
  readonly http: Http
  /**
   * Chooses the session, once the service has said that it's of this user.
   *
   * @throws ProblemError session-ended, also for another user's;
   *   no-account, and what stopped a request. Where something else was chosen meanwhile, that stays.
   */
  readonly useSession: (session: AdminSession) => Promise<void>
  readonly useApiKey: () => void
}

/** The one place that decides what an account's requests go by. The choice is in memory only. */
export function createBearer({ keyHttp, httpOfSession, state }: BearerOptions): Bearer {
  let chosen: AdminSession | null = null
  /** What was asked for last: an earlier wish whose check is still on its way no longer counts. */
  let wished: AdminSession | null = null

  function choose(session: AdminSession | null): void {
    chosen = session
    const now = state.value
    const bearer = session === null ? 'api-key' : 'admin-session'
    if (now.kind !== 'none' && now.bearer !== bearer) state.set({ ...now, bearer })
  }

  function useApiKey(): void {
    wished = null
    choose(null)
  }

  async function sendBy<T>(session: AdminSession, request: HttpRequest<T>): Promise<T> {
    const http = httpOfSession(session.key)
    try {
      return await http.send(request)
    } catch (error) {
      if (!(error instanceof ProblemError) || !(await isOver(http, error.problem))) throw error
      if (chosen === session) useApiKey()
      session.drop()
      throw sessionEnded()
    }
  }

  async function send<T>(request: HttpRequest<T>): Promise<T> {
    if (chosen === null) return keyHttp.send(request)
    try {
      return await sendBy(chosen, request)
    } catch (error) {
      // Nobody may take it for the account's answer: some are asked once, and then something is done by what they say.
      const isRead = request.repeatable || request.method === 'GET'
      if (isRead && isSessionEnded(error)) return keyHttp.send(request)
      throw error
    }
  }

  async function useSession(session: AdminSession): Promise<void> {
    const account = state.value
    if (account.kind === 'none') throw new ProblemError({ kind: 'no-account' })
    wished = session
    const userId = serviceUserId(account) ?? (await fetchUser(keyHttp)).id
    const { id } = await fetchUser({ send: (request) => sendBy(session, request) })
    if (id !== userId) {
      session.drop()
      throw sessionEnded(id)
    }
    if (wished === session) choose(session)
  }

  return { http: { send }, useSession, useApiKey }
}

/**
 * Whether a refusal is the session's end. A 403 may say that as well as that a permission is missing (service API 5):
 * what still reads its user, as it did when it was chosen, isn't over.
 */
async function isOver(http: Http, problem: Problem): Promise<boolean> {
  if (problem.kind !== 'not-allowed') return isBearerRefused(problem)
  try {
    await fetchUser(http)
    return false
  } catch (error) {
    // A service that is away says nothing of the session: the first refusal is told then.
    return (
      error instanceof ProblemError &&
      (error.problem.kind === 'not-allowed' || isBearerRefused(error.problem))
    )
  }
}

/** Whether the service takes what a request was sent by for none: a 401, or `auth_error` (service API 5, 7). */
function isBearerRefused(problem: Problem): boolean {
  return problem.kind === 'key-refused' || (problem.kind === 'tfa-refused' && problem.code === 'auth_error')
}

function isSessionEnded(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.kind === 'session-ended'
}

function sessionEnded(otherUserId: number | null = null): ProblemError {
  return new ProblemError({ kind: 'session-ended', otherUserId })
}
