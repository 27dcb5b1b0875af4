import { isDeepStrictEqual } from 'node:util'
import { normalizeSecret, otpIdentity } from '../../domain/vault/otp.ts'
import { buildOtpUri, parseOtpUri, type OtpUri } from './codes/otp-uri.ts'
import { ProblemError, invalidInput, type Problem } from '../../domain/base/problem.ts'
import { recognizeImport, type ImportSource } from '../../domain/vault/vault-import.ts'
import type { KeptIn, VaultAccount } from '../../domain/vault/vault-view.ts'
import type { BackupSets, BackupValue } from './codes/backup-code-sets.ts'
import { exportedVault, openExport, sealExport, type ExportCost, type ExportedVault } from './export-file.ts'
import { ImportContent, nameOfOtp, type LeftOutGroup, type MissingPart } from './imports/import-content.ts'
import { readImport } from './imports/read-import.ts'
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
  readonly source: ImportSource
  readonly added: number
  readonly backupSets: number
  readonly leftOut: readonly LeftOutGroup[]
  readonly missingParts: readonly MissingPart[]
  /** What kept the rest from being added, of so many one-time passwords in all; `null`: nothing did. */
  readonly stopped: { readonly problem: Problem; readonly of: number } | null
}

/** Long enough that guessing takes longer than the codes matter, at 0.3 s a guess. */
const shortestPassphrase = 12

/** Takes the vault to another machine, and back. */
export class VaultImportExport {
  readonly #options: VaultImportExportOptions
  /** Of entries by their ids, as they were read or added last: the keychain may have closed since. */
  readonly #identities = new Map<string, string>()

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

