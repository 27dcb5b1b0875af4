import { isDeepStrictEqual } from 'node:util'
import { normalizeSecret, otpIdentity, type OtpParameters } from '../../domain/vault/otp.ts'
import { buildOtpUri, parseOtpUri } from './codes/otp-uri.ts'
import type { InputFault } from '../../domain/base/input-fault.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import type { KeptIn } from '../../domain/vault/vault-view.ts'
import type { BackupSets, BackupValue } from './codes/backup-code-sets.ts'
import {
  exportedVault,
  isExportFile,
  openExport,
  sealExport,
  type ExportCost,
  type ExportedVault,
} from './export-file.ts'
import { writeSecretFile } from './secret-file.ts'
import type { SecretList } from './codes/secret-list.ts'
import { isSame, type Totp, type TotpValue } from './codes/totp.ts'
import type { BackupListing, TotpListing } from './vault-index.ts'

export interface VaultImportExportOptions {
  readonly totp: Totp
  readonly totpList: SecretList<TotpListing, TotpValue>
  readonly backupCodes: BackupSets
  readonly backupList: SecretList<BackupListing, BackupValue>
  /** Asks the user where to; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  readonly now: () => number
  readonly randomBytes: (count: number) => Buffer
  readonly cost: ExportCost
}

export interface Written {
  readonly path: string
  readonly entries: number
  readonly backupSets: number
  readonly missing: readonly string[]
}

export interface Imported {
  readonly added: number
  readonly alreadyThere: number
  readonly backupSets: number
  readonly refused: readonly { readonly line: number; readonly fault: InputFault }[]
}

/** Long enough that guessing takes longer than the codes matter, at 0.3 s a guess. */
const shortestPassphrase = 12
const mostRefusals = 100

/** Takes the vault to another machine, and back. */
export class VaultImportExport {
  readonly #options: VaultImportExportOptions

  constructor(options: VaultImportExportOptions) {
    this.#options = options
  }

  /** @throws ProblemError invalid-input, the keychain's, storage-failed; there is no file then */
  async exportEncrypted(passphrase: string): Promise<Written | null> {
    if (passphrase.length < shortestPassphrase)
      throw invalidInput('passphrase', { code: 'too-short', least: shortestPassphrase })
    // First: a vault that does not open asks for no file name.
    const { content, missing } = await this.#content()
    const { chooseFile, now, cost, randomBytes } = this.#options
    const madeAtMs = now()
    const path = await chooseFile(`slipway-vault-${dayOf(madeAtMs)}.slipway`)
    if (path === null) return null
    const text = await sealExport(content, { passphrase, madeAtMs, cost, randomBytes })
    await writeSecretFile(path, text, async (readBack) => {
      const opened = await openExport(readBack, passphrase)
      if (opened.kind !== 'opened' || !isDeepStrictEqual(opened.content, content))
        throw new Error('The exported file doesn’t open')
    })
    return { path, ...countsOf(content), missing }
  }

  /** As {@link VaultImportExport.exportEncrypted}, in plain text: one-time passwords only. */
  async exportPlain(): Promise<Written | null> {
    const { content, missing } = await this.#content()
    const { chooseFile, now } = this.#options
    const path = await chooseFile(`one-time-passwords-${dayOf(now())}.txt`)
    if (path === null) return null
    const lines = content.entries.map((entry) =>
      buildOtpUri({ ...entry, secret: normalizeSecret(entry.secret) ?? entry.secret }),
    )
    await writeSecretFile(path, `${lines.join('\n')}\n`, async (readBack) => {
      if (
        readBack
          .trimEnd()
          .split('\n')
          .some((line) => line !== '' && !parseOtpUri(line).ok)
      )
        throw new Error('The exported file can’t be read')
    })
    return { path, entries: lines.length, backupSets: 0, missing }
  }

  /** @throws ProblemError invalid-input for a file that does not open */
  async testExport(text: string, passphrase: string) {
    const { content, madeAtMs } = await open(text, passphrase)
    const { content: here } = await this.#content()
    const held = new Set(content.entries.map(otpIdentity))
    const lacks = here.entries.filter((entry) => !held.has(otpIdentity(entry))).map(nameOf)
    return { madeAtMs, ...countsOf(content), lacks }
  }

