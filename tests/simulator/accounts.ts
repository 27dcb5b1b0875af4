import { ApiError, badRequest } from './api-error.ts'
import type { Random } from './random.ts'

/** The permission categories that the API names (service API 2.9). */
export const CATEGORIES = ['misc', 'user_read', 'instance_read', 'instance_write'] as const
export type Category = (typeof CATEGORIES)[number]

/** Kinds of accounts that tests can ask for. */
export const FIXTURES = [
  'default',
  'unverified',
  'admin',
  'team',
  'legacy',
  'scoped-read',
  'revoked',
  'multi-sms',
] as const
export type FixtureName = (typeof FIXTURES)[number]

/** An account and what its fixture made of it. */
export interface Account {
  readonly id: number
  readonly fixture: FixtureName
  /** Empty for an account without an address. */
  readonly email: string
  readonly fullName: string
  /** What it was given; what its instances have cost so far goes off it. */
  readonly creditUsd: number
  /** USD that each of its instances has cost up to now, by the instance's id. */
  readonly chargesUsd: Map<number, () => number>
  /** Public SSH key in the form of authorized_keys, or an empty string. */
  sshKey: string
  /** Whether instances let its key in; the API does not say that they do. */
  readonly isKeyInstalled: boolean
  /** Seconds since the epoch, null while the email address is unverified. */
  emailVerifiedAt: number | null
  readonly isAdmin: boolean
  /** Calls from a team context are refused by the 2FA endpoints. */
  readonly isTeam: boolean
  /** How a key of it is refused that lacks a permission: the API leaves open which of the two (service API 5.3). */
  readonly underScopedStatus: 401 | 403
}

/**
 * Who sent a request: the holder of an account's key, or of a session that began with it, or an instance with the key
 * that it was given.
 */
export type Caller =
  | {
      readonly kind: 'account'
      readonly account: Account
      readonly categories: readonly Category[]
      /** Null for the API key itself. */
      readonly session: SessionKind | null
    }
  | { readonly kind: 'instance'; readonly account: Account; readonly instanceId: number }

/** What a 2FA login was asked for (service API 4.7). */
export type SessionKind = 'user' | 'admin'

export interface AccountOptions {
  readonly sshKey?: string | undefined
  /** Whether its instances let that key in: yes, unless it is false. */
  readonly isKeyInstalled?: boolean | undefined
  /** What the key may do; without it what the fixture says. */
  readonly categories?: readonly Category[] | undefined
  /** 403, unless it is 401. */
  readonly underScopedStatus?: 401 | 403 | undefined
  /** Email address; an empty one is none, and unverified. */
  readonly email?: string | undefined
  /** Whether the address is verified; without it what the fixture says. */
  readonly emailVerified?: boolean | undefined
}

export interface Accounts {
  /** Makes a fresh account with one key. */
  create(fixture: FixtureName, options?: AccountOptions): { readonly account: Account; readonly key: string }
  /** Makes another key of the account that this one is of, as its console does; without categories it may do everything. */
  createKey(of: string, categories?: readonly Category[]): string
  /** Makes the restricted key of an instance, which lives until `revoke`. */
  createInstanceKey(account: Account, instanceId: number): string
  /** Makes the key of a session, which lives until `revoke`; without categories it may do everything. */
  createSession(account: Account, session: SessionKind, categories?: readonly Category[]): string
  /** Gives a key of an account these categories alone. */
  limit(key: string, categories: readonly Category[]): void
  revoke(key: string): void
  /** Who sent this Authorization header; a 401 for a missing, malformed, unknown or revoked key. */
  authenticate(authorization: string | undefined): Caller
}

/** A day before the simulated world began: when the fixtures' addresses were verified. */
const DAY_SECONDS = 24 * 60 * 60

export function createAccounts(random: Random, startSeconds: number): Accounts {
  const callers = new Map<string, Caller>()
  let lastId = 40_000

  const newKey = (caller: Caller): string => {
    const key = random.hex(64)
    callers.set(key, caller)
    return key
  }

  return {
    create(
      fixture,
      {
        sshKey = '',
        isKeyInstalled = true,
        categories,
        email,
        emailVerified = fixture !== 'unverified',
        underScopedStatus = 403,
      } = {},
    ) {
      lastId += random.integer(1, 9)
      const address = email ?? `${fixture}-${String(lastId)}@example.com`
      const isVerified = emailVerified && address !== ''
      const account: Account = {
        id: lastId,
        fixture,
        email: address,
        fullName: `Robin ${fixture.charAt(0).toUpperCase()}${fixture.slice(1)}`,
        creditUsd: random.between(20, 90),
        chargesUsd: new Map(),
        sshKey,
        isKeyInstalled,
        emailVerifiedAt: isVerified ? Math.floor(startSeconds) - DAY_SECONDS : null,
        isAdmin: fixture === 'admin',
        isTeam: fixture === 'team',
        underScopedStatus,
      }
      const scope = categories ?? (fixture === 'scoped-read' ? ['user_read', 'instance_read'] : CATEGORIES)
      const key = newKey({ kind: 'account', account, categories: scope, session: null })
      if (fixture === 'revoked') callers.delete(key)
      return { account, key }
    },
    createKey(of, categories = CATEGORIES) {
      const owner = callers.get(of)
      if (owner?.kind !== 'account') throw badRequest('body.of: not a key of an account')
      return newKey({ kind: 'account', account: owner.account, categories, session: null })
    },
    createInstanceKey: (account, instanceId) => newKey({ kind: 'instance', account, instanceId }),
    createSession: (account, session, categories = CATEGORIES) =>
      newKey({ kind: 'account', account, categories, session }),
    limit(key, categories) {
      const caller = callers.get(key)
      if (caller?.kind !== 'account') throw badRequest('body.key: not a key of an account')
      callers.set(key, { ...caller, categories })
    },
    revoke: (key) => void callers.delete(key),
    authenticate(authorization) {
      if (authorization === undefined) {
        throw unauthorized('no key: send the header "Authorization: Bearer <API_KEY>"')
      }
      // The scheme's name is written either way (RFC 9110, 11.1).
      const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
      if (key === undefined)
        throw unauthorized('the Authorization header is not of the form "Bearer <API_KEY>"')
      const caller = callers.get(key)
      if (caller === undefined) throw unauthorized('the key is wrong or was revoked, or its session is over')
      return caller
    },
  }
}

/** Refuses a caller whose key does not reach this category (service API 2.9 and 5). */
export function requireCategory(caller: Caller, category: Category): void {
  if (caller.kind === 'instance') {
    throw forbidden("an instance's own key may only start, stop or destroy that instance")
  }
  if (caller.categories.includes(category)) return
  const refuse = caller.account.underScopedStatus === 401 ? unauthorized : forbidden
  throw refuse(`the API key lacks the permission ${category}`)
}

/** A 403: the key is known, but does not reach this far. */
export const forbidden = (message: string): ApiError => new ApiError(403, 'forbidden', message)
const unauthorized = (message: string): ApiError => new ApiError(401, 'unauthorized', message)
