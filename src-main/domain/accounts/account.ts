import { z } from 'zod'
import { saying, type PlainFault } from '../base/input-fault.ts'
import { accountUserId, type AccountIdentity } from '../base/account-identity.ts'
import { problem } from '../base/problem.ts'

/**
 * The account as the service describes it (service API 2.5). Only `id` is required: a record that lacks
 * something else is still shown, with what it has. Unknown fields are kept.
 */
export const user = z.looseObject({
  id: z.number(),
  email: z.string().nullish(),
  full_name: z.string().nullish(),
  /** Balance in US dollars. */
  credit: z.number().nullish(),
  ssh_key: z.string().nullish(),
  tfa_status: z.string().nullish(),
  email_verified_at: z.union([z.string(), z.number()]).nullish(),
  is_admin: z.boolean().nullish(),
})
export type User = z.infer<typeof user>

/** The page's account. The window never gets its key, only a mask of it. */
export const accountState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('connected'),
    /** Names the key in the vault; a key that replaces it has another one. */
    keyId: z.string(),
    serviceAddress: z.string(),
    userId: accountUserId,
    keyMask: z.string(),
    /** Where the key is kept: the keychain, or memory until Slipway quits. */
    keyKeptIn: z.enum(['keychain', 'memory']),
    /** What its requests go by; what is about the API key goes by that in any case. */
    bearer: z.enum(['api-key', 'admin-session']),
    /** The last known record; `null` before the first answer, and while the key may not read it. */
    user: user.nullable(),
    checkedAt: z.number().nullable(),
    /** Why the last check failed. */
    problem: problem.nullable(),
  }),
])
export type AccountState = z.infer<typeof accountState>

/** Who is connected; `null` for nobody. */
export function identityIn(state: AccountState): AccountIdentity | null {
  if (state.kind === 'none') return null
  const { serviceAddress, userId } = state
  return { serviceAddress, userId }
}

/** The service's own id of the account; `null` while nobody could be asked. */
export function serviceUserId({
  userId,
  user: record,
}: Pick<Extract<AccountState, { kind: 'connected' }>, 'userId' | 'user'>): number | null {
  return typeof userId === 'number' ? userId : (record?.id ?? null)
}

/** Whether it was connected by a key that may not read it, and nothing is known of it. */
export function isUnreadAccount(
  account: Pick<Extract<AccountState, { kind: 'connected' }>, 'userId' | 'user'>,
): boolean {
  return serviceUserId(account) === null
}

/** What an account is called by itself: its user's name, else email, else the service's host. */
export function accountName({
  user,
  serviceAddress,
}: {
  readonly user: Pick<User, 'full_name' | 'email'> | null
  readonly serviceAddress: string
}): string {
  return user?.full_name?.trim() || user?.email?.trim() || new URL(serviceAddress).host
}

/** An API key as it is pasted. */
export const pastedKey = z.string().trim().min(1).max(2000)

/** A service's address as it is typed; {@link parseServiceAddress} says what is wrong with it. */
export const typedServiceAddress = z.string().superRefine((typed, context) => {
  const parsed = parseServiceAddress(typed)
  if (!parsed.ok) context.addIssue({ code: 'custom', ...saying({ code: parsed.why }) })
})

/**
 * The service's address as the user typed it, as an origin and path without a trailing slash, or why it
 * cannot be used. Plain http is for this machine only: a key must not cross a network unencrypted.
 */
export function parseServiceAddress(
  typed: string,
): { readonly ok: true; readonly address: string } | { readonly ok: false; readonly why: PlainFault } {
  const text = typed.trim()
  if (text === '') return { ok: false, why: 'missing' }
  let url: URL
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    return { ok: false, why: 'wrong-form' }
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return {
      ok: false,
      why: 'not-encrypted',
    }
  if (url.username !== '' || url.password !== '') return { ok: false, why: 'has-login' }
  if (url.search !== '' || url.hash !== '') return { ok: false, why: 'has-query' }
  return { ok: true, address: `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}` }
}

/** Whether a URL's host name is this machine, by exact comparison. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
