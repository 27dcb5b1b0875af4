import { normalizeBackupCode } from '../../../domain/vault/backup-codes.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { choicesOf, firstUsable } from '../../../domain/security-choices.ts'
import type {
  ChoiceBlock,
  VerificationPurpose,
  VerifyChoice,
} from '../../../domain/two-factor/security-verification.ts'
import { parseSixDigits, type Proof } from '../../../domain/tfa-proof.ts'
import type { SecurityAccount } from '../account.ts'
import { tooSoon } from './challenges.ts'
import { CodeSender } from './code-sender.ts'
import type { FlowRun } from './flow-run.ts'
import type { SecurityParts } from '../parts.ts'
import type { SmsLimits } from '../sms-limits.ts'
import { StoredCodes } from './stored-codes.ts'
import { readNumber } from './typed-number.ts'
import { attempt, spendBackupCode } from './verify-attempt.ts'
import { reactToRefusal } from './verify-reactions.ts'

export interface VerifierOptions extends SecurityParts {
  readonly run: FlowRun
  readonly account: SecurityAccount
  readonly smsLimits: SmsLimits
  /** Ways that cannot be taken, as refusals told, by the id of the choice; all procedures of a run share them. */
  readonly blocks: Map<string, ChoiceBlock>
  readonly purpose: VerificationPurpose
  /**
   * Does what the verification is for, and goes on to the next step. `secret` is that of the challenge, which the
   * permission to add a method needs whatever the code is.
   */
  readonly perform: (proof: Proof, secret: string | null) => Promise<void>
}

/** A code like any other: after two failures another way is the better one. */
const failuresUntilSwitch = 2

/** The one state machine of every verification: choose, send, enter, submit. */
export class Verifier {
  readonly options: VerifierOptions
  readonly sender: CodeSender
  readonly stored: StoredCodes
  /** The code that was given to the service last, by each way. */
  readonly lastSent = new Map<string, string>()
  #chosen: string | null = null
  readonly #failures = new Map<string, number>()

  constructor(options: VerifierOptions) {
    this.options = options
    this.sender = new CodeSender(options)
    this.stored = new StoredCodes(options)
    this.#chosen = firstUsable(this.choices)
  }

  /** All ways, also those that cannot be taken now (`block`); none before the account is known. */
  get choices(): readonly VerifyChoice[] {
    const { account, purpose, clock, blocks } = this.options
    const known = account.known
    if (known === null) return []
    return choicesOf({
      purpose,
      account: known,
      emailAddress: account.emailAddress,
      blocks,
      codesInVault: this.stored.backupCodesLeft,
      now: clock.now(),
    })
  }

  /** Shows the step as it is now. */
  show(): void {
    const { run, purpose } = this.options
    const { choices, sender } = this
    const chosen = choices.find(({ id }) => id === this.#chosen)
    const failures = this.#failures.get(this.#chosen ?? '') ?? 0
    run.show({
      kind: 'verify',
      purpose,
      choices,
      chosen: chosen?.id ?? null,
      sent: chosen?.needsSending ? sender.challenges.shown(chosen.id) : null,
      resendAt: chosen === undefined ? null : sender.resendAt(chosen),
      needsNumber: sender.needsNumber && chosen?.channel === 'sms',
      failures,
      suggestSwitch: failures >= failuresUntilSwitch,
    })
  }

  /** @throws ProblemError invalid-input when this way cannot be taken now */
  choose(id: string): void {
    const choice = this.choices.find((each) => each.id === id)
    if (choice === undefined || choice.block !== null) throw cannotBeUsed()
    this.#chosen = id
    this.show()
  }

  /** `false`: it cannot be used, and the refusal says why. */
  setNumber(typed: string): boolean {
    const number = readNumber(typed, this.options)
    if (number === null) return false
    this.sender.useNumber(number, this.#chosen)
    this.show()
    return true
  }

  /** Sends a code by the chosen way; a refusal is told in the step. @throws ProblemError invalid-input */
  async send(): Promise<void> {
    const { run } = this.options
    const choice = this.#usable()
    if (!choice.needsSending) throw cannotBeUsed()
    if (this.sender.resendAt(choice) !== null) throw tooSoon()
    await run.act('sending', async () => {
      try {
        await run.ask('sending', () => this.sender.send(choice))
        this.show()
      } catch (error) {
        await reactToRefusal(this, choice, error)
      }
    })
  }

  /**
   * Does what the verification is for with a typed code; a refusal is told in the step.
   *
   * @throws ProblemError invalid-input when the chosen way cannot be taken now
   */
  async submit(typed: string): Promise<void> {
    const { run } = this.options
    const choice = this.#usable()
    if (choice.channel === 'backup-code') {
      const code = normalizeBackupCode(typed)
      if (code === '') return run.refuse({ kind: 'shape', expected: 'backup-code' })
      return run.act('verifying', () => spendBackupCode(this, choice, code))
    }
    const code = parseSixDigits(typed)
    if (code === null) return run.refuse({ kind: 'shape', expected: 'six-digits' })
    if (choice.channel === 'totp' && this.lastSent.get(choice.id) === code)
      return run.refuse({ kind: 'same-code' })
    await run.act('verifying', async () => {
      if (choice.channel === 'totp') await this.stored.noteTyped(choice, code)
      await attempt(this, choice, () => Promise.resolve(code))
    })
  }

  /** The same with a code from the vault. */
  async submitStored(): Promise<void> {
    const { run, vault } = this.options
    const choice = this.#usable()
    if (choice.stored === null) return run.refuse({ kind: 'no-stored-code' })
    if (choice.channel === 'backup-code') {
      await run.act('verifying', async () => {
        const code = await this.stored.nextBackupCode()
        if (code === null) return run.refuse({ kind: 'no-stored-code' })
        await spendBackupCode(this, choice, code)
      })
      return
    }
    const entryId = this.stored.entryOf(choice)
    if (entryId === null) return run.refuse({ kind: 'no-stored-code' })
    await run.act('verifying', () =>
      attempt(this, choice, async () => {
        const { code } = await run.waitable('verifying', (signal, onWait) =>
          vault.totp.codeFor(entryId, { purpose: 'verify', signal, onWait }),
        )
        return code
      }),
    )
  }

  /** The code was wrong or was used. */
  countFailure(id: string): void {
    this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1)
  }

  #usable(): VerifyChoice {
    const choice = this.choices.find(({ id }) => id === this.#chosen)
    if (choice === undefined || choice.block !== null) throw cannotBeUsed()
    return choice
  }
}

function cannotBeUsed(): ProblemError {
  return new ProblemError({
    kind: 'invalid-input',
    field: 'choiceId',
    message: 'This way cannot be used now.',
  })
}
