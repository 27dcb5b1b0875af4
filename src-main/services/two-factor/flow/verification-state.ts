import { invalidInput, type ProblemError } from '../../../domain/base/problem.ts'
import { choicesOf, firstUsable } from '../two-factor-choices.ts'
import type {
  ChoiceBlock,
  VerificationPurpose,
  VerifyChoice,
} from '../../../domain/two-factor/verification.ts'
import type { Proof } from '../../rental-api/two-factor.ts'
import type { TwoFactorAccount } from '../two-factor-account.ts'
import { CodeSender } from './code-sender.ts'
import type { FlowState } from './flow-state.ts'
import type { TwoFactorParts } from '../parts.ts'
import type { SmsLimits } from '../sms-limits.ts'
import { StoredCodes } from './stored-codes.ts'

export interface VerificationOptions extends TwoFactorParts {
  readonly run: FlowState
  readonly account: TwoFactorAccount
  readonly smsLimits: SmsLimits
  /** Ways that cannot be taken, as refusals told, by the id of the choice; all procedures of a run share them. */
  readonly blocks: Map<string, ChoiceBlock>
  /** The code that was sent last by each way, by the id of the choice; all procedures of a run share them. */
  readonly lastSent: Map<string, SentCode>
  readonly purpose: VerificationPurpose
  readonly perform: Perform
}

/** A code of a method. Without an answer it may be used, or not. */
export interface SentCode {
  readonly code: string
  readonly isAnswered: boolean
}

/**
 * Does what a verification is for, and goes on to the next step.
 *
 * @param secret that of the challenge, which the permission to add a method needs whatever the code is
 * @param send makes the one request that the proof is spent by
 */
export type Perform = (proof: Proof, secret: string | null, send: Send) => Promise<void>
export type Send = <T>(request: () => Promise<T>) => Promise<T>

/** A code like any other: after two failures another way is the better one. */
const failuresUntilSwitch = 2

/** How far a verification has come: the choices, the one that was made, the codes sent and entered, and the failures. */
export class VerificationState {
  readonly options: VerificationOptions
  readonly sender: CodeSender
  readonly stored: StoredCodes
  #chosenId: string | null = null
  readonly #failures = new Map<string, number>()

  constructor(options: VerificationOptions) {
    this.options = options
    this.sender = new CodeSender(options)
    this.stored = new StoredCodes(options)
    this.#chosenId = firstUsable(this.choices)
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
      codesInVault: this.stored.backupSet,
      now: clock.now(),
    })
  }

  /** Of the choice that was made, also when it cannot be used any more. */
  get chosenId(): string | null {
    return this.#chosenId
  }

  /** Shows the step as it is now. */
  show(): void {
    const { run, purpose } = this.options
    const { choices, sender } = this
    const chosen = choices.find(({ id }) => id === this.#chosenId)
    const failures = this.#failures.get(this.#chosenId ?? '') ?? 0
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
    this.#chosenId = this.#requireUsable(id).id
  }

  /** The choice that was made. @throws ProblemError invalid-input when it cannot be used now */
  requireChosen(): VerifyChoice {
    return this.#requireUsable(this.#chosenId)
  }

  /** The code was wrong or was used. */
  countFailure(id: string): void {
    this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1)
  }

  #requireUsable(id: string | null): VerifyChoice {
    const choice = this.choices.find((each) => each.id === id)
    if (choice === undefined || choice.block !== null) throw cannotBeUsed()
    return choice
  }
}

/** The refusal of a choice that cannot be used now. */
export function cannotBeUsed(): ProblemError {
  return invalidInput('choiceId', { code: 'not-available' })
}
