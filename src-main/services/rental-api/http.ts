import pRetry from 'p-retry'
import type { DatedReply } from '../../domain/vault/clock-offset.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'
import { readReply, type Expected } from './reply.ts'

/** Whose name a request is made in. The key goes to this address and nowhere else. */
export interface Credentials {
  /** Origin and path without a trailing slash, checked by `parseServiceAddress`. */
  readonly serviceAddress: string
  /** An API key or a session's key; `null` for somebody logged out, whose request has a challenge's secret. */
  readonly bearer: string | null
}

export interface HttpRequest<T> extends Expected<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins and ends with a slash (service API, conventions). */
  readonly path: string
  readonly body?: unknown
  /**
   * Asking twice does no harm, so passing failures are tried again. Everything that rents, spends a code or
   * removes something is sent once.
   */
  readonly repeatable: boolean
  /** Deadline for the whole exchange, body included. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface HttpOptions {
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  /** Throws a {@link ProblemError} when there is no key to use. */
  readonly credentials: () => Promise<Credentials>
  /** Told when the service says what time it is: each reply does. */
  readonly onDate?: (reply: DatedReply) => void
}

export interface Http {
  /** @throws ProblemError with what stopped the request, in the user's terms. */
  readonly send: <T>(request: HttpRequest<T>) => Promise<T>
}

const defaultTimeoutMs = 20_000
const retries = 2
/** A service that asks for more patience than this is told to the user instead. */
const longestRetryAfterSeconds = 15

/** The one way to the rental service (service API 4, 5): key, deadline, retries, and replies that are checked. */
export function createHttp(options: HttpOptions): Http {
  const { clock, random } = options

  async function send<T>(request: HttpRequest<T>): Promise<T> {
    if (!request.repeatable) return exchange(options, request)
    return pRetry(() => exchange(options, request), {
      retries,
      // The waiting is done below, on the injected clock.
      minTimeout: 0,
      maxTimeout: 0,
      shouldRetry: ({ error }) => error instanceof ProblemError && isWorthAnotherTry(error.problem),
      onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
        if (retriesLeft === 0 || !(error instanceof ProblemError) || !isWorthAnotherTry(error.problem)) return
        await clock.sleep(delayMs(error.problem, attemptNumber, random()), request.signal)
      },
      ...(request.signal && { signal: request.signal }),
    })
  }

  return { send }
}

function isWorthAnotherTry(problem: Problem): boolean {
  if (problem.kind === 'rate-limited' && (problem.retryAfterSeconds ?? 0) > longestRetryAfterSeconds)
    return false
  return isPassing(problem)
}

/** Exponential with full jitter on the upper half, or what the service asked for. */
function delayMs(problem: Problem, attempt: number, chance: number): number {
  if (problem.kind === 'rate-limited' && problem.retryAfterSeconds !== null)
    return problem.retryAfterSeconds * 1000
  return 500 * 2 ** (attempt - 1) * (1 + chance)
}

async function exchange<T>(options: HttpOptions, request: HttpRequest<T>): Promise<T> {
  const { fetch, clock, credentials, onDate } = options
  const { serviceAddress, bearer } = await credentials()
  const origin = new URL(serviceAddress).origin
  const deadline = new AbortController()
  const done = new AbortController()
  const signals = request.signal ? [deadline.signal, request.signal] : [deadline.signal]
  clock.sleep(request.timeoutMs ?? defaultTimeoutMs, done.signal).then(
    () => deadline.abort(),
    () => undefined, // the exchange ended first
  )
  const sentMs = clock.now()
  try {
    const response = await fetch(`${serviceAddress}${request.path}`, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.any(signals),
      // The API has no redirects; following one could carry the key to another origin.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    })
    const receivedMs = clock.now()
    const dateMs = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(dateMs)) onDate?.({ dateMs, sentMs, receivedMs })
    return await readReply(response, request, receivedMs)
  } catch (error) {
    if (error instanceof ProblemError) throw error
    request.signal?.throwIfAborted()
    const problem: Problem = deadline.signal.aborted
      ? { kind: 'unreachable', cause: 'timeout', origin }
      : problemOfFetchFailure(error, origin)
    throw new ProblemError(problem, { cause: error })
  } finally {
    done.abort()
  }
}

type Cause = Extract<Problem, { kind: 'unreachable' }>['cause']

/** Node's and undici's error codes, and the names of Chromium's net errors (Electron's fetch). */
const causes: readonly (readonly [RegExp, Cause])[] = [
  [/ERR_PROXY_AUTH_/, 'proxy-login'],
  [/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/, 'address-unknown'],
  [/ECONNREFUSED|ERR_CONNECTION_REFUSED/, 'refused'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_CONNECTION_(RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE/, 'reset'],
  [/ERR_CONTENT_LENGTH_MISMATCH|ERR_INCOMPLETE_CHUNKED_ENCODING|terminated/, 'reset'],
  [/ETIMEDOUT|UND_ERR_\w{0,40}TIMEOUT|ERR_(CONNECTION_)?TIMED_OUT/, 'timeout'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL|ERR_TLS/, 'certificate'],
]

/** undici's and Electron's words for `redirect: 'error'`; a host may have "redirect" in its name. */
const redirects = /unexpected redirect|redirect policy was|ERR_(UNSAFE|TOO_MANY|INVALID)_REDIRECT/i

/** What a rejected fetch, or a body that broke off, means. The error's own text never reaches the user. */
export function problemOfFetchFailure(error: unknown, origin: string): Problem {
  const text = describe(error)
  if (redirects.test(text)) return { kind: 'redirected', origin }
  const cause = causes.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
  return { kind: 'unreachable', cause, origin }
}

function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return `${code} ${error.message} ${error.cause === undefined ? '' : describe(error.cause, depth + 1)}`
}
