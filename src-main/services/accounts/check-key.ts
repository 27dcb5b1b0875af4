import { createHash } from 'node:crypto'
import {
  parseServiceAddress,
  serviceUserId,
  type AccountState,
  type User,
} from '../../domain/accounts/account.ts'
import type { AccountIdentity } from '../../domain/base/account-identity.ts'
import type { InputFault } from '../../domain/base/input-fault.ts'
import { invalidInput, ProblemError, type Problem } from '../../domain/base/problem.ts'
import { fetchUser } from '../rental-api/account.ts'
import { createHttp, type Credentials, type Http, type HttpOptions } from '../rental-api/http.ts'
import { isLetThrough } from './key-permissions.ts'

/** A key that the service has taken, and whose it is. */
export interface CheckedKey {
  /** As `parseServiceAddress` gives it. */
  readonly serviceAddress: string
  readonly apiKey: string
  /** `null`: the key may do something, and may not ask whose it is. */
  readonly user: User | null
}

/** The account of a key. One that may not ask whose it is is an account by itself, the same whenever it is entered. */
export function identityOf(key: CheckedKey): AccountIdentity {
  const { serviceAddress, user } = key
  return user === null ? identityByKey(key) : { serviceAddress, userId: user.id }
}

/**
 * The account that a key is by itself. It stays that once the key may ask whose it is: permissions change, and an open
 * account's journals and rules are kept under its identity. Keys are random, so that nobody finds the key by its digest.
 */
export function identityByKey({
  serviceAddress,
  apiKey,
}: Pick<CheckedKey, 'serviceAddress' | 'apiKey'>): AccountIdentity {
  const digest = createHash('sha256').update(apiKey).digest('hex').slice(0, 16)
  return { serviceAddress, userId: `key-${digest}` }
}

/**
 * Another account's key would stop, destroy, and rent in that one's name: what cannot be told is refused.
 *
 * @returns `null`: both are of one user
 */
export function whyNotReplaced(account: AccountState, { user }: CheckedKey): InputFault | null {
  const userId = account.kind === 'none' ? null : serviceUserId(account)
  if (userId === null) return { code: 'account-unread' }
  if (user === null) return { code: 'reads-no-account' }
  return user.id === userId ? null : { code: 'other-account', id: user.id, email: user.email ?? '' }
}

/**
 * Asks the service whose key it is. Nothing is kept.
 *
 * @throws ProblemError invalid-input (`serviceAddress`), what stopped the request, and key-refused or not-allowed for a key
 *   that is let through for nothing that it is asked for
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
  if (!parsed.ok) throw invalidInput('serviceAddress', { code: parsed.why })
  options.remember(apiKey)
  const serviceAddress = parsed.address
  const credentials: Credentials = { serviceAddress, bearer: apiKey }
  const http = createHttp({ ...options, credentials: () => Promise.resolve(credentials) })
  return { serviceAddress, apiKey, user: await userIfAllowed(http) }
}

/** 401 and 403 come for a wrong key and for a limited one (service API 5.3): only what is let through elsewhere is limited. */
async function userIfAllowed(http: Http): Promise<User | null> {
  try {
    return await fetchUser(http)
  } catch (error) {
    if (!(error instanceof ProblemError) || !isAboutKey(error.problem)) throw error
    if (await isLetThrough(http)) return null
    throw error
  }
}

function isAboutKey({ kind }: Problem): boolean {
  return kind === 'key-refused' || kind === 'not-allowed'
}
