import { z } from 'zod'
import { invalidInput } from '../../../domain/base/problem.ts'
import { defaultOtpParameters } from '../../../domain/vault/otp.ts'
import { bitwardenCsvColumn, parseShallow } from '../../../domain/vault/vault-import.ts'
import { readOtpUri } from '../codes/otp-uri.ts'
import { openBitwarden } from './bitwarden-encryption.ts'
import { readCsv } from './csv.ts'
import { ImportContent, statedText } from './import-content.ts'

// Source: “Condition a Bitwarden .csv or .json” and “Encrypted Exports” of Bitwarden's help.

const exportFile = z.object({ items: z.array(z.unknown()) })

/** All that is read of an item: neither passwords nor user names nor notes. */
const item = z.object({
  name: statedText,
  deletedDate: z.unknown().optional(),
  login: z.object({ totp: statedText }).nullish().catch(null),
})

/** An export of Bitwarden, as JSON or CSV. @throws ProblemError invalid-input for one that can't be opened or read */
export async function readBitwarden(text: string, password: string): Promise<ImportContent> {
  if (!text.trimStart().startsWith('{')) return readRows(text)
  const outer = parseShallow(text)
  const isEncrypted = z.object({ encrypted: z.literal(true) }).safeParse(outer).success
  const parsed = exportFile.safeParse(
    isEncrypted ? parseShallow(await openBitwarden(outer, password)) : outer,
  )
  if (!parsed.success) throw invalidInput('text', { code: 'damaged' })
  const content = new ImportContent()
  for (const one of parsed.data.items) {
    const { data } = item.safeParse(one)
    if (data === undefined) content.leaveOut('unreadable', { name: '' })
    // Notes, cards and identities have no place for a code.
    else if (!data.login) continue
    else if (data.deletedDate) content.leaveOut('deleted', data)
    else addCode(content, data.name, data.login.totp)
  }
  return content
}

function readRows(text: string): ImportContent {
  const [header = [], ...rows] = readCsv(text.trimStart())
  const [nameAt, codeAt] = ['name', bitwardenCsvColumn].map((column) => header.indexOf(column))
  if (nameAt === undefined || codeAt === undefined || codeAt < 0)
    throw invalidInput('text', { code: 'damaged' })
  const typeAt = header.indexOf('type')
  const content = new ImportContent()
  for (const row of rows) {
    const name = row[nameAt] ?? ''
    const type = typeAt < 0 ? 'login' : row[typeAt]
    const isBlankLine = row.length === 1 && row[0] === ''
    // Notes have no place for a code; an export has no other kinds.
    if (isBlankLine || type === 'note') continue
    if (type === 'login') addCode(content, name, row[codeAt] ?? '')
    else content.leaveOut('unreadable', { name })
  }
  return content
}

/** A bare secret, an otpauth URI, or Steam's own. */
function addCode(content: ImportContent, name: string, code: string): void {
  const totp = code.trim()
  if (totp === '') content.leaveOut('no-code', { name })
  else if (/^steam:\/\//i.test(totp)) content.leaveOut('steam', { name })
  else if (/^otpauth:/i.test(totp)) {
    const stated = readOtpUri(totp)
    if (stated === null) content.leaveOut('unreadable', { name })
    else if (stated.issuer === '') content.add({ ...stated, issuer: name }, { uri: totp })
    else content.add(stated, { uri: totp })
  } else content.add({ ...defaultOtpParameters, issuer: name, label: '', kind: 'totp', secret: totp })
}
