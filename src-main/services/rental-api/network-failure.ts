import type { Problem } from '../../domain/base/problem.ts'

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
