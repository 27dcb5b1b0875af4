import { methodIdOf } from '../two-factor-choices.ts'
import type { VerifyChoice } from '../../../domain/two-factor/verification.ts'
import { normalizeBackupCode } from '../../../domain/vault/backup-codes.ts'
import type { BackupCodeState, BackupSetView } from '../../../domain/vault/vault-view.ts'
import type { TwoFactorAccount } from '../two-factor-account.ts'
import type { TwoFactorParts } from '../parts.ts'

export interface StoredCodesOptions extends Pick<TwoFactorParts, 'vault' | 'log'> {
  readonly account: TwoFactorAccount
}

/**
 * What a verification takes from the vault, and what it notes there. A keychain that is locked now does not keep
 * anybody from a code that is on paper or on a phone, so noting never fails.
 */
export class StoredCodes {
  readonly #options: StoredCodesOptions

  constructor(options: StoredCodesOptions) {
    this.#options = options
  }

  /** The set that backup codes are taken from; `null`: the vault has none of this account. */
  get backupSet(): BackupSetView | null {
    const { vault, account } = this.#options
    const setId = vault.backupCodes.current(account.vaultAccount)
    return vault.backupSets.value.find(({ id }) => id === setId) ?? null
  }

  /** @throws ProblemError when the keychain does not give it now */
  async nextBackupCode(): Promise<string | null> {
    const { vault, account } = this.#options
    const setId = vault.backupCodes.current(account.vaultAccount)
    return setId === null ? null : vault.backupCodes.next(setId)
  }

  /** The id of the authenticator's entry for a method, if its secret is here. */
  entryOf(choice: VerifyChoice): string | null {
    const { vault, account } = this.#options
    return vault.totp.find(account.vaultAccount, methodIdOf(choice) ?? 0)
  }

  /** What is known of a code of the current set; `null` when it isn't in there, or the keychain does not give it now. */
  async stateOfBackupCode(code: string): Promise<BackupCodeState | null> {
    const { vault, account } = this.#options
    const setId = vault.backupCodes.current(account.vaultAccount)
    let state: BackupCodeState | null = null
    await this.#tolerating(async () => {
      const codes = setId === null ? [] : await vault.backupCodes.codes(setId)
      state = codes.find((one) => one.code === normalizeBackupCode(code))?.state ?? null
    })
    return state
  }

  async noteBackupCode(code: string, state: BackupCodeState): Promise<void> {
    const { vault, account } = this.#options
    await this.#tolerating(() => vault.backupCodes.mark(account.vaultAccount, code, state))
  }

  /** A code that came from the same secret on a phone is not to be used a second time from here. */
  async noteTyped(choice: VerifyChoice, code: string): Promise<void> {
    const { vault } = this.#options
    const entryId = this.entryOf(choice)
    if (entryId === null) return
    await this.#tolerating(async () => {
      const typed = await vault.totp.checkTyped(entryId, code)
      if (typed.kind === 'right') await vault.totp.noteUsed(entryId, typed.step)
    })
  }

  async #tolerating(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.log.error('What was used could not be noted in the vault', error)
    }
  }
}
