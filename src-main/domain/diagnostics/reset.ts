import { z } from 'zod'
import { assertNever } from '../base/assert-never.ts'

/** What of Slipway can be set back to how it was before the first start, each by itself. */
export const resetParts = ['window', 'preferences', 'caches', 'known-hosts', 'account', 'secrets'] as const
export const resetPart = z.enum(resetParts)
export type ResetPart = z.infer<typeof resetPart>

/** What was asked for and is done at the next start, before anything else is. */
export const pendingReset = z.object({
  parts: z.array(resetPart).min(1).readonly(),
  /** The folder of the account that `account` is about. */
  account: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
})
export type PendingReset = z.infer<typeof pendingReset>

/** A part that could not be done, and why. */
export const failedReset = z.object({
  part: resetPart,
  why: z.discriminatedUnion('kind', [
    /** Some of its secrets are still in the keychain, and so are the accounts. */
    z.object({ kind: z.literal('keychain-closed') }),
    /** Which secrets are in the keychain cannot be told; what told it is kept at `keptAs`. */
    z.object({ kind: z.literal('index-unreadable'), keptAs: z.string() }),
    /** A newer Slipway's secrets are still in the keychain, on the list, and so are the accounts. */
    z.object({ kind: z.literal('secrets-of-newer') }),
    /** A file stays. */
    z.object({ kind: z.literal('not-deleted') }),
    /** Nothing was begun: `file`, which asks for it, can not be taken back, or was begun too often without an end. */
    z.object({ kind: z.literal('not-begun'), file: z.string() }),
  ]),
})
export type FailedReset = z.infer<typeof failedReset>

/** What came of taking everything of Slipway out of the keychain. */
export type Emptied =
  | { readonly kind: 'emptied' }
  | Extract<
      FailedReset['why'],
      { readonly kind: 'keychain-closed' | 'index-unreadable' | 'secrets-of-newer' }
    >

/** What the service said last, in an account's folder. */
const lastSeenFiles = ['instances', 'account', 'two-factor', 'templates', 'cloud', 'offers'].map(
  (what) => `last-${what}.json`,
)

/** What has to be typed for it; another one when secrets go, which nothing brings back. */
export function resetWord(parts: readonly ResetPart[]): string {
  return parts.includes('secrets') ? 'reset and delete my secrets' : 'reset'
}

/**
 * Files and folders that go, relative to the data folder.
 *
 * @param accounts the folders of all accounts
 */
export function filesOfPart(
  part: ResetPart,
  { accounts, account }: { readonly accounts: readonly string[]; readonly account: string | null },
): readonly string[] {
  const ofEach = (...names: string[]): readonly string[] =>
    accounts.flatMap((id) => names.map((name) => `accounts/${id}/${name}`))
  switch (part) {
    case 'window':
      return ['window.json', ...ofEach('frame.json', 'terminals.json', 'scrollback')]
    case 'preferences':
      return ['preferences.json']
    case 'caches':
      return ['clock.json', ...ofEach(...lastSeenFiles)]
    case 'known-hosts':
      return ['known_hosts', ...ofEach('host-keys.json')]
    case 'account':
      return account === null ? [] : [`accounts/${account}`]
    case 'secrets':
      // Without its key an account can do nothing; the index goes once the keychain has nothing left of it.
      return ['accounts.json']
    default:
      return assertNever(part)
  }
}
