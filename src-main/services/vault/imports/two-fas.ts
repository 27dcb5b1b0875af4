import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { invalidInput } from '../../../domain/base/problem.ts'
import { defaultOtpParameters } from '../../../domain/vault/otp.ts'
import { parseShallow } from '../../../domain/vault/vault-import.ts'
import { gcmTagBytes, openGcm } from '../aes-gcm.ts'
import { decodeBase64 } from './bytes.ts'
import { ImportContent, statedNumber, statedText, statedWord } from './import-content.ts'

// Source: the backup files of 2FAS, as its apps for Android and iOS write them.

const latestVersion = 4
/** The app's own, always; the file doesn't say it. */
const iterations = 10_000

const file = z.object({
  schemaVersion: z.number(),
  services: z.array(z.unknown()).nullish(),
  servicesEncrypted: z.string().nullish(),
})

const service = z.object({
  name: statedText,
  secret: statedText,
  otp: z
    .object({
      issuer: statedText,
      account: statedText,
      // The first version says nothing more.
      tokenType: statedWord('totp'),
      algorithm: statedWord(defaultOtpParameters.algorithm),
      digits: statedNumber(defaultOtpParameters.digits),
      period: statedNumber(defaultOtpParameters.period),
    })
    .nullable()
    .catch(null),
})

/** A backup file of 2FAS. @throws ProblemError invalid-input for one that can't be opened or read */
export async function readTwoFas(text: string, password: string): Promise<ImportContent> {
  const parsed = file.safeParse(parseShallow(text))
  if (!parsed.success) throw invalidInput('text', { code: 'damaged' })
  const { schemaVersion, servicesEncrypted, services } = parsed.data
  if (schemaVersion > latestVersion) throw invalidInput('text', { code: 'newer' })
  return readServices(servicesEncrypted ? await open(servicesEncrypted, password) : (services ?? []))
}

function readServices(services: readonly unknown[]): ImportContent {
  const content = new ImportContent()
  for (const one of services) {
    const { data } = service.safeParse(one)
    if (!data?.otp) content.leaveOut('unreadable', { name: data?.name ?? '' })
    else {
      const { issuer, account: label, tokenType, ...rest } = data.otp
      content.add({
        ...rest,
        issuer: data.name || issuer,
        label,
        secret: data.secret,
        kind: tokenType.toLowerCase(),
      })
    }
  }
  return content
}

/** `data:salt:iv`, each as base64; the data ends with GCM's tag. */
async function open(encrypted: string, password: string): Promise<readonly unknown[]> {
  const [data, salt, iv] = encrypted.split(':', 3).map(decodeBase64)
  if (!data || !salt || !iv || data.length < gcmTagBytes) throw invalidInput('text', { code: 'damaged' })
  const key = await promisify(pbkdf2)(password, salt, iterations, 32, 'sha256')
  const [sealed, tag] = [data.subarray(0, -gcmTagBytes), data.subarray(-gcmTagBytes)]
  const plain = openGcm(key, { iv, sealed, tag })
  if (plain === null) throw invalidInput('passphrase', { code: 'wrong-password' })
  const services = z.array(z.unknown()).safeParse(parseShallow(plain.toString('utf8')))
  if (!services.success) throw invalidInput('text', { code: 'damaged' })
  return services.data
}
