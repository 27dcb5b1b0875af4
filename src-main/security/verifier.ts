import { normalizeBackupCode } from '../domain/backup-codes.ts'
import { ProblemError } from '../domain/problem.ts'
import { choicesOf, emailChoice, firstUsable, methodIdOf } from '../domain/security-choices.ts'
import type { ChoiceBlock, VerificationPurpose, VerifyChoice } from '../domain/security-verification.ts'
import { parseSixDigits, type Proof } from '../domain/tfa-proof.ts'
import { parsePhoneNumber } from '../domain/tfa.ts'
import type { SmsTarget } from '../rental/tfa.ts'
import type { SecurityAccount } from './account.ts'
import { Challenges, tooSoon } from './challenges.ts'
import type { FlowRun } from './flow-run.ts'
import type { SecurityParts } from './parts.ts'
import type { SmsLimits } from './sms-limits.ts'
import { isTfaRefusal, reactToRefusal } from './verify-reactions.ts'

export interface VerifierOptions extends SecurityParts {
  readonly run: FlowRun
  readonly account: SecurityAccount
  readonly smsLimits: SmsLimits
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
  readonly challenges: Challenges
  readonly blocks = new Map<string, ChoiceBlock>()
  #chosen: string | null = null
  /** Typed in full, where the service knows no number. */
  #number: string | null = null
  #needsNumber = false
  readonly #failures = new Map<string, number>()
  /** The code that was sent last by each way. */
  readonly #lastSent = new Map<string, string>()

  constructor(options: VerifierOptions) {
    this.options = options
    this.challenges = new Challenges(options.remember)
    this.#chosen = firstUsable(this.choices)
  }

  get choices(): readonly VerifyChoice[] {
    const { account, purpose, vault, clock } = this.options
    const known = account.known
    if (known === null) return []
    const setId = vault.backupCodes.current(account.vaultAccount)
    const set = vault.backupSets.value.find(({ id }) => id === setId)
    return choicesOf({
      purpose,
      account: known,
      emailAddress: account.emailAddress,
      blocks: this.blocks,
      codesInVault: set === undefined ? null : set.unused + set.maybeUsed,
      now: clock.now(),
    })
  }

