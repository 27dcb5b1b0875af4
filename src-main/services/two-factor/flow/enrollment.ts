import { invalidInput } from '../../../domain/base/problem.ts'
import type { FlowStep } from '../../../domain/two-factor/flow.ts'
import { isWithoutMethods } from '../../../domain/two-factor/two-factor.ts'
import { type NewMethod, parseSixDigits, type Sent } from '../../rental-api/two-factor.ts'
import { Challenges, tooSoon } from './challenges.ts'
import { confirmMethod } from './confirm-method.ts'
import { reactToEnrollRefusal, type EnrollmentState } from './enrollment-refusals.ts'
import { requireKeychain } from './keeping.ts'
import type { PurposeOptions } from './flow-goals.ts'
import { sendSmsCode } from './send-sms-code.ts'
import type { SmsLimits } from '../sms-limits.ts'
import { isTwoFactorRefusal, refusedHere } from '../two-factor-refusal.ts'
import { readNumber } from './typed-number.ts'

export interface EnrollmentOptions extends PurposeOptions {
  readonly smsLimits: SmsLimits
  readonly method: 'totp' | 'sms'
  /** Asks for permission again, in place; then `resume` is called. */
  readonly authorize: () => void
}

/** One set of codes under way: those to the new number. */
const newNumber = 'new-number'

/** Sets a new method up and confirms it. What was entered survives a permission that ends meanwhile. */
export class Enrollment implements EnrollmentState {
  readonly options: EnrollmentOptions
  readonly #challenges: Challenges
  #totp: { readonly entryId: string; readonly secret: string } | null = null
  #number: string | null = null
  #label: string
  /** An SMS code that was entered when the permission had ended: still good for 10 minutes. */
  #enteredSms: string | null = null
  /** As long as nothing is confirmed, it does not change. */
  #isFirst = false

  constructor(options: EnrollmentOptions) {
    this.options = options
    this.#challenges = new Challenges(options.remember)
    this.#label = options.method === 'totp' ? 'Authenticator' : 'SMS'
  }

  /** The method’s name, as it was entered last. */
  get label(): string {
    return this.#label
  }

  /** Of the secret in the vault, for an authenticator. */
  get entryId(): string | null {
    return this.#totp?.entryId ?? null
  }

  get number(): string | null {
    return this.#number
  }

  /** The service cannot send to it: another one is asked for. */
  dropNumber(): void {
    this.#number = null
  }

  /** The code under way is of no use any more. */
  dropCode(): void {
    this.#challenges.drop(newNumber)
  }

  /** Goes to the step. A TOTP secret is made once; each further call of the service would make another. */
  async start(): Promise<void> {
    const { account, vault, run, remember, method, keepIn } = this.options
    this.#isFirst = account.known !== null && isWithoutMethods(account.known)
    if (method === 'totp' && this.#totp === null) {
      run.working('preparing')
      // It was asked before the permission, too; that may be minutes ago.
      await requireKeychain(vault, keepIn)
      const { secret, uri } = await account.client.setUpTotp()
      remember(secret)
      remember(uri)
      const { id } = await vault.totp.addPending({
        account: account.vaultAccount,
        uri,
        secret,
        label: '',
        keepIn,
      })
      this.#totp = { entryId: id, secret }
      account.useEntry(id)
    }
    this.show()
  }

