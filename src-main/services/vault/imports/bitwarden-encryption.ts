import { createDecipheriv, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { invalidInput } from '../../../domain/base/problem.ts'
import { decodeBase64 } from './bytes.ts'

// Source: “Encrypted Exports” and “KDF Algorithms” of Bitwarden's help.

const encryptedFile = z.object({
  passwordProtected: z.literal(true),
  /** As it's written: its letters are the salt, not the bytes that they stand for. */
  salt: z.string().max(1000),
  kdfType: z.number(),
  kdfIterations: z.number(),
  encKeyValidation_DO_NOT_EDIT: z.string().max(10_000),
  data: z.string(),
})

const pbkdf2Type = 0
const argon2idType = 1
/** What Bitwarden itself lets people choose; some 2 s. */
const mostIterations = 2_000_000

/**
 * What an encrypted export holds, as text.
 *
 * @throws ProblemError invalid-input for one that only its account opens, that Slipway can't open, or whose password this
 * isn't
 */
export async function openBitwarden(outer: unknown, password: string): Promise<string> {
  if (z.object({ passwordProtected: z.literal(true) }).safeParse(outer).error)
    throw invalidInput('text', { code: 'account-restricted' })
  const parsed = encryptedFile.safeParse(outer)
  if (!parsed.success) throw invalidInput('text', { code: 'damaged' })
  const { salt, kdfType, kdfIterations, encKeyValidation_DO_NOT_EDIT: validation, data } = parsed.data
  // Electron's Node has none.
  if (kdfType === argon2idType) throw invalidInput('text', { code: 'argon2' })
  if (kdfType !== pbkdf2Type || !Number.isInteger(kdfIterations) || kdfIterations < 1)
    throw invalidInput('text', { code: 'damaged' })
  if (kdfIterations > mostIterations) throw invalidInput('text', { code: 'too-costly' })
  const keys = stretch(await promisify(pbkdf2)(password, salt, kdfIterations, 32, 'sha256'))
  const [check, sealed] = [sealedIn(validation), sealedIn(data)]
  if (check === null || sealed === null) throw invalidInput('text', { code: 'damaged' })
  if (!isOf(keys, check)) throw invalidInput('passphrase', { code: 'wrong-password' })
  const plain = isOf(keys, sealed) ? decrypt(keys, sealed) : null
  if (plain === null) throw invalidInput('text', { code: 'damaged' })
  return plain
}

interface Keys {
  readonly encryption: Buffer
  readonly authentication: Buffer
}

/** HKDF's expansion (RFC 5869 section 2.3), of which each key is the first block. */
function stretch(masterKey: Buffer): Keys {
  const block = (info: string): Buffer =>
    createHmac('sha256', masterKey).update(info).update(Buffer.of(1)).digest()
  return { encryption: block('enc'), authentication: block('mac') }
}

interface Sealed {
  readonly iv: Buffer
  readonly text: Buffer
  readonly mac: Buffer
}

/** `2.iv|text|mac`: AES-256-CBC, and HMAC-SHA-256 of both, each as base64. */
function sealedIn(encrypted: string): Sealed | null {
  if (!encrypted.startsWith('2.')) return null
  const [iv, text, mac] = encrypted.slice(2).split('|', 3).map(decodeBase64)
  if (!iv || !text || !mac || iv.length !== 16 || mac.length !== 32) return null
  return { iv, text, mac }
}

function isOf({ authentication }: Keys, { iv, text, mac }: Sealed): boolean {
  return timingSafeEqual(createHmac('sha256', authentication).update(iv).update(text).digest(), mac)
}

/** `null` for what isn't padded as it should be, though it's authentic. */
function decrypt({ encryption }: Keys, { iv, text }: Sealed): string | null {
  const opening = createDecipheriv('aes-256-cbc', encryption, iv)
  const start = opening.update(text)
  try {
    return Buffer.concat([start, opening.final()]).toString('utf8')
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}
