import { normalizeBackupCode } from '../../../domain/vault/backup-codes.ts'
import { parseSixDigits } from '../../rental-api/two-factor.ts'
import { tooSoon } from './challenges.ts'
import { readNumber } from './typed-number.ts'
import { cannotBeUsed, VerificationState, type VerificationOptions } from './verification-state.ts'
import { attempt, spendBackupCode } from './submit-code.ts'
import { reactToRefusal } from './verification-refusals.ts'

/** The one state machine of every verification: choose, send, enter, submit. */
export class Verifier {
  readonly #state: VerificationState

  constructor(options: VerificationOptions) {
    this.#state = new VerificationState(options)
  }

  /** Shows the step as it is now. */
  show(): void {
    this.#state.show()
  }

  /** @throws ProblemError invalid-input when this way cannot be taken now */
  choose(id: string): void {
    this.#state.choose(id)
    this.show()
  }

  /** `false`: it cannot be used, and the refusal says why. */
  setNumber(typed: string): boolean {
    const { options, sender, chosenId } = this.#state
    const number = readNumber(typed, options)
    if (number === null) return false
    sender.useNumber(number, chosenId)
    this.show()
    return true
  }

  /** Sends a code by the chosen way; a refusal is told in the step. @throws ProblemError invalid-input */
  async send(): Promise<void> {
    const state = this.#state
    const { sender } = state
    const { run } = state.options
    const choice = state.requireChosen()
    if (!choice.needsSending) throw cannotBeUsed()
    if (sender.resendAt(choice) !== null) throw tooSoon()
    await run.act('sending', async () => {
      try {
        await run.ask('sending', () => sender.send(choice))
        this.show()
      } catch (error) {
        await reactToRefusal(state, choice, error)
      }
    })
  }

  /**
   * Does what the verification is for with a typed code; a refusal is told in the step.
   *
   * @param anyway also with one that may be used, because the reply to it was lost
   * @throws ProblemError invalid-input when the chosen way cannot be taken now
   */
  async submit(typed: string, anyway = false): Promise<void> {
    const state = this.#state
    const { stored } = state
    const { run, lastSent } = state.options
    const choice = state.requireChosen()
    if (choice.channel === 'backup-code') {
      const code = normalizeBackupCode(typed)
      if (code === '') return run.refuse({ kind: 'shape', expected: 'backup-code' })
      return run.act('verifying', () => spendBackupCode(state, choice, code))
    }
    const code = parseSixDigits(typed)
    if (code === null) return run.refuse({ kind: 'shape', expected: 'six-digits' })
    const last = lastSent.get(choice.id)
    if (last?.code === code && choice.channel === 'totp') return run.refuse({ kind: 'same-code' })
    if (last?.code === code && !last.isAnswered && !anyway) return run.refuse({ kind: 'maybe-used-code' })
    await run.act('verifying', async () => {
      if (choice.channel === 'totp') await stored.noteTyped(choice, code)
      await attempt(state, choice, () => Promise.resolve(code))
    })
  }

  /** The same with a code from the vault. */
  async submitStored(): Promise<void> {
    const state = this.#state
    const { stored } = state
    const { run, vault } = state.options
    const choice = state.requireChosen()
    if (choice.stored === null) return run.refuse({ kind: 'no-stored-code' })
    if (choice.channel === 'backup-code') {
      await run.act('verifying', async () => {
        const code = await stored.nextBackupCode()
        if (code === null) return run.refuse({ kind: 'no-stored-code' })
        await spendBackupCode(state, choice, code)
      })
      return
    }
    const entryId = stored.entryOf(choice)
    if (entryId === null) return run.refuse({ kind: 'no-stored-code' })
    await run.act('verifying', () =>
      attempt(state, choice, async () => {
        const { code } = await run.waitable('verifying', (signal, onWait) =>
          vault.totp.codeFor(entryId, { purpose: 'verify', signal, onWait }),
        )
        return code
      }),
    )
  }
}