  /** After permission was given again. The same SMS code is sent by itself, as it is still good. */
  async resume(): Promise<void> {
    this.show()
    const code = this.#enteredSms
    this.#enteredSms = null
    if (code !== null && this.#challenges.good(newNumber, this.options.clock.now()) !== null)
      await this.#confirmWith(code)
  }

  /** Shows the step as it is now. */
  show(): void {
    const { run } = this.options
    const isFirst = this.#isFirst
    const label = this.#label
    if (this.#totp !== null) {
      const { entryId } = this.#totp
      return run.show({ kind: 'enrol-totp', entryId, keptIn: this.#keptIn(entryId), isFirst, label })
    }
    run.show({
      kind: 'enrol-sms',
      isFirst,
      label,
      phoneNumber: this.#number,
      sent: this.#challenges.shown(newNumber),
      resendAt: this.#resendAt(),
    })
  }

  /** The secret to be shown. */
  async secret(): Promise<{ readonly secret: string; readonly uri: string; readonly picture: string }> {
    this.#require('enrol-totp')
    return this.options.vault.totp.secretOf(this.entryId ?? '')
  }

  /** `false`: it cannot be used, and the refusal says why. */
  setNumber(typed: string): boolean {
    this.#require('enrol-sms')
    const number = readNumber(typed, this.options)
    if (number === null) return false
    // A code that went to another number is of no use for this one.
    if (number !== this.#number) this.dropCode()
    this.#number = number
    this.show()
    return true
  }

  /** Sends a code to the number; what the service refuses is told in the step. @throws ProblemError invalid-input */
  async send(): Promise<void> {
    this.#require('enrol-sms')
    const { run, clock } = this.options
    const number = this.#number
    if (number === null) return run.refuse({ kind: 'shape', expected: 'phone-number' })
    if (this.#resendAt() !== null) throw tooSoon()
    await run.act('sending', async () => {
      try {
        const { secret } = await run.ask('sending', () => this.#sendTo(number))
        this.#challenges.adopt(newNumber, secret, clock.now())
        this.show()
      } catch (error) {
        await reactToEnrollRefusal(this, error)
      }
    })
  }

  /**
   * Confirms the method with a code; what does not work is told in the step.
   *
   * @param anyway also with a code that seems wrong here: the service is to judge it
   * @throws ProblemError invalid-input when the step is over
   */
  async confirm(typed: string, label: string, anyway: boolean): Promise<void> {
    const { run, vault, keepIn } = this.options
    this.#require(this.#totp === null ? 'enrol-sms' : 'enrol-totp')
    this.#label = label
    const code = parseSixDigits(typed)
    if (code === null) return run.refuse({ kind: 'shape', expected: 'six-digits' })
    const { entryId } = this
    await run.act('confirming', async () => {
      if (entryId !== null) {
        const said = await vault.totp.checkTyped(entryId, code)
        if (said.kind === 'right') await vault.totp.noteUsed(entryId, said.step)
        else if (!anyway && said.kind === 'wrong') return run.refuse({ kind: 'typed-code' })
        else if (!anyway && said.kind === 'clock-off')
          return run.refuse({ kind: 'typed-code-clock', skewSeconds: said.bySeconds })
      }
      // Backup codes come with the first method, and this once: what cannot be kept is not asked for.
      if (this.#isFirst) await requireKeychain(vault, keepIn)
      await this.#confirmWith(code)
    })
  }

  async #confirmWith(code: string): Promise<void> {
    const { run } = this.options
    try {
      run.working('confirming')
      await run.ask('confirming', () =>
        confirmMethod(this.options, {
          order: this.#order(code),
          isFirst: this.#isFirst,
          entryId: this.entryId,
        }),
      )
    } catch (error) {
      if (isTwoFactorRefusal(error, 'authorization_required') && this.#totp === null) this.#enteredSms = code
      await reactToEnrollRefusal(this, error)
    }
  }

  #order(code: string): NewMethod {
    const label = this.#label
    if (this.#totp !== null)
      return { method: 'totp', code, secret: this.#totp.secret, phoneNumber: null, label }
    const challenge = this.#challenges.get(newNumber)
    if (challenge === null || this.#number === null) throw refusedHere('no_challenge_found')
    return { method: 'sms', code, secret: challenge.secret, phoneNumber: this.#number, label }
  }

  #sendTo(phoneNumber: string): Sent {
    const { account, clock } = this.options
    const held = this.#challenges.good(newNumber, clock.now())
    return sendSmsCode({ client: account.client, target: { phoneNumber }, held })
  }

  #resendAt(): number | null {
    const { clock, smsLimits } = this.options
    const now = clock.now()
    return Math.max(this.#challenges.resendAt(newNumber, now) ?? 0, smsLimits.until(now) ?? 0) || null
  }

  #keptIn(entryId: string): 'keychain' | 'memory' {
    return this.options.vault.entries.value.find(({ id }) => id === entryId)?.keptIn ?? 'keychain'
  }

  #require(kind: FlowStep['kind']): void {
    if (this.options.run.view.step.kind !== kind) throw invalidInput('flowId', { code: 'ended' })
  }
}