  /**
   * An export of Slipway or of another authenticator.
   *
   * @param password the one that it's encrypted with; `null` for one that isn't
   * @throws ProblemError invalid-input for a file that does not open; the keychain's, storage-failed: nothing was
   *   added. Once something was, the report says what stopped it
   */
  async importText(text: string, password: string | null, keepIn: KeptIn): Promise<Imported> {
    const recognized = recognizeImport(text)
    if (recognized === null) throw invalidInput('text', { code: 'other-file' })
    const { source, needsPassword } = recognized
    if (needsPassword && password === null) throw invalidInput('passphrase', { code: 'missing' })
    if (source === 'slipway') return this.#importOwn(text, password ?? '', keepIn)
    const content = await readImport(source, text, password ?? '')
    await this.#content({ skipsClosed: keepIn === 'memory' })
    const { added, problem } = await this.#addNew(content.otps, content, (otp) =>
      this.#options.totp.add(otp, keepIn),
    )
    const { leftOut, missingParts } = content
    const stopped = problem && { problem, of: content.otps.length }
    return { source, added, backupSets: 0, leftOut, missingParts, stopped }
  }

  async #importOwn(text: string, passphrase: string, keepIn: KeptIn): Promise<Imported> {
    const { content, madeAtMs } = await open(text, passphrase)
    const here = await this.#content({ skipsClosed: keepIn === 'memory' })
    const { totp, backupCodes } = this.#options
    const report = new ImportContent()
    const entries = await this.#addNew(content.entries, report, (entry) => totp.restore(entry, keepIn))
    const sets = content.backupSets.filter(
      (set) =>
        !here.content.backupSets.some((other) => isSame(other.account, set.account) && holds(other, set)),
    )
    // As old as they are: what came into this vault after them stays the newer.
    const restored = await addEach(entries.problem ? [] : sets, {
      add: ({ account, codes, standing, addedAtMs = madeAtMs }) =>
        backupCodes.add(account, codes, keepIn, { standing, addedAtMs }),
      leaveOut: (set) => {
        report.leaveOut('too-long', { name: nameOfSet(set) })
      },
      isBegun: entries.added > 0,
    })
    const problem = entries.problem ?? restored.problem
    return {
      source: 'slipway',
      added: entries.added,
      backupSets: restored.added,
      leftOut: report.leftOut,
      missingParts: [],
      stopped: problem && { problem, of: content.entries.length },
    }
  }

  /** What makes the same codes as an entry of the vault is left out by its name. */
  async #addNew<Entry extends OtpUri>(
    entries: readonly Entry[],
    report: ImportContent,
    add: (entry: Entry) => Promise<{ readonly id: string }>,
  ): Promise<Added> {
    const known = new Set(
      this.#options.totpList.listed.value.flatMap(({ id }) => this.#identities.get(id) ?? []),
    )
    const fresh = entries.filter((entry) => {
      const identity = otpIdentity(entry)
      if (known.has(identity)) report.leaveOut('in-vault', { name: nameOfOtp(entry) })
      // A list may hold it twice.
      return !known.has(identity) && known.add(identity)
    })
    return addEach(fresh, {
      add: async (entry) => {
        const { id } = await add(entry)
        this.#identities.set(id, otpIdentity(entry))
      },
      leaveOut: (entry) => {
        report.leaveOut('too-long', { name: nameOfOtp(entry) })
      },
    })
  }

  /**
   * Everything that can be read; what is missing from an open keychain is named.
   *
   * @param skipsClosed leaves out what a closed keychain holds, in place of throwing
   */
  async #content({ skipsClosed = false } = {}): Promise<{
    readonly content: ExportedVault
    readonly missing: readonly string[]
  }> {
    const { totpList, backupList } = this.#options
    const missing: string[] = []
    let isClosed = false
    const read = async <L extends { readonly id: string }, S>(
      list: SecretList<L, S>,
      { id, keptIn }: L & { readonly keptIn: KeptIn },
      name: string,
    ): Promise<S | null> => {
      // One that hangs takes its whole deadline for each.
      if (isClosed && keptIn === 'keychain') return null
      const answer = await list.tryRead(id)
      if (answer.kind === 'found') return answer.secret
      if (answer.kind !== 'missing') {
        if (!skipsClosed) return list.read(id)
        isClosed = true
        return null
      }
      this.#identities.delete(id)
      missing.push(name)
      return null
    }
    const entries: ExportedVault['entries'][number][] = []
    for (const listing of totpList.listed.value) {
      const value = await read(totpList, listing, nameOf(listing))
      if (value === null) continue
      const { issuer, label, parameters, state, account, methodId } = listing
      const { secret, lastStep } = value
      this.#identities.set(listing.id, otpIdentity({ secret, parameters }))
      entries.push({ issuer, label, parameters, secret, lastStep, state, account, methodId })
    }
    const backupSets: ExportedVault['backupSets'][number][] = []
    for (const listing of backupList.listed.value) {
      const value = await read(backupList, listing, nameOfSet(listing))
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

interface Added {
  readonly added: number
  /** What kept the rest from being added. */
  readonly problem: Problem | null
}

/**
 * Adds one after the other. What is too long for the keychain is left out; anything else ends it.
 *
 * @throws ProblemError what ended it before anything was added, by this or, where it's begun, by others
 */
async function addEach<One>(
  all: readonly One[],
  {
    add,
    leaveOut,
    isBegun = false,
  }: {
    readonly add: (one: One) => Promise<unknown>
    readonly leaveOut: (one: One) => void
    readonly isBegun?: boolean
  },
): Promise<Added> {
  let added = 0
  for (const one of all)
    try {
      await add(one)
      added += 1
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { problem } = error
      if (problem.kind === 'invalid-input' && problem.fault.code === 'too-long-for-keychain') leaveOut(one)
      else if (added > 0 || isBegun) return { added, problem }
      else throw error
    }
  return { added, problem: null }
}

function holds(set: Pick<BackupValue, 'codes'>, other: Pick<BackupValue, 'codes'>): boolean {
  const codes = new Set(set.codes.map(({ code }) => code))
  return other.codes.every(({ code }) => codes.has(code))
}

function nameOf(entry: { readonly issuer: string; readonly label: string }): string {
  return nameOfOtp(entry) || 'One-time password'
}

function nameOfSet({ account }: { readonly account: VaultAccount }): string {
  return `Backup codes of ${account.serviceAddress}`
}

function countsOf({ entries, backupSets }: ExportedVault) {
  return { entries: entries.length, backupSets: backupSets.length }
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
