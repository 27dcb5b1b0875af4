import { z } from 'zod'
import type { Problem } from '../base/problem.ts'
import { isUnreadAccount, type AccountState } from './account.ts'

/** The permission categories that the API names (service API 2.9); there are others, which it does not show. */
export const permissionCategories = ['user_read', 'instance_read', 'instance_write', 'misc'] as const
const permissionCategory = z.enum(permissionCategories)
export type PermissionCategory = z.infer<typeof permissionCategory>

/** What the service let a key do when it was asked. */
const permissionAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allowed') }),
  /** With the service's own words. */
  z.object({ kind: z.literal('not-allowed'), message: z.string() }),
  /** 401, and the key was let through for nothing: that says nothing of its permissions. */
  z.object({ kind: z.literal('key-refused'), message: z.string() }),
  /** Whatever of the API would tell could also change something. */
  z.object({ kind: z.literal('not-asked') }),
  /** No answer that tells. */
  z.object({ kind: z.literal('unknown') }),
])
export type PermissionAnswer = z.infer<typeof permissionAnswer>

export const keyPermissions = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Of which key: another one may have taken its place since. */
  keyMask: z.string(),
  answers: z.record(permissionCategory, permissionAnswer),
})
export type KeyPermissions = z.infer<typeof keyPermissions>

/**
 * What a request that came back with this problem says about the key's permission: the key is looked at before what
 * was asked for, so that a refusal of the request itself means that the key was let through.
 */
export function permissionFrom(problem: Problem | null): PermissionAnswer {
  if (problem === null) return { kind: 'allowed' }
  switch (problem.kind) {
    case 'not-allowed':
    case 'key-refused':
      return { kind: problem.kind, message: problem.message }
    case 'refused':
      return { kind: 'allowed' }
    case 'bad-reply':
      return { kind: problem.status < 300 ? 'allowed' : 'unknown' }
    default:
      return { kind: 'unknown' }
  }
}

/** How the key in use is, as far as the API tells (service API 5.3). */
export type KeyStatus =
  | { readonly kind: 'not-known' }
  | { readonly kind: 'works' }
  /** It works, and was refused for some of what was asked. */
  | { readonly kind: 'limited'; readonly refused: readonly PermissionCategory[] }
  /** It works, and has never let anybody read the account. */
  | { readonly kind: 'unread'; readonly refused: readonly PermissionCategory[] }
  /** Let through for nothing, though it was accepted when it was connected: keys do not expire, so that it was deleted. */
  | { readonly kind: 'revoked'; readonly message: string }
  /** Refused for the account itself. */
  | { readonly kind: 'may-not-read-account'; readonly message: string }
  /** What came back is not about the key. */
  | { readonly kind: 'cannot-tell' }

/**
 * @param account of the key: when it was last asked who that is, and what stood in the way
 * @param permissions the answers for the same key, if it was asked
 */
export function keyStatusOf(
  account: Pick<Extract<AccountState, { kind: 'connected' }>, 'userId' | 'user' | 'checkedAt' | 'problem'>,
  permissions: KeyPermissions | null,
): KeyStatus {
  const { problem, checkedAt } = account
  if (problem?.kind === 'key-refused') return { kind: 'revoked', message: problem.message }
  if (problem?.kind === 'not-allowed') return { kind: 'may-not-read-account', message: problem.message }
  const answers = permissions?.answers
  for (const category of permissionCategories) {
    const answer = answers?.[category]
    if (answer?.kind === 'key-refused') return { kind: 'revoked', message: answer.message }
  }
  const refused = permissionCategories.filter((category) => answers?.[category].kind === 'not-allowed')
  if (problem === null && checkedAt !== null && isUnreadAccount(account)) return { kind: 'unread', refused }
  if (refused.length > 0) return { kind: 'limited', refused }
  if (problem !== null) return { kind: 'cannot-tell' }
  return { kind: checkedAt === null ? 'not-known' : 'works' }
}
