import { qualifiedUserId } from '../../domain/base/account-identity.ts'
import { parseBackupCodes } from '../../domain/vault/backup-codes.ts'
import { Latest } from '../../domain/base/latest.ts'
import { normalizeSecret, otpIdentity, type OtpParameters } from '../../domain/vault/otp.ts'
import { parseOtpUri } from './codes/otp-uri.ts'
import { ProblemError, invalidInput } from '../../domain/base/problem.ts'
import type {
  BackupCode,
  KeptIn,
  VaultAccount,
  VaultCodes,
  VaultView,
} from '../../domain/vault/vault-view.ts'
import type { LiveCodes } from './codes/live-codes.ts'
import type { SecretClipboard } from './secret-clipboard.ts'
import { writeSecretFile } from './secret-file.ts'
import type { SecretVisibility } from './secret-visibility.ts'
import type { CorrectedClock } from './codes/corrected-clock.ts'
import type { Vault } from './vault.ts'

/** The other accounts that are connected: what belongs to them is on their own pages. */
export interface OtherAccounts {
  readonly now: () => readonly VaultAccount[]
  /** Tells when there are more or fewer of them. */
  readonly changes: Pick<Latest<unknown>, 'watch'>
}

export interface AccountVaultOptions {
  readonly vault: Pick<Vault, 'totp' | 'backupCodes' | 'totpList' | 'backupList' | 'instanceKeys'>
  readonly codes: Pick<LiveCodes, 'watch'>
  readonly screen: SecretVisibility
  readonly clipboard: SecretClipboard
  readonly correctedClock: Pick<CorrectedClock, 'state'>
  /** The page's account; `null` without one. */
  readonly account: () => VaultAccount | null
  readonly others: OtherAccounts
  /** Asks the user where to; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
}

/** A secret to be scanned. */
const revealEntryMs = 60_000
/** Ten codes to be written down. */
const revealCodesMs = 5 * 60_000

/** What the window asks of the vault: it gets codes, and a secret only for a limited time. */
export class AccountVault {
  readonly #options: AccountVaultOptions
  /** Everything but the secrets. */
  readonly view: Latest<VaultView>

  constructor(options: AccountVaultOptions) {
    this.#options = options
    this.view = new Latest(this.#look())
  }

  /** @throws ProblemError invalid-input, and as `SecretList.add` does */
  async addUri(uri: string, keepIn: KeptIn) {
    const parsed = parseOtpUri(uri)
    if (!parsed.ok) throw invalidInput('uri', parsed.fault)
    await this.#refuseTwice('uri', parsed.value)
    return this.#options.vault.totp.add({ ...parsed.value, uri: uri.trim() }, keepIn)
  }

  /** Throws as {@link AccountVault.addUri}. */
  async addKey(typed: {
    readonly issuer: string
    readonly label: string
    readonly key: string
    readonly parameters: OtpParameters
    readonly keepIn: KeptIn
  }) {
    const { issuer, label, key, parameters, keepIn } = typed
    const secret = normalizeSecret(key)
    if (secret === null) throw invalidInput('key', { code: 'not-otp-key' })
    await this.#refuseTwice('key', { secret, parameters })
    return this.#options.vault.totp.add({ issuer, label, secret, parameters, uri: null }, keepIn)
  }

  /** What cannot be read now is not compared: two entries of one secret do no harm. */
  async #refuseTwice(
    field: string,
    wanted: { readonly secret: string; readonly parameters: OtpParameters },
  ): Promise<void> {
    const { totp, totpList } = this.#options.vault
    for (const entry of totpList.listed.value) {
      const read = await totp.maker(entry.id)
      if (read.kind !== 'found' || otpIdentity(read.secret) !== otpIdentity(wanted)) continue
      const name = this.#isElsewhere(entry) ? null : [entry.issuer, entry.label].filter(Boolean).join(', ')
      throw invalidInput(field, { code: 'in-vault', name })
    }
  }

