import { parseServiceAddress, type User } from '../../domain/accounts/account.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import { fetchUser } from '../rental-api/account.ts'
import { createHttp, type Credentials, type HttpOptions } from '../rental-api/http.ts'

/** A key that the service has taken, and whose it is. */
export interface CheckedKey {
  /** As `parseServiceAddress` gives it. */
  readonly serviceAddress: string
  readonly apiKey: string
  readonly user: User
}

/**
 * Asks the service whose key it is. Nothing is kept.
 *
 * @throws ProblemError invalid-input (`serviceAddress`), and what stopped the request
 */
export async function checkKey(
  typed: { readonly serviceAddress: string; readonly apiKey: string },
  options: Omit<HttpOptions, 'credentials'> & {
    /**
     * Told of the key before it is used, so that it can be kept out of the log. Of a refused one as well: it may be good
     * elsewhere, and what is logged of the failure comes after this. It is in memory only, and ends with this run.
     */
    readonly remember: (secret: string) => void
  },
): Promise<CheckedKey> {
  const { apiKey } = typed
  const parsed = parseServiceAddress(typed.serviceAddress)
  if (!parsed.ok)
    throw new ProblemError({ kind: 'invalid-input', field: 'serviceAddress', message: parsed.why })
  options.remember(apiKey)
  const serviceAddress = parsed.address
  const credentials: Credentials = { serviceAddress, bearer: apiKey }
  const user = await fetchUser(createHttp({ ...options, credentials: () => Promise.resolve(credentials) }))
  return { serviceAddress, apiKey, user }
}
