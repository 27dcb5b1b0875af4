/** Node's and undici's words for why a request failed, and Chromium's, which are all that Electron tells. */
const words: readonly (readonly [RegExp, string])[] = [
  [/unexpected redirect/, "Attempted to redirect, but redirect policy was 'error'"],
  [/redirect count exceeded/, 'net::ERR_TOO_MANY_REDIRECTS'],
  [/ENOTFOUND|EAI_AGAIN/, 'net::ERR_NAME_NOT_RESOLVED'],
  [/ECONNREFUSED/, 'net::ERR_CONNECTION_REFUSED'],
  [/ENETUNREACH|EHOSTUNREACH/, 'net::ERR_ADDRESS_UNREACHABLE'],
  [/ETIMEDOUT|UND_ERR_\w{0,40}TIMEOUT/, 'net::ERR_TIMED_OUT'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, 'net::ERR_CERT_AUTHORITY_INVALID'],
  [/ERR_SSL|ERR_TLS|EPROTO/, 'net::ERR_SSL_PROTOCOL_ERROR'],
  [/HPE_/, 'net::ERR_INVALID_HTTP_RESPONSE'],
  [/ECONNRESET|EPIPE/, 'net::ERR_CONNECTION_RESET'],
]

/** The error of Electron's fetch for one of Node's. @param otherwise when the connection ended, at this point of the exchange */
export function netError(error: unknown, otherwise: string): Error {
  const text = describe(error)
  const [, message] = words.find(([pattern]) => pattern.test(text)) ?? []
  return new Error(message ?? (/UND_ERR_SOCKET|terminated/.test(text) ? otherwise : 'net::ERR_FAILED'))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return `${code} ${error.message} ${error.cause === undefined ? '' : describe(error.cause)}`
}

/** A body that fails with Electron's words when its connection does; what aborts `signal` comes as it was given. */
export function bodyOfElectron(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | null,
): typeof body {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (stream) => {
        try {
          const { done, value } = await reader.read()
          if (done) stream.close()
          else stream.enqueue(value)
        } catch (error) {
          stream.error(signal?.aborted ? error : netError(error, 'net::ERR_CONTENT_LENGTH_MISMATCH'))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
