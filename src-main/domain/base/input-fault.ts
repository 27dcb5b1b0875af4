import { z } from 'zod'
import { keyFault } from './key-fault.ts'

/** Faults of what was typed or asked for with nothing more to say than which. */
const plainFault = z.enum([
  'wrong-value',
  /** Not made as its field's values are. */
  'wrong-form',
  'missing',
  /** What it belongs to is over or closed: a step, a sign-in, a question. */
  'ended',
  /** What was asked for before is still being done. */
  'busy',
  'not-available',
  'nothing-to-save',
  /** It may do harm, and that it's meant wasn't said. */
  'unconfirmed',
  /** Backup codes have to be saved before anything else. */
  'codes-unsaved',
  'too-soon',
  'admins-only',
  'not-backup-code',
  /** The service sends nothing to this number. */
  'number-refused',
  /** Not, or no longer, in a list. */
  'not-listed',
  /** Something else has it already. */
  'taken',
  /** Another program changed it after it was shown. */
  'changed',
  'not-otp-key',
  /** A one-time password by a counter (HOTP). */
  'counter-based',
  'unsupported-otp',
  /** An export of several, in the place of one. */
  'otp-export',
  'too-long-for-keychain',
  /** Or the file was changed. */
  'wrong-passphrase',
  /** Of another program's file, or the file was changed. */
  'wrong-password',
  /** A file whose password costs more memory or time to try than any program asks for. */
  'too-costly',
  /** Bitwarden encrypted it with Argon2id. */
  'argon2',
  /** Bitwarden encrypted it for one account. */
  'account-restricted',
  /** A newer Slipway, or a newer version of another program, saved the file. */
  'newer',
  'other-file',
  'damaged',
  /** A file has more for lists than they take. */
  'lists-full',
  /** As many searches are watched as can be. */
  'watches-full',
  'not-encrypted',
  /** A user name or a password in an address. */
  'has-login',
  'has-query',
  'has-space',
  'has-invisible',
  /** An address in the place of the code in it. */
  'whole-address',
  /** An address without a code. */
  'no-code',
  /** The API key in use can't read the account, so that nothing tells whether another one is of the same. */
  'account-unread',
  /** The same of the other API key. */
  'reads-no-account',
])
export type PlainFault = z.infer<typeof plainFault>

/** What is wrong with what was typed or asked for: the window words it, by its field where that helps. */
export const inputFault = z.discriminatedUnion('code', [
  z.object({ code: plainFault }),
  /** Characters, or whatever the field counts. */
  z.object({ code: z.literal(['too-long', 'too-large', 'too-many']), most: z.number() }),
  z.object({ code: z.literal(['too-short', 'too-small']), least: z.number() }),
  /** The word that confirms it wasn't typed. */
  z.object({ code: z.literal('type-word'), word: z.string() }),
  /** `name`: that of the entry; `null` where it belongs to another account. */
  z.object({ code: z.literal('in-vault'), name: z.string().nullable() }),
  /** An API key of this other account; `email` is empty where it isn't known. */
  z.object({ code: z.literal('other-account'), id: z.number(), email: z.string() }),
  /** A provider granted no access, and said this. */
  z.object({ code: z.literal('access-denied'), said: z.string() }),
  z.object({ code: z.literal('unusable-key'), why: keyFault }),
])
export type InputFault = z.infer<typeof inputFault>

/** What a schema's own check says when it fails, for `faultOfIssue` to find. */
export function saying(fault: InputFault): { readonly params: { readonly fault: InputFault } } {
  return { params: { fault } }
}
