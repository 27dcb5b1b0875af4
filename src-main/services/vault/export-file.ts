import { createCipheriv, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { otpParameters } from '../../domain/vault/otp.ts'
import { backupCode, backupStanding, vaultAccount, vaultEntry } from '../../domain/vault/vault-view.ts'
import { parseJson } from '../../domain/base/json-value.ts'
import { exportFormat } from '../../domain/vault/vault-import.ts'
import { gcmCipher, gcmIvBytes, gcmTagBytes, openGcm } from './aes-gcm.ts'

/** What an export holds: everything of the vault that its user may need on another machine. */
export const exportedVault = z.object({
  entries: z
    .array(
      z.object({
        issuer: z.string().max(200),
        label: z.string().max(200),
        parameters: otpParameters,
        secret: z.string().max(1000),
        lastStep: z.number().int().nullable(),
        state: vaultEntry.shape.state,
        account: vaultAccount.nullable(),
        methodId: z.number().nullable(),
      }),
    )
    .max(5000)
    .readonly(),
  backupSets: z
    .array(
      z.object({
        account: vaultAccount,
        standing: backupStanding,
        /** When it came into the vault. Exports of an older version do not say it. */
        addedAtMs: z.number().optional(),
        codes: z.array(backupCode).max(100).readonly(),
      }),
    )
    .max(1000)
    .readonly(),
})
export type ExportedVault = z.infer<typeof exportedVault>

const latestVersion = 1

/** The first line of the file. It is in the clear, and authenticated: a changed one does not open. */
const fileHeader = z.object({
  format: z.literal(exportFormat),
  version: z.literal(latestVersion),
  madeAtMs: z.number(),
  kdf: z.object({
    name: z.literal('scrypt'),
    // What a hostile file may cost: 1 GiB of memory at most.
    n: z.union([2 ** 15, 2 ** 16, 2 ** 17, 2 ** 18, 2 ** 19, 2 ** 20].map((n) => z.literal(n))),
    r: z.literal(8),
    p: z.literal(1),
    salt: z.base64url(),
  }),
  cipher: z.object({ name: z.literal(gcmCipher), iv: z.base64url() }),
})
type FileHeader = z.infer<typeof fileHeader>
const anyHeader = z.object({ format: z.literal(exportFormat), version: z.int().min(1) })

/** What guessing a passphrase costs: 128 MiB and some 0.3 s each time. */
export const exportCost = 2 ** 17
export type ExportCost = FileHeader['kdf']['n']

/** The text of an encrypted export: the header, and on the second line what it holds, as base64. */
export async function sealExport(
  content: ExportedVault,
  {
    passphrase,
    madeAtMs,
    cost,
    randomBytes,
  }: {
    readonly passphrase: string
    readonly madeAtMs: number
    readonly cost: ExportCost
    readonly randomBytes: (count: number) => Buffer
  },
): Promise<string> {
  const iv = randomBytes(gcmIvBytes)
  const kdf = { name: 'scrypt', n: cost, r: 8, p: 1, salt: randomBytes(32).toString('base64url') } as const
  const header: FileHeader = {
    format: exportFormat,
    version: latestVersion,
    madeAtMs,
    kdf,
    cipher: { name: gcmCipher, iv: iv.toString('base64url') },
  }
  const line = JSON.stringify(header)
  const sealing = createCipheriv(gcmCipher, await keyOf(passphrase, kdf), iv)
  sealing.setAAD(Buffer.from(line))
  const sealed = [sealing.update(JSON.stringify(content), 'utf8'), sealing.final(), sealing.getAuthTag()]
  return `${line}\n${Buffer.concat(sealed).toString('base64')}\n`
}

export type OpenedExport =
  | { readonly kind: 'opened'; readonly content: ExportedVault; readonly madeAtMs: number }
  /** The passphrase is another one, or the file was changed: which of the two cannot be told. */
  | { readonly kind: 'closed' }
  /** A newer Slipway's. */
  | { readonly kind: 'newer' }
  /** It is no export. */
  | { readonly kind: 'unknown' }

/** What an encrypted export holds. The file may come from anybody. */
export async function openExport(text: string, passphrase: string): Promise<OpenedExport> {
  const [line = '', body = ''] = text.trim().split(/\r?\n/)
  const first = parseJson(line)
  const named = anyHeader.safeParse(first)
  if (named.success && named.data.version > latestVersion) return { kind: 'newer' }
  const header = fileHeader.safeParse(first)
  if (!header.success) return { kind: 'unknown' }
  const { kdf, madeAtMs } = header.data
  const iv = Buffer.from(header.data.cipher.iv, 'base64url')
  const sealed = Buffer.from(body, 'base64')
  if (iv.length !== gcmIvBytes || sealed.length < gcmTagBytes) return { kind: 'unknown' }
  const plain = openGcm(await keyOf(passphrase, kdf), {
    iv,
    sealed: sealed.subarray(0, -gcmTagBytes),
    tag: sealed.subarray(-gcmTagBytes),
    beside: Buffer.from(line),
  })
  if (plain === null) return { kind: 'closed' }
  const content = exportedVault.safeParse(parseJson(plain.toString('utf8')))
  return content.success ? { kind: 'opened', content: content.data, madeAtMs } : { kind: 'unknown' }
}

/** The same letters give the same key, however a keyboard composes them. */
function keyOf(passphrase: string, { n, r, p, salt }: FileHeader['kdf']): Promise<Buffer> {
  // Node's own limit of 32 MB is below what 128 * N * r needs.
  const options: ScryptOptions = { N: n, r, p, maxmem: 128 * n * r + 64 * 1024 * 1024 }
  return promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)(
    passphrase.normalize('NFC'),
    Buffer.from(salt, 'base64url'),
    32,
    options,
  )
}