  /** The codes of the entries that are in {@link AccountVault.view}. */
  async *watchCodes(signal?: AbortSignal): AsyncGenerator<VaultCodes, void, void> {
    const { vault, codes: all } = this.#options
    for await (const pushed of all.watch(signal)) {
      if (pushed.kind === 'hidden') yield pushed
      else {
        const elsewhere = new Set(
          vault.totpList.listed.value.filter((entry) => this.#isElsewhere(entry)).map(({ id }) => id),
        )
        yield { kind: 'shown', codes: pushed.codes.filter(({ id }) => !elsewhere.has(id)) }
      }
    }
  }

  async copyCode(id: string) {
    const { vault, clipboard } = this.#options
    const { code, endsAtMs } = await vault.totp.codeNow(id)
    const { clearsAtMs } = await clipboard.copy(code)
    return { clearsAtMs, codeEndsAtMs: endsAtMs }
  }

  revealEntry(id: string, signal?: AbortSignal) {
    const { screen, vault } = this.#options
    const look = async () => {
      const { secret, picture } = await vault.totp.secretOf(id)
      const key = normalizeSecret(secret) ?? secret
      return { key: key.replaceAll(/.{4}(?!$)/g, '$& '), picture }
    }
    return screen.showFor(revealEntryMs, look, signal)
  }

  /** @throws ProblemError no-account, invalid-input, and as `SecretList.add` does */
  async addBackupCodes(text: string, keepIn: KeptIn) {
    const { vault } = this.#options
    const owner = this.#account()
    const codes = parseBackupCodes(text)
    if (codes === null) throw invalidInput('text', { code: 'not-backup-code' })
    return vault.backupCodes.add(
      owner,
      codes.map((code) => ({ code, state: 'unused' })),
      keepIn,
    )
  }

  revealBackupCodes(id: string, signal?: AbortSignal) {
    const { screen, vault } = this.#options
    return screen.showFor(revealCodesMs, async () => ({ codes: await vault.backupCodes.codes(id) }), signal)
  }

  async copyBackupCode(id: string, position: number) {
    const { vault, clipboard } = this.#options
    const code = (await vault.backupCodes.codes(id))[position]
    if (code === undefined) throw invalidInput('position', { code: 'not-listed' })
    return clipboard.copy(code.code)
  }

  async copyBackupCodes(id: string) {
    const { vault, clipboard } = this.#options
    const { clearsAtMs } = await clipboard.copy(linesOf(await vault.backupCodes.codes(id)))
    await vault.backupCodes.markSaved(id, 'copy')
    return { clearsAtMs }
  }

  /** @throws ProblemError the keychain's, storage-failed; there is no file then */
  async saveBackupCodes(id: string): Promise<{ readonly path: string } | null> {
    const { vault, chooseFile } = this.#options
    const codes = linesOf(await vault.backupCodes.codes(id))
    const account = vault.backupList.find(id)?.account
    const path = await chooseFile('backup-codes.txt')
    if (path === null) return null
    const user = typeof account?.userId === 'number' ? `user ${account.userId}` : 'a user'
    const heading = `# Backup codes of ${user} at ${account?.serviceAddress}. Each code works once.`
    const text = `${heading}\n${codes}\n`
    await writeSecretFile(path, text, (readBack) => {
      if (readBack !== text) throw new Error('The saved file doesn’t match the codes')
    })
    await vault.backupCodes.markSaved(id, 'file')
    return { path }
  }

  /** Throws as `InstanceKeys.valueOf` does, and `no-account`. */
  revealInstanceKey(instanceId: number, signal?: AbortSignal) {
    const { screen } = this.#options
    return screen.showFor(revealEntryMs, async () => ({ key: await this.#instanceKey(instanceId) }), signal)
  }

  async copyInstanceKey(instanceId: number) {
    return this.#options.clipboard.copy(await this.#instanceKey(instanceId))
  }

  /** Of an instance's own key that could not be saved. */
  copyUnsavedKey(key: string) {
    return this.#options.clipboard.copy(key)
  }

  /** Throws as `InstanceKeys.remove` does, and `no-account`. */
  async removeInstanceKey(instanceId: number): Promise<void> {
    await this.#options.vault.instanceKeys.remove(qualifiedUserId(this.#account()), instanceId)
  }

  #instanceKey(instanceId: number): Promise<string> {
    return this.#options.vault.instanceKeys.valueOf(qualifiedUserId(this.#account()), instanceId)
  }

  #account(): VaultAccount {
    const account = this.#options.account()
    if (account === null) throw new ProblemError({ kind: 'no-account' })
    return account
  }

  /**
   * An entry or a set by its id, which a page must have from its own view.
   *
   * @throws ProblemError secret-missing when it is another account's
   */
  own(id: string): string {
    const { totpList, backupList } = this.#options.vault
    const found = totpList.find(id) ?? backupList.find(id)
    if (found !== null && this.#isElsewhere(found))
      throw new ProblemError({ kind: 'secret-missing', what: 'entry' })
    return id
  }

  /** Keeps {@link AccountVault.view} up to date. Ends when the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { vault, screen, clipboard, correctedClock, others } = this.#options
    const sources: readonly Pick<Latest<unknown>, 'watch'>[] = [
      vault.totpList.listed,
      vault.backupList.listed,
      vault.instanceKeys.listed,
      screen.state,
      clipboard.clearsAtMs,
      correctedClock.state,
      others.changes,
    ]
    await Promise.all(
      sources.map(async (source) => {
        for await (const _ of source.watch(signal)) this.view.set(this.#look())
      }),
    )
  }

  #look(): VaultView {
    const { vault, screen, clipboard, correctedClock } = this.#options
    const account = this.#options.account()
    const owner = account === null ? null : qualifiedUserId(account)
    const entries = vault.totpList.listed.value
    const backupSets = vault.backupList.listed.value
    return {
      entries: entries.filter((one) => !this.#isElsewhere(one)),
      backupSets: backupSets.filter((one) => !this.#isElsewhere(one)),
      instanceKeys: vault.instanceKeys.listed.value
        .filter((one) => one.owner === owner)
        .map(({ instanceId, keptIn }) => ({ instanceId, keptIn })),
      elsewhere: {
        entries: entries.filter((one) => this.#isElsewhere(one)).length,
        backupSets: backupSets.filter((one) => this.#isElsewhere(one)).length,
      },
      clock: correctedClock.state.value,
      screen: screen.state.value,
      clipboardClearsAtMs: clipboard.clearsAtMs.value,
    }
  }

  /** What belongs to an account that was signed out is shown on every page: it has none of its own. */
  #isElsewhere({ account }: { readonly account: VaultAccount | null }): boolean {
    if (account === null) return false
    const owner = qualifiedUserId(account)
    return this.#options.others.now().some((other) => qualifiedUserId(other) === owner)
  }
}

function linesOf(codes: readonly BackupCode[]): string {
  return codes
    .filter(({ state }) => state !== 'used')
    .map(({ code }) => code)
    .join('\n')
}
