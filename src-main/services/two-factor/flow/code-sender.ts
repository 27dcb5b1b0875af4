import { methodIdOf } from '../two-factor-choices.ts'
import type { VerificationPurpose, VerifyChoice } from '../../../domain/two-factor/verification.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import type { Sent, SmsTarget } from '../../rental-api/two-factor.ts'
import type { TwoFactorAccount } from '../two-factor-account.ts'
import { Challenges } from './challenges.ts'
import { sendSmsCode } from './send-sms-code.ts'
import type { SmsLimits } from '../sms-limits.ts'

export interface CodeSenderOptions {
  readonly account: TwoFactorAccount
  readonly purpose: VerificationPurpose
  readonly smsLimits: SmsLimits
  readonly clock: Clock
  readonly remember: (secret: string) => void
}

/** The codes that a verification sends: which way they go, to which number, and when another one may. */
export class CodeSender {
  readonly challenges: Challenges
  readonly #options: CodeSenderOptions
  #number: string | null = null
  #needsNumber = false

  constructor(options: CodeSenderOptions) {
    this.#options = options
    this.challenges = new Challenges(options.remember)
  }

  /** Typed in full, where the service knows no number. */
  get number(): string | null {
    return this.#number
  }

  /** The service wants the number in full. */
  get needsNumber(): boolean {
    return this.#needsNumber
  }

  /** A code that went to another number is of no use for this one. */
  useNumber(number: string, choiceId: string | null): void {
    if (number !== this.#number && choiceId !== null) this.challenges.drop(choiceId)
    this.#number = number
  }

  /** The service knows no number, or refused the one that was typed. */
  askForNumber(): void {
    this.#needsNumber = true
    this.#number = null
  }

  /** Sends one; its challenge takes the place of the one before. */
  async send(choice: VerifyChoice): Promise<void> {
    const { secret } = await this.#sendBy(choice)
    this.challenges.adopt(choice.id, secret, this.#options.clock.now())
  }

  /** Begins anew: the step that the code belonged to is gone at the service. */
  async renew(choice: VerifyChoice): Promise<void> {
    this.challenges.drop(choice.id)
    await this.send(choice)
  }

  /** Of the challenge under way. */
  secretOf({ id }: VerifyChoice): string | null {
    return this.challenges.get(id)?.secret ?? null
  }

  /** When the next one may be sent; `null`: now. */
  resendAt({ id, channel, needsSending }: VerifyChoice): number | null {
    const { clock, smsLimits } = this.#options
    const now = clock.now()
    const resendAt = needsSending ? this.challenges.resendAt(id, now) : null
    const limitedUntil = channel === 'sms' ? smsLimits.until(now) : null
    return Math.max(resendAt ?? 0, limitedUntil ?? 0) || null
  }

  async #sendBy(choice: VerifyChoice): Sent {
    const { account, purpose, clock } = this.#options
    const { client } = account
    if (choice.channel === 'email')
      return purpose === 'authorise' ? client.beginAuthorization('email', null) : client.sendEmail()
    const methodId = methodIdOf(choice)
    if (choice.channel === 'totp') return client.beginAuthorization('totp', methodId)
    const target: SmsTarget =
      methodId !== null ? { methodId } : this.#number !== null ? { phoneNumber: this.#number } : {}
    const held = this.challenges.good(choice.id, clock.now())
    if (purpose !== 'authorise') return sendSmsCode({ client, target, held })
    return sendSmsCode({ client, target, held, begin: () => client.beginAuthorization('sms', methodId) })
  }
}