  /** @throws ProblemError invalid-input for a file that does not open; the keychain's: what was added stays */
  async importText(text: string, passphrase: string | null, keepIn: KeptIn): Promise<Imported> {
    if (!isExportFile(text)) return this.#importUris(text, keepIn)
    if (passphrase === null) throw invalidInput('passphrase', { code: 'missing' })
    const { content, madeAtMs } = await open(text, passphrase)
    const here = await this.#content()
    const known = new Set(here.content.entries.map(otpIdentity))
    const news = content.entries.filter((entry) => isNew(known, entry))
    for (const entry of news) await this.#options.totp.restore(entry, keepIn)
    const sets = content.backupSets.filter(
      (set) =>
        !here.content.backupSets.some((other) => isSame(other.account, set.account) && holds(other, set)),
    )
    // As old as they are: what came into this vault after them stays the newer.
    for (const { account, codes, standing, addedAtMs = madeAtMs } of sets)
      await this.#options.backupCodes.add(account, codes, keepIn, { standing, addedAtMs })
    return {
      added: news.length,
      alreadyThere: content.entries.length - news.length,
      backupSets: sets.length,
      refused: [],
    }
  }

  async #importUris(text: string, keepIn: KeptIn): Promise<Imported> {
    const known = new Set((await this.#content()).content.entries.map(otpIdentity))
    const refused: { readonly line: number; readonly fault: InputFault }[] = []
    let added = 0
    let alreadyThere = 0
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const uri = line.trim()
      if (uri === '' || uri.startsWith('#')) continue
      const parsed = parseOtpUri(uri)
      if (!parsed.ok) refused.push({ line: index + 1, fault: parsed.fault })
      else if (!isNew(known, parsed.value)) alreadyThere += 1
      else {
        await this.#options.totp.add({ ...parsed.value, uri }, keepIn)
        added += 1
      }
    }
    return { added, alreadyThere, backupSets: 0, refused: refused.slice(0, mostRefusals) }
  }

  /** Everything that can be read. A keychain that is closed throws; what is missing from an open one is named. */
  async #content(): Promise<{ readonly content: ExportedVault; readonly missing: readonly string[] }> {
    const { totpList, backupList } = this.#options
    const missing: string[] = []
    const read = async <L extends { readonly id: string }, S>(
      list: SecretList<L, S>,
      listing: L,
      name: string,
    ): Promise<S | null> => {
      const answer = await list.tryRead(listing.id)
      if (answer.kind !== 'missing') return list.read(listing.id)
      missing.push(name)
      return null
    }
    const entries: ExportedVault['entries'][number][] = []
    for (const listing of totpList.listed.value) {
      const value = await read(totpList, listing, nameOf(listing))
      if (value === null) continue
      const { issuer, label, parameters, state, account, methodId } = listing
      const { secret, lastStep } = value
      entries.push({ issuer, label, parameters, secret, lastStep, state, account, methodId })
    }
    const backupSets: ExportedVault['backupSets'][number][] = []
    for (const listing of backupList.listed.value) {
      const value = await read(backupList, listing, `Backup codes of ${listing.account.serviceAddress}`)
      if (value === null) continue
      const { account, standing, addedAtMs } = listing
      backupSets.push({ account, standing, addedAtMs, codes: value.codes })
    }
    return { content: exportedVault.parse({ entries, backupSets }), missing }
  }
}

async function open(text: string, passphrase: string) {
  const opened = await openExport(text, passphrase)
  switch (opened.kind) {
    case 'opened':
      return opened
    case 'closed':
      throw invalidInput('passphrase', { code: 'wrong-passphrase' })
    case 'newer':
      throw invalidInput('text', { code: 'newer' })
    case 'unknown':
      throw invalidInput('text', { code: 'other-file' })
  }
}

/** Remembers it, too: a list may hold it twice. */
function isNew(known: Set<string>, entry: { secret: string; parameters: OtpParameters }): boolean {
  const identity = otpIdentity(entry)
  if (known.has(identity)) return false
  known.add(identity)
  return true
}

function holds(set: Pick<BackupValue, 'codes'>, other: Pick<BackupValue, 'codes'>): boolean {
  const codes = new Set(set.codes.map(({ code }) => code))
  return other.codes.every(({ code }) => codes.has(code))
}

function nameOf({ issuer, label }: { readonly issuer: string; readonly label: string }): string {
  return [issuer, label].filter((part) => part !== '').join(': ') || 'One-time password'
}

function countsOf({ entries, backupSets }: ExportedVault) {
  return { entries: entries.length, backupSets: backupSets.length }
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
