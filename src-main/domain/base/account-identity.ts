import { z } from 'zod'

/**
 * The service's own id of the account: a number. A text, made of its key, is an account whose key could not ask the
 * service whose it is when it was connected: such a key is an account by itself, because nothing told that two of them are of one
 * (service API 2.5, 5.3). It stays that when more is known of it.
 */
export const accountUserId = z.union([z.number(), z.string().min(1)])

/** What an account is, whichever key it is used with. */
export interface AccountIdentity {
  readonly serviceAddress: string
  readonly userId: z.infer<typeof accountUserId>
}

/**
 * The user's id with its service: names an account where several have a place, such as the vault, whichever of its keys is
 * used.
 */
export function qualifiedUserId({ serviceAddress, userId }: AccountIdentity): string {
  return `${userId} at ${serviceAddress}`
}
