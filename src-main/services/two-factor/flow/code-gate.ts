import { invalidInput, type ProblemError } from '../../../domain/base/problem.ts'
import { declineWords, type FlowStep } from '../../../domain/two-factor/flow.ts'
import type { VaultAccount } from '../../../domain/vault/vault-view.ts'
import type { TwoFactorAccount } from '../two-factor-account.ts'
import type { FlowState } from './flow-state.ts'
import type { TwoFactorVault } from '../parts.ts'

type Reason = Extract<FlowStep, { kind: 'save-codes' }>['reason']

export interface CodeGateOptions {
  readonly run: FlowState
  readonly account: Pick<TwoFactorAccount, 'vaultAccount'>
  readonly vault: TwoFactorVault
  readonly remember: (secret: string) => void
  /** What the procedure ends with once the codes are saved. */
  readonly onSaved: (declined: boolean) => void
}

/** New backup codes: in the vault before they are shown, and not left before they are saved somewhere else, too. */
export class CodeGate {
  readonly #options: CodeGateOptions
  /** Whose codes they are, also when the account was signed out while they were on their way. */
  readonly #owner: VaultAccount
  #setId: string | null = null
  /** As they came, for a keychain that closes while they are shown. */
  #codes: readonly string[] | null = null

  constructor(options: CodeGateOptions) {
    this.#options = options
    this.#owner = options.account.vaultAccount
  }

  /** Puts new codes into the vault, then shows them. Where the keychain refuses them, they are in memory only. */
  async keep(codes: readonly string[], reason: Reason, keepIn: 'keychain' | 'memory'): Promise<void> {
    const { run, vault, remember } = this.#options
    codes.forEach(remember)
    const { id } = await vault.backupCodes.store({ account: this.#owner, codes, keepIn })
    this.#setId = id
    this.#codes = codes
    run.show({ kind: 'save-codes', setId: id, reason, count: codes.length })
  }

  /** Opens the gate again for a set of the vault. @throws ProblemError when it cannot be read now */
  async resume(setId: string): Promise<void> {
    const { run, vault } = this.#options
    const codes = (await vault.backupCodes.codes(setId)).map(({ code }) => code)
    this.#setId = setId
    this.#codes = codes
    run.show({ kind: 'save-codes', setId, reason: 'left-unsaved', count: codes.length })
  }

  /** What is to be shown in the step `save-codes`. */
  codes(): readonly string[] {
    if (this.#options.run.view.step.kind !== 'save-codes' || this.#codes === null) throw notNow()
    return this.#codes
  }

  /**
   * Lets the procedure go on: the codes were saved, or their saving is declined.
   *
   * @param words what was typed to decline (`declineWords`)
   * @throws ProblemError invalid-input (`words`; `flowId` when no codes are shown), secret-missing, storage-failed
   */
  async finish(words: string): Promise<void> {
    const { run, vault, onSaved } = this.#options
    const setId = this.#setId
    if (run.view.step.kind !== 'save-codes' || setId === null) throw notNow()
    const set = vault.backupSets.value.find(({ id }) => id === setId)
    const isSaved = set !== undefined && set.saved !== null
    if (!isSaved && words.trim().toLowerCase() !== declineWords)
      throw invalidInput('words', { code: 'type-word', word: declineWords })
    if (!isSaved) await vault.backupCodes.markSaved(setId, 'declined')
    this.#codes = null
    onSaved(!isSaved)
  }
}

function notNow(): ProblemError {
  return invalidInput('flowId', { code: 'ended' })
}
