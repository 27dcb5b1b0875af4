import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { invalidInput } from '../../../domain/base/problem.ts'
import { defaultOtpParameters } from '../../../domain/vault/otp.ts'
import { parseShallow } from '../../../domain/vault/vault-import.ts'
import { openGcm } from '../aes-gcm.ts'
import { decodeBase64 } from './bytes.ts'
import { ImportContent, nameOfOtp, statedNumber, statedText, statedWord } from './import-content.ts'

// Source: docs/vault.md of the Aegis repository.

const latestVersion = 1
const latestContentVersion = 3
/** The kind of slot that a password opens; others are opened by hardware of the phone. */
const passwordSlotType = 1
/** Each one costs a derivation. */
const mostSlots = 5

const hex = z
  .string()
  .max(256)
  .regex(/^(?:[0-9a-f]{2})*$/i)
const sealing = z.object({ nonce: hex, tag: hex })
const passwordSlot = z.object({
  key: hex,
  key_params: sealing,
  n: z.number(),
  r: z.number(),
  p: z.number(),
  salt: hex,
})
type PasswordSlot = z.infer<typeof passwordSlot>

const outer = z.object({ version: z.number() })
const encryptedFile = z.object({
  header: z.object({ slots: z.array(z.object({ type: z.number() }).loose()), params: sealing }),
  db: z.string(),
})
const plainFile = z.object({ db: z.unknown() })
const vaultContent = z.object({ version: z.number(), entries: z.array(z.unknown()) })

const entry = z.object({
  type: statedText,
  name: statedText,
  issuer: statedText,
  info: z
    .object({
      secret: statedText,
      algo: statedWord(defaultOtpParameters.algorithm),
      digits: statedNumber(defaultOtpParameters.digits),
      period: statedNumber(defaultOtpParameters.period),
    })
    .nullable()
    .catch(null),
})

/** A vault of Aegis. @throws ProblemError invalid-input for one that can't be opened or read */
export async function readAegis(text: string, password: string): Promise<ImportContent> {
  const file = parseShallow(text)
  const version = outer.safeParse(file).data?.version
  if (version !== undefined && version > latestVersion) throw invalidInput('text', { code: 'newer' })
  const encrypted = encryptedFile.safeParse(file)
  const plain = encrypted.success ? await open(encrypted.data, password) : plainFile.safeParse(file).data?.db
  const content = vaultContent.safeParse(plain)
  if (!content.success) throw invalidInput('text', { code: 'damaged' })
  if (content.data.version > latestContentVersion) throw invalidInput('text', { code: 'newer' })
  return readEntries(content.data.entries)
}

function readEntries(entries: readonly unknown[]): ImportContent {
  const content = new ImportContent()
  for (const one of entries) {
    const { data } = entry.safeParse(one)
    if (!data?.info)
      content.leaveOut('unreadable', {
        name: nameOfOtp({ issuer: data?.issuer ?? '', label: data?.name ?? '' }),
      })
    else {
      const { algo: algorithm, ...rest } = data.info
      content.add({
        ...rest,
        algorithm,
        kind: data.type.toLowerCase(),
        issuer: data.issuer,
        label: data.name,
      })
    }
  }
  return content
}

/** The content, decrypted by the first slot that the password opens. */
async function open({ header, db }: z.infer<typeof encryptedFile>, password: string): Promise<unknown> {
  const slots = z
    .array(passwordSlot)
    .min(1)
    .safeParse(header.slots.filter(({ type }) => type === passwordSlotType))
  const sealed = decodeBase64(db)
  if (!slots.success || sealed === null) throw invalidInput('text', { code: 'damaged' })
  // All before any: nothing of a file that asks for too much is tried.
  if (slots.data.length > mostSlots || !slots.data.every(isAffordable))
    throw invalidInput('text', { code: 'too-costly' })
  for (const slot of slots.data) {
    const { nonce, tag } = slot.key_params
    const masterKey = openGcm(await slotKey(slot, password), opened(nonce, tag, Buffer.from(slot.key, 'hex')))
    if (masterKey === null) continue
    const content = openGcm(masterKey, opened(header.params.nonce, header.params.tag, sealed))
    if (content === null) throw invalidInput('text', { code: 'damaged' })
    return parseShallow(content.toString('utf8'))
  }
  throw invalidInput('passphrase', { code: 'wrong-password' })
}

function opened(nonce: string, tag: string, sealed: Buffer) {
  return { iv: Buffer.from(nonce, 'hex'), tag: Buffer.from(tag, 'hex'), sealed }
}

/** Four times what Aegis asks for: 128 MiB and some 0.3 s. */
const mostCost = { n: 2 ** 17, r: 8, p: 1 }

function isAffordable({ n, r, p }: PasswordSlot): boolean {
  const isPowerOfTwo = Number.isInteger(Math.log2(n)) && n >= 2
  return (
    isPowerOfTwo && n <= mostCost.n && r >= 1 && r <= mostCost.r && Number.isInteger(r) && p === mostCost.p
  )
}

function slotKey({ n: N, r, p, salt }: PasswordSlot, password: string): Promise<Buffer> {
  // Node's own limit of 32 MB is what N = 2^15 needs, and not a byte more.
  const options = { N, r, p, maxmem: 128 * N * r + 1024 * 1024 }
  return promisify<string, Buffer, number, typeof options, Buffer>(scrypt)(
    password,
    Buffer.from(salt, 'hex'),
    32,
    options,
  )
}
