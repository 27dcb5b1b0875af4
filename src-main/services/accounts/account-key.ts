import type { AccountIdentity } from '../../domain/base/account-identity.ts'
import { type AccountState, identityIn, serviceUserId, type User } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { invalidInput, ProblemError, type Problem } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { fetchUser } from '../rental-api/account.ts'
import { readApiKey, type ApiKeyStore } from './api-key-store.ts'
import { createBearer, type AdminSession } from './bearer.ts'
import { checkKey, identityByKey, identityOf, whyNotReplaced, type CheckedKey } from './check-key.ts'
import { tellingLimits } from './key-permissions.ts'
import { createHttp, type Credentials, type Http, type HttpOptions } from '../rental-api/http.ts'

/** An account that is kept for the next run, without its key. */
export interface StoredAccount {
  readonly keyId: string
  readonly serviceAddress: string
  readonly userId: AccountIdentity['userId']
  readonly keyMask: string
}

export interface AccountFile {
  readonly read: () => StoredAccount | null
  readonly write: (account: StoredAccount | null) => Promise<void>
}

export interface AccountKeyOptions extends Omit<HttpOptions, 'credentials'> {
  readonly clock: Clock
  readonly keys: ApiKeyStore
  readonly file: AccountFile
  readonly randomId: () => string
  readonly log: Log
  /** Told of each key before it is used, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
}

/** One account: its state for the window, and the client that speaks in its name. */
export interface AccountKey {
  readonly state: Latest<AccountState>
  /** Speaks in its name, as `Bearer.http` does; once it is forgotten, nothing is sent, and it throws `no-account`. */
  readonly http: Http
  /** The same by the API key, whatever is chosen: for what is about that key. */
  readonly keyHttp: Http
  /** @throws ProblemError no-account */
  readonly identity: () => AccountIdentity
  /**
   * The service's own id of the account, asked for where it is not known yet.
   *
   * @throws ProblemError no-account, and what stopped the request: not-allowed for a key that may not read the account
   */
  readonly userId: () => Promise<number>
  /** The same with a session's key in place of the API key, which says whether the address is the right one. */
  readonly httpOfSession: (sessionKey: string) => Http
  /**
   * Has all requests go by this session until it or the key ends; `null`: by the API key again.
   *
   * @throws ProblemError as `Bearer.useSession` does
   */
  readonly useSession: (session: AdminSession | null) => Promise<void>
  /** Whether it is the key in use. `false` also where that one can't be read: then nothing acts by it, either. */
  readonly holds: (key: Pick<CheckedKey, 'serviceAddress' | 'apiKey'>) => Promise<boolean>
  /**
   * Keeps the key and uses it, in place of the one before; the account stays who it is.
   *
   * @throws ProblemError keychain-locked, storage-failed
   */
  readonly use: (key: CheckedKey, keepIn: 'keychain' | 'memory') => Promise<void>
  /** Checks another key of this account, and uses it; a key of anybody else is `invalid-input`, and changes nothing. */
  readonly replaceKey: (request: {
    readonly apiKey: string
    readonly keepIn: 'keychain' | 'memory'
  }) => Promise<void>
  /** Asks the service by the API key who this is. A failure is in the state, not thrown: nothing waits for it. */
  readonly check: () => Promise<void>
  /**
   * Forgets the account and its keys, here and in the keychain.
   *
   * @throws ProblemError keychain-locked, keychain-unavailable: it is connected as before then
   */
  readonly forget: () => Promise<void>
}

export function createAccountKey(options: AccountKeyOptions): AccountKey {
  const { clock, keys, file, randomId, log, remember } = options
  const stored = file.read()
  const state = new Latest<AccountState>(
    stored === null ? { kind: 'none' } : connected(stored, { keyKeptIn: 'keychain' }),
  )
  /** One after the other: each takes away what was there before. */
  const queue = new SerialQueue()
  // Read from the keychain once per run: it may be locked later, and watching must go on.
  let current: (Credentials & { readonly keyId: string }) | null = null

  async function credentials(): Promise<Credentials> {
    const account = state.value
    if (account.kind === 'none') throw new ProblemError({ kind: 'no-account' })
    if (current?.keyId === account.keyId) return current
    const { keyId, serviceAddress } = account
    const apiKey = await readApiKey(keys, account)
    remember(apiKey)
    current = { keyId, serviceAddress, bearer: apiKey }
    return current
  }

  const keyHttp = tellingLimits(createHttp({ ...options, credentials }))
  const httpOfSession = (sessionKey: string): Http =>
    createHttp({ ...options, credentials: async () => ({ ...(await credentials()), bearer: sessionKey }) })
  const bearer = createBearer({ keyHttp, httpOfSession, state })

  async function use(key: CheckedKey, keepIn: 'keychain' | 'memory'): Promise<void> {
    const { serviceAddress, apiKey, user } = key
    const previous = state.value
    const keyId = randomId()
    const { origin } = new URL(serviceAddress)
    const { keptIn } = await keys.keep(keyId, { apiKey, origin }, keepIn)
    const { userId } = previous.kind === 'none' ? identityOf(key) : previous
    const account: StoredAccount = { keyId, serviceAddress, userId, keyMask: maskOf(apiKey) }
    const onDisk = file.read()?.keyId ?? null
    const replaced = new Set([onDisk, previous.kind === 'connected' ? previous.keyId : null])
    if (keptIn === 'keychain') await keepOnDisk(account)
    // A key in memory is gone after this run. What is kept for the next one stays: it may be readable then.
    else replaced.delete(onDisk)
    bearer.useApiKey()
    current = { serviceAddress, bearer: apiKey, keyId }
    state.set({ ...connected(account, { keyKeptIn: keptIn }), user, checkedAt: clock.now() })
    // Last: until here the old key was the one that worked.
    for (const old of replaced) if (old !== null) await forgetUnused(old, 'The API key that was replaced')
    // An account that is known by a key that may no longer read it: its state says so.
    if (user === null && typeof userId === 'number') await check()
  }

  /** A key that no account on the disk names would stay in the keychain unseen. */
  async function keepOnDisk(account: StoredAccount): Promise<void> {
    try {
      await file.write(account)
    } catch (error) {
      await forgetUnused(account.keyId, 'The API key of an account that was not kept')
      throw error
    }
  }

  async function replaceKey({ apiKey, keepIn }: Parameters<AccountKey['replaceKey']>[0]): Promise<void> {
    const account = state.value
    if (account.kind === 'none') throw new ProblemError({ kind: 'no-account' })
    await refuseChangedAddress()
    const checked = await checkKey({ serviceAddress: account.serviceAddress, apiKey }, options)
    // Its permissions may have changed since.
    if (serviceUserId(account) === null) await check()
    const why = whyNotReplaced(state.value, checked)
    if (why !== null && !(await isOwnKey(checked))) throw invalidInput('apiKey', why)
    await use(checked, keepIn)
  }

  /** The key in use, or the one that the account is named by. */
  async function isOwnKey(key: CheckedKey): Promise<boolean> {
    const account = identityIn(state.value)
    return account?.userId === identityByKey(key).userId || (await holds(key))
  }

  async function holds({ serviceAddress, apiKey }: Parameters<AccountKey['holds']>[0]): Promise<boolean> {
    const account = state.value
    if (account.kind === 'none' || account.serviceAddress !== serviceAddress) return false
    // The keychain isn't asked for the keys of all accounts.
    if (account.keyMask !== maskOf(apiKey)) return false
    try {
      return (await credentials()).bearer === apiKey
    } catch (error) {
      if (error instanceof ProblemError) return false
      throw error
    }
  }

  /** The new key would go to an address that the old one is not for. Without the old one, nothing tells. */
  async function refuseChangedAddress(): Promise<void> {
    try {
      await credentials()
    } catch (error) {
      if (error instanceof ProblemError && error.problem.kind !== 'address-changed') return
      throw error
    }
  }

  async function forgetUnused(keyId: string, what: string): Promise<void> {
    try {
      await keys.forget(keyId)
    } catch (error) {
      log.error(`${what} is still in the keychain`, error)
    }
  }

  async function check(): Promise<void> {
    const before = state.value
    if (before.kind === 'none') return
    let outcome: { user: User | null; problem: null } | { problem: Problem }
    try {
      outcome = { user: await fetchUser(keyHttp), problem: null }
    } catch (error) {
      const problem: Problem =
        error instanceof ProblemError
          ? error.problem
          : { kind: 'unexpected', id: log.error('Asking for the account failed', error) }
      // As it was when it was connected.
      const isUnread = problem.kind === 'not-allowed' && typeof before.userId === 'string'
      outcome = isUnread ? { user: null, problem: null } : { problem }
    }
    const now = state.value
    if (now.kind === 'none' || now.keyId !== before.keyId) return
    state.set({ ...now, ...outcome, checkedAt: clock.now() })
  }

  async function forget(): Promise<void> {
    const account = state.value
    // Beside a key in memory, there may be one that is kept for the next run.
    const known = [file.read()?.keyId, account.kind === 'connected' ? account.keyId : undefined]
    for (const keyId of new Set(known)) if (keyId !== undefined) await keys.forget(keyId)
    await file.write(null)
    bearer.useApiKey()
    current = null
    state.set({ kind: 'none' })
  }

  return {
    state,
    http: bearer.http,
    keyHttp,
    identity: () => {
      if (state.value.kind === 'none') throw new ProblemError({ kind: 'no-account' })
      return state.value
    },
    userId: async () => {
      if (state.value.kind === 'none') throw new ProblemError({ kind: 'no-account' })
      return serviceUserId(state.value) ?? (await fetchUser(keyHttp)).id
    },
    httpOfSession,
    useSession: async (session) => (session === null ? bearer.useApiKey() : bearer.useSession(session)),
    holds,
    use: (key, keepIn) => queue.take(() => use(key, keepIn)),
    replaceKey: (request) => queue.take(() => replaceKey(request)),
    check,
    forget: () => queue.take(forget),
  }
}

function connected(
  account: StoredAccount,
  { keyKeptIn }: { readonly keyKeptIn: 'keychain' | 'memory' },
): Extract<AccountState, { kind: 'connected' }> {
  return {
    kind: 'connected',
    ...account,
    keyKeptIn,
    bearer: 'api-key',
    user: null,
    checkedAt: null,
    problem: null,
  }
}

/** Enough to tell two keys apart, too little to use: the last four characters of a long key. */
function maskOf(apiKey: string): string {
  return apiKey.length >= 16 ? `••••${apiKey.slice(-4)}` : '••••'
}
