import { z } from 'zod'
import { measureJson, parseJson } from '../base/json-value.ts'
import { otpObstacle } from './otp.ts'

/** Whose file or text is imported into the vault. */
export const importSource = z.enum([
  'slipway',
  /** A list of otpauth URIs, which many authenticators write. */
  'otpauth',
  'google-authenticator',
  'aegis',
  '2fas',
  'bitwarden',
])
export type ImportSource = z.infer<typeof importSource>

/** Why something in a file wasn't added; first what its user may have to do something about. */
export const leftOutReason = z.enum([
  ...otpObstacle.options,
  /** Not made as its format says. */
  'unreadable',
  /** For an entry of the keychain. */
  'too-long',
  /** The very one-time password is in the vault, or in the file twice. */
  'in-vault',
  /** It lies in the trash of the other program. */
  'deleted',
  /** An item of a password manager that has none. */
  'no-code',
])
export type LeftOutReason = z.infer<typeof leftOutReason>

/**
 * Characters: what thousands of items of a password manager take, encrypted, or an authenticator's entries with their
 * pictures.
 */
export const longestImport = 8_000_000

/** How an own export begins. Its rest is no JSON. */
export const exportFormat = 'slipway-vault'

/** The column of a CSV file of Bitwarden that has the one-time passwords. */
export const bitwardenCsvColumn = 'login_totp'

export interface RecognizedImport {
  readonly source: ImportSource
  /** The one that it was encrypted with. Not for what no password opens, which is refused with the reason. */
  readonly needsPassword: boolean
}

/** Whose text this is, by its first signs: whether all of it can be read is another matter. `null`: nobody's. */
export function recognizeImport(text: string): RecognizedImport | null {
  const start = text.trimStart()
  if (start.startsWith(`{"format":"${exportFormat}"`)) return { source: 'slipway', needsPassword: true }
  if (start.startsWith('{')) return recognizeJson(parseShallow(start))
  const firstLine = start.slice(0, longestHeader).split('\n', 1)[0] ?? ''
  if (firstLine.split(',').some((column) => column.trim() === bitwardenCsvColumn))
    return { source: 'bitwarden', needsPassword: false }
  if (/^[ \t]*otpauth-migration:/im.test(start))
    return { source: 'google-authenticator', needsPassword: false }
  return /^[ \t]*otpauth:/im.test(start) ? { source: 'otpauth', needsPassword: false } : null
}

const longestHeader = 1000

/** Whether a text is nothing but otpauth addresses and comments: only such texts make one when they're joined. */
export function isAddressList(text: string): boolean {
  return text.split('\n').every((ofText) => {
    const line = ofText.trim()
    return line === '' || line.startsWith('#') || /^otpauth(?:-migration)?:/i.test(line)
  })
}

/** Deeper than any of these files: what nests farther is no file of theirs. */
const deepestNesting = 50

/**
 * What a JSON text says, with what editors put before it; `undefined` for one that is none, or nests deeper than any file
 * that can be imported.
 */
export function parseShallow(file: string): unknown {
  // A byte order mark, too.
  const text = file.trim()
  return measureJson(text).depth > deepestNesting ? undefined : parseJson(text)
}

const aegisFile = z.object({ header: z.object({}), db: z.union([z.string(), z.object({})]) })
const twoFasFile = z.object({
  schemaVersion: z.number(),
  services: z.array(z.unknown()).nullish(),
  servicesEncrypted: z.string().nullish(),
})
const bitwardenFile = z.union([
  z.object({ encrypted: z.literal(true) }),
  z.object({ encrypted: z.literal(false), items: z.array(z.unknown()) }),
  // Exports of before have no word of it.
  z.object({ folders: z.array(z.unknown()), items: z.array(z.unknown()) }),
])
/** Of Bitwarden's encrypted exports only this kind can be opened: not by the account's key, and not with Argon2id. */
const passwordBitwarden = z.object({
  encrypted: z.literal(true),
  passwordProtected: z.literal(true),
  kdfType: z.literal(0),
})

function recognizeJson(value: unknown): RecognizedImport | null {
  const aegis = aegisFile.safeParse(value)
  if (aegis.success) return { source: 'aegis', needsPassword: typeof aegis.data.db === 'string' }
  const twoFas = twoFasFile.safeParse(value)
  if (twoFas.success) {
    const { services, servicesEncrypted } = twoFas.data
    if (servicesEncrypted || services) return { source: '2fas', needsPassword: Boolean(servicesEncrypted) }
  }
  const bitwarden = bitwardenFile.safeParse(value)
  if (!bitwarden.success) return null
  return { source: 'bitwarden', needsPassword: passwordBitwarden.safeParse(value).success }
}
