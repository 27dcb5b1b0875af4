import { counted } from '#domain/base/plural.ts'
import type { ImportSource, LeftOutReason } from '#domain/vault/vault-import.ts'
import { formatNumber } from '#ui/format.ts'

/** Of a file that was read together with others: its lines are a part of the text that is imported. */
export interface FileLines {
  readonly name: string
  readonly lines: number
}

export const importTexts = {
  fileHelp:
    'An export of Slipway, Google Authenticator (images of its QR codes), Aegis, 2FAS, or Bitwarden, or a list of otpauth addresses. Select several images at once. Delete unencrypted files and images afterward.',
  tooLarge: 'The file is too large for an export.',
  noAddress: 'The QR code in this image isn’t an otpauth address.',
} as const

/** Files that can't be read as a part of several. */
export function oneAtATimeText(names: readonly string[]): string {
  return `Import these one at a time: ${names.join('; ')}. Several files at once can be images and lists of otpauth addresses.`
}

/** What was recognized, with its article. */
const sourceNames: Readonly<Record<ImportSource, string>> = {
  slipway: 'a Slipway export',
  otpauth: 'a list of otpauth addresses',
  'google-authenticator': 'a Google Authenticator export',
  aegis: 'an Aegis export',
  '2fas': 'a 2FAS backup',
  bitwarden: 'a Bitwarden export',
}

/** Before it's imported. */
export function recognizedText(source: ImportSource): string {
  return `This is ${sourceNames[source]}.`
}

/** Afterward. */
export function importedFromText(source: ImportSource): string {
  return `Imported from ${sourceNames[source]}.`
}

/** Whose password is asked for; `null` where nothing is encrypted. */
export const passwordTexts: Readonly<
  Record<ImportSource, { readonly label: string; readonly help: string } | null>
> = {
  slipway: { label: 'Passphrase', help: 'The passphrase of the export.' },
  otpauth: null,
  'google-authenticator': null,
  aegis: {
    label: 'Aegis password',
    help: 'The password that you set for this export, or that unlocks Aegis.',
  },
  '2fas': { label: '2FAS backup password', help: 'The password that you set for this backup.' },
  bitwarden: {
    label: 'Bitwarden export password',
    help: 'The password that you set for this export, not your master password.',
  },
}

/** A text too long to be edited. */
export function longText(characters: number): string {
  return `${counted(characters, 'character')} from the file. Too long to show here.`
}

const reasons: Readonly<Record<Exclude<LeftOutReason, 'no-code'>, string>> = {
  'counter-based': 'Counter-based (HOTP), not supported',
  steam: 'Steam codes, not supported',
  yandex: 'Yandex codes, not supported',
  motp: 'Mobile-OTP codes, not supported',
  'other-kind': 'Unknown kind of code',
  md5: 'MD5, not supported',
  'other-algorithm': 'Unknown algorithm',
  digits: 'Not 6–8 digits',
  period: 'Period not 5–300 s',
  'broken-secret': 'Secret missing, not base32, or shorter than 10 bytes',
  unreadable: 'Damaged, or not an otpauth address',
  'too-long': 'Too long for the keychain',
  'in-vault': 'Duplicate, or already in the vault',
  deleted: 'In the trash',
}

/** Why entries were left out, and how many: `Steam codes, not supported (2)`. */
export function leftOutText(why: LeftOutReason, count: number): string {
  return why === 'no-code'
    ? `${formatNumber(count)} without a one-time password`
    : `${reasons[why]} (${count})`
}

/** @param files whose lines the text has, one after the other; none where it was pasted */
export function leftOutName(
  { name, line }: { readonly name: string; readonly line: number | null },
  files: readonly FileLines[],
): string {
  if (name !== '') return name
  if (line === null) return 'Entry without a name'
  let inFile = line
  for (const file of files) {
    if (inFile <= file.lines) return file.lines === 1 ? file.name : `${file.name}, line ${inFile}`
    inFile -= file.lines
  }
  return `Line ${line}`
}

/** `5 of 12 added` when it was stopped, `12 added, 2 duplicates` when it wasn't. */
export function addedText(
  added: number,
  { duplicates, stoppedOf }: { readonly duplicates: number; readonly stoppedOf: number | null },
): string {
  return stoppedOf === null
    ? `${added} added, ${counted(duplicates, 'duplicate')}`
    : `${added} of ${stoppedOf} added, then the import stopped`
}

const listFormat = new Intl.ListFormat('en')

/** QR codes that weren't chosen. They may have been imported before, which nothing tells. */
export function missingPartsText(parts: readonly { readonly part: number; readonly of: number }[]): string {
  const sizes = [...new Set(parts.map(({ of }) => of))]
  const lists = sizes.map((size) => {
    const numbers = parts.filter(({ of }) => of === size).map(({ part }) => `${part}`)
    return `${listFormat.format(numbers)} of ${size}`
  })
  const [codes, them] = parts.length === 1 ? ['QR code', 'it'] : ['QR codes', 'them']
  return `Not in this import: ${codes} ${lists.join('; ')}. Import ${them}, too, if you haven’t.`
}