  /** Shows the step as it is now. */
  show(): void {
    const { run, purpose } = this.options
    const { choices } = this
    const chosen = choices.find(({ id }) => id === this.#chosen)
    const failures = this.#failures.get(this.#chosen ?? '') ?? 0
    run.show({
      kind: 'verify',
      purpose,
      choices,
      chosen: chosen?.id ?? null,
      sent: chosen?.needsSending ? this.challenges.shown(chosen.id) : null,
      resendAt: chosen === undefined ? null : this.#resendAt(chosen),
      needsNumber: this.#needsNumber && chosen?.channel === 'sms',
      failures,
      suggestSwitch: failures >= failuresUntilSwitch,
    })
  }

  choose(id: string): void {
    const choice = this.choices.find((each) => each.id === id)
    if (choice === undefined || choice.block !== null) throw cannotBeUsed()
    this.#chosen = id
    this.show()
  }

  /** `false`: it cannot be used, and the refusal says why. */
  setNumber(typed: string): boolean {
    const { run, smsLimits } = this.options
    const number = parsePhoneNumber(typed)
    if (number === null || smsLimits.isRefused(number)) {
      run.refuse(number === null ? { kind: 'shape', expected: 'phone-number' } : { kind: 'number-refused' })
      return false
    }
    this.#number = number
    this.show()
    return true
  }

  async send(): Promise<void> {
    const { run, clock } = this.options
    const choice = this.#usable()
    if (!choice.needsSending) throw cannotBeUsed()
    if (this.#resendAt(choice) !== null) throw tooSoon()
    await run.act('sending', async () => {
      try {
        const { secret } = await run.ask('sending', () => this.#sendBy(choice))
        this.challenges.adopt(choice.id, secret, clock.now())
        this.show()
      } catch (error) {
        await reactToRefusal(this, choice, error)
      }
    })
  }

  async submit(typed: string): Promise<void> {
    const { run } = this.options
    const choice = this.#usable()
    if (choice.channel === 'backup-code') {
      const code = normalizeBackupCode(typed)
      if (code === '') return run.refuse({ kind: 'shape', expected: 'backup-code' })
      return run.act('verifying', () => this.#spendBackupCode(choice, code))
    }
    const code = parseSixDigits(typed)
    if (code === null) return run.refuse({ kind: 'shape', expected: 'six-digits' })
    if (choice.channel === 'totp' && this.#lastSent.get(choice.id) === code)
      return run.refuse({ kind: 'same-code' })
    await run.act('verifying', async () => {
      if (choice.channel === 'totp') await this.#noteTyped(choice, code)
      await this.#attempt(choice, () => Promise.resolve(code))
    })
  }

  async submitStored(): Promise<void> {
    const { run, vault, account } = this.options
    const choice = this.#usable()
    if (choice.stored === null) return run.refuse({ kind: 'no-stored-code' })
    if (choice.channel === 'backup-code') {
      await run.act('verifying', async () => {
        const setId = vault.backupCodes.current(account.vaultAccount)
        const code = setId === null ? null : await vault.backupCodes.next(setId)
        if (code === null) return run.refuse({ kind: 'no-stored-code' })
        await this.#spendBackupCode(choice, code)
      })
      return
    }
    const entryId = vault.totp.find(account.vaultAccount, methodIdOf(choice) ?? 0)
    if (entryId === null) return run.refuse({ kind: 'no-stored-code' })
    await run.act('verifying', () =>
      this.#attempt(choice, async () => {
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

  askForNumber(): void {
    this.#needsNumber = true
    this.#number = null
  }

  /** The number that codes were to go to, as far as it was typed here. */
  get number(): string | null {
    return this.#number
  }

  /** Sends again by itself: the step that the code belonged to is gone at the service. */
  async renewChallenge(choice: VerifyChoice): Promise<void> {
    this.challenges.drop(choice.id)
    const { secret } = await this.#sendBy(choice)
    this.challenges.adopt(choice.id, secret, this.options.clock.now())
  }

  /** @param code called anew for each try */
  async #attempt(choice: VerifyChoice, code: () => Promise<string>): Promise<void> {
    const { run, perform, purpose } = this.options
    try {
      await run.ask('verifying', async () => {
        // The permission to add a method begins with its first step also where nothing is sent.
        if (purpose === 'authorise' && choice.channel === 'totp' && this.challenges.get(choice.id) === null)
          await this.renewChallenge(choice)
        const secret = this.challenges.get(choice.id)?.secret ?? null
        if (choice.needsSending && secret === null) throw noChallenge()
        const value = await code()
        this.#lastSent.set(choice.id, value)
        await perform(proofOf(choice, value, secret), secret)
      })
    } catch (error) {
      if (isTfaRefusal(error, 'no_pending_authorization') && choice.channel === 'totp') {
        await this.#beginAgain(choice, code)
        return
      }
      await reactToRefusal(this, choice, error)
    }
  }

  /** Step 1 again, once; it costs nothing with an authenticator, whose code was not looked at. */
  async #beginAgain(choice: VerifyChoice, code: () => Promise<string>): Promise<void> {
    try {
      await this.renewChallenge(choice)
      const secret = this.challenges.get(choice.id)?.secret ?? null
      await this.options.perform(
        proofOf(choice, this.#lastSent.get(choice.id) ?? (await code()), secret),
        secret,
      )
    } catch (error) {
      await reactToRefusal(this, choice, error)
    }
  }

  async #spendBackupCode(choice: VerifyChoice, code: string): Promise<void> {
    const { run, vault, account, perform, remember } = this.options
    remember(code)
    // Whatever happens from here on, it may have been used.
    await this.tolerating(() => vault.backupCodes.mark(account.vaultAccount, code, 'maybe-used'))
    try {
      await run.ask('verifying', () => perform({ kind: 'backup-code', backupCode: code }, null))
      await this.tolerating(() => vault.backupCodes.mark(account.vaultAccount, code, 'used'))
    } catch (error) {
      const isDead = isTfaRefusal(error, 'invalid_backup_code')
      if (isDead) await this.tolerating(() => vault.backupCodes.mark(account.vaultAccount, code, 'used'))
      else if (isTfaRefusal(error))
        await this.tolerating(() => vault.backupCodes.mark(account.vaultAccount, code, 'unused'))
      await reactToRefusal(this, choice, error)
    }
  }

  /** A code that came from the same secret on a phone is not to be used a second time from here. */
  async #noteTyped(choice: VerifyChoice, code: string): Promise<void> {
    const { vault, account } = this.options
    const entryId = vault.totp.find(account.vaultAccount, methodIdOf(choice) ?? 0)
    if (entryId === null) return
    await this.tolerating(async () => {
      const typed = await vault.totp.checkTyped(entryId, code)
      if (typed.kind === 'right') await vault.totp.noteUsed(entryId, typed.step)
    })
  }

  /** A keychain that is locked now does not keep anybody from a code that is on paper or on a phone. */
  async tolerating(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.options.log.error('What was used could not be noted in the vault', error)
    }
  }

  async #sendBy(choice: VerifyChoice): Promise<{ readonly secret: string }> {
    const { account, purpose, clock } = this.options
    const { client } = account
    if (choice.channel === 'email')
      return purpose === 'authorise' ? client.beginAuthorization('email', null) : client.sendEmail()
    const methodId = methodIdOf(choice)
    if (choice.channel === 'totp') return client.beginAuthorization('totp', methodId)
    const target: SmsTarget =
      methodId !== null ? { methodId } : this.#number !== null ? { phoneNumber: this.#number } : {}
    const held = this.challenges.good(choice.id, clock.now())
    if (held !== null) return client.resendSms(target, held.secret)
    try {
      return await (purpose === 'authorise'
        ? client.beginAuthorization('sms', methodId)
        : client.sendSms(target))
    } catch (error) {
      // One that nobody here knows the secret of: sent once more, it gets another.
      if (isTfaRefusal(error, 'tfa_challenge_exists')) return client.resendSms(target, null)
      throw error
    }
  }

  #resendAt({ id, channel, needsSending }: VerifyChoice): number | null {
    const { clock, smsLimits } = this.options
    const now = clock.now()
    const resendAt = needsSending ? this.challenges.resendAt(id, now) : null
    const limitedUntil = channel === 'sms' ? smsLimits.until(now) : null
    return Math.max(resendAt ?? 0, limitedUntil ?? 0) || null
  }

  #usable(): VerifyChoice {
    const choice = this.choices.find(({ id }) => id === this.#chosen)
    if (choice === undefined || choice.block !== null) throw cannotBeUsed()
    return choice
  }
}

function proofOf(choice: VerifyChoice, code: string, secret: string | null): Proof {
  const methodId = methodIdOf(choice)
  if (choice.channel === 'totp') return { kind: 'totp', code, methodId }
  if (secret === null) throw noChallenge()
  return choice.id === emailChoice ? { kind: 'email', code, secret } : { kind: 'sms', code, secret, methodId }
}

function cannotBeUsed(): ProblemError {
  return new ProblemError({
    kind: 'invalid-input',
    field: 'choiceId',
    message: 'This way cannot be used now.',
  })
}

/** As the service would say it. */
function noChallenge(): ProblemError {
  return new ProblemError({
    kind: 'tfa-refused',
    code: 'no_challenge_found',
    message: '',
    failCount: null,
    lockedUntilSeconds: null,
  })
}
