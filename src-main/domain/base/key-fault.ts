import { z } from 'zod'

/** Why a key, or what names keys, can't be used for a login, where there is no more to say than which. */
const plainKeyFault = z.enum([
  'folder',
  'not-a-file',
  'too-long',
  'no-file',
  'no-permission',
  'unreadable',
  'not-a-key',
  /** The public key alone. */
  'public-key',
  'certificate',
  /** On a FIDO token. */
  'security-key',
  'dsa',
  'putty',
  /** Its passphrase wasn't entered. */
  'locked',
  'cannot-sign',
  'did-not-sign',
  /** Of an agent: none, or none that an identity file names. */
  'no-keys',
  'no-named-key',
  /** Of Slipway's own key. */
  'not-in-keychain',
  'keychain-locked',
  'keychain-unavailable',
  /** The host allows no more attempts. */
  'no-attempts-left',
])
export type PlainKeyFault = z.infer<typeof plainKeyFault>

/** Why a key, or what names keys, can't be used for a login, for the window to word. */
export const keyFault = z.discriminatedUnion('code', [
  z.object({ code: plainKeyFault }),
  /** In the words of the system or a library: a key, a list of them, or a file that names them. */
  z.object({ code: z.literal(['malformed', 'not-listed', 'not-read']), detail: z.string() }),
  z.object({ code: z.literal('cipher'), cipher: z.string() }),
  /** SSH knows no keys of this type. */
  z.object({ code: z.literal('key-type'), type: z.string() }),
  /** Of an agent's keys no more are offered. */
  z.object({ code: z.literal('too-many'), most: z.number() }),
])
export type KeyFault = z.infer<typeof keyFault>

/** What wasn't tried at a login, as the user knows it, and why. */
export const skippedKey = z.object({ name: z.string(), why: keyFault })
export type SkippedKey = z.infer<typeof skippedKey>
