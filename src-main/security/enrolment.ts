import { ProblemError, type Problem } from '../domain/problem.ts'
import type { FlowGoal, FlowStep } from '../domain/security-flow.ts'
import { mayHaveHappened } from '../domain/service-errors.ts'
import { tfaCodes } from '../domain/tfa-code-meanings.ts'
import { parseSixDigits } from '../domain/tfa-proof.ts'
import { parsePhoneNumber } from '../domain/tfa.ts'
import { Challenges, tooSoon } from './challenges.ts'
import type { NewMethod } from '../rental/tfa.ts'
import { requireKeychain } from './keeping.ts'
import type { PurposeOptions } from './purposes.ts'
import type { SmsLimits } from './sms-limits.ts'
import { isTfaRefusal } from './verify-reactions.ts'

export interface EnrolmentOptions extends PurposeOptions {
  readonly smsLimits: SmsLimits
  readonly method: 'totp' | 'sms'
  /** Asks for permission again, in place; then `resume` is called. */
  readonly authorise: () => void
}

/** One set of codes under way: those to the new number. */
const newNumber = 'new-number'

/** Sets a new method up and confirms it. What was entered survives a permission that ends meanwhile. */
export class Enrolment {
  readonly #options: EnrolmentOptions
  readonly #challenges: Challenges
  #totp: { readonly entryId: string; readonly secret: string } | null = null
  #number: string | null = null
  #label: string
  /** An SMS code that was entered when the permission had ended: still good for 10 minutes. */
  #enteredSms: string | null = null
  /** As long as nothing is confirmed, it does not change. */
  #isFirst = false

  constructor(options: EnrolmentOptions) {
    this.#options = options
    this.#challenges = new Challenges(options.remember)
    this.#label = options.method === 'totp' ? 'Authenticator' : 'SMS'
  }

  get label(): string {
    return this.#label
  }

  /** Goes to the step. A TOTP secret is made once; each further call of the service would make another. */
  async start(): Promise<void> {
    const { account, vault, run, remember, method, keepIn } = this.#options
    this.#isFirst = account.known?.methods.length === 0
    if (method === 'totp' && this.#totp === null) {
      run.working('preparing')
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
    if (code !== null && this.#challenges.good(newNumber, this.#options.clock.now()) !== null)
      await this.#confirmWith(code)
  }

  show(): void {
    const { run } = this.#options
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
    return this.#options.vault.totp.secretOf(this.#totp?.entryId ?? '')
  }

  /** `false`: it cannot be used, and the refusal says why. */
  setNumber(typed: string): boolean {
    this.#require('enrol-sms')
    const { run, smsLimits } = this.#options
    const number = parsePhoneNumber(typed)
    if (number === null || smsLimits.isRefused(number)) {
      run.refuse(number === null ? { kind: 'shape', expected: 'phone-number' } : { kind: 'number-refused' })
      return false
    }
    // A code that went to another number is of no use for this one.
    if (number !== this.#number) this.#challenges.drop(newNumber)
    this.#number = number
    this.show()
    return true
  }

  async send(): Promise<void> {
    this.#require('enrol-sms')
    const { run, clock } = this.#options
    const number = this.#number
    if (number === null) return run.refuse({ kind: 'shape', expected: 'phone-number' })
    if (this.#resendAt() !== null) throw tooSoon()
    await run.act('sending', async () => {
      try {
        const { secret } = await run.ask('sending', () => this.#sendTo(number))
        this.#challenges.adopt(newNumber, secret, clock.now())
        this.show()
      } catch (error) {
        await this.#react(error)
      }
    })
  }

  async confirm(typed: string, label: string, anyway: boolean): Promise<void> {
    const { run, vault, keepIn } = this.#options
    this.#require(this.#totp === null ? 'enrol-sms' : 'enrol-totp')
    this.#label = label
    const code = parseSixDigits(typed)
    if (code === null) return run.refuse({ kind: 'shape', expected: 'six-digits' })
    const entryId = this.#totp?.entryId ?? null
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
    const { run } = this.#options
    try {
      run.working('confirming')
      await run.ask('confirming', () => this.#send(code))
    } catch (error) {
      if (isTfaRefusal(error, 'authorization_required') && this.#totp === null) this.#enteredSms = code
      await this.#react(error)
    }
  }

  async #send(code: string): Promise<void> {
    const { account, run, book, clock, randomId, vault, gate, method, keepIn } = this.#options
    const order = this.#order(code)
    const known = account.known
    const { owner } = account
    const step = {
      kind: 'confirm',
      id: randomId(),
      at: clock.now(),
      method,
      isFirst: this.#isFirst,
      knownIds: known?.methods.map(({ id }) => id) ?? [],
      entryId: this.#totp?.entryId ?? null,
      setsBefore: vault.backupSets.value.map(({ id }) => id),
    } as const
    const lost = await account.takeStep(step, async (): Promise<ProblemError | null> => {
      try {
        const { backupCodes } = await account.client.confirm(order)
        if (backupCodes !== null) {
          run.working('keeping')
          await gate.keep(backupCodes, 'first-method', keepIn)
          await book.codesRenewed(owner)
        }
        return null
      } catch (error) {
        if (error instanceof ProblemError && mayHaveHappened(error.problem)) return error
        await book.close(owner, step.id)
        throw error
      }
    })
    // Finds the new method, gives its id to the vault's entry, and closes the step in the book.
    const isAnswered = await account.refreshAnew()
    const isHere = account.known?.methods.some(({ id }) => !step.knownIds.includes(id)) === true
    if (lost !== null) return this.#tellLost(lost.problem, isAnswered ? isHere : null)
    account.useEntry(null)
    if (run.view.step.kind !== 'save-codes') run.finish({ kind: 'added', method, label: this.#label })
  }

  /** Nothing is sent again: what the account shows says whether it was done. */
  #tellLost(problem: Problem, happened: boolean | null): void {
    const { run, account, method } = this.#options
    if (happened === true && !this.#isFirst) {
      account.useEntry(null)
      return run.finish({ kind: 'added', method, label: this.#label })
    }
    account.useEntry(null)
    const next: FlowGoal = happened === true ? { kind: 'regenerate' } : { kind: 'add', method }
    run.stop({ kind: 'reply-lost', what: 'confirm', happened, problem }, happened === null ? [] : [next])
  }

  #order(code: string): NewMethod {
    const label = this.#label
    if (this.#totp !== null)
      return { method: 'totp', code, secret: this.#totp.secret, phoneNumber: null, label }
    const challenge = this.#challenges.get(newNumber)
    if (challenge === null || this.#number === null)
      throw new ProblemError({
        kind: 'tfa-refused',
        code: 'no_challenge_found',
        message: '',
        failCount: null,
        lockedUntilSeconds: null,
      })
    return { method: 'sms', code, secret: challenge.secret, phoneNumber: this.#number, label }
  }

  async #sendTo(phoneNumber: string): Promise<{ readonly secret: string }> {
    const { account, clock } = this.#options
    const held = this.#challenges.good(newNumber, clock.now())
    if (held !== null) return account.client.resendSms({ phoneNumber }, held.secret)
    try {
      return await account.client.sendSms({ phoneNumber })
    } catch (error) {
      if (isTfaRefusal(error, 'tfa_challenge_exists')) return account.client.resendSms({ phoneNumber }, null)
      throw error
    }
  }

  /** What the table of codes says, where something is being set up. */
  async #react(error: unknown): Promise<void> {
    const { run, account, smsLimits, clock, vault } = this.#options
    if (!(error instanceof ProblemError) || error.problem.kind !== 'tfa-refused') throw error
    const { problem } = error
    const { reaction } = tfaCodes[problem.code]
    switch (reaction.kind) {
      case 'session-ended':
        await account.dropSession()
        await account.refreshAnew()
        return run.stop({ kind: 'problem', problem }, [{ kind: 'log-in', admin: false }, run.view.goal])
      case 'authorise':
        account.noteWindow(false)
        this.#options.authorise()
        return run.refuseProblem(problem)
      case 'send-again':
        if (this.#totp !== null) return this.#startOver(problem)
        this.#challenges.drop(newNumber)
        break
      case 'refuse-number':
        if (this.#number !== null) smsLimits.refuse(this.#number)
        this.#number = null
        break
      case 'cooldown':
        smsLimits.limit(clock.now())
        break
      case 'block-email':
        account.noteEmail('unverified')
        break
      case 'missing-email':
        account.noteEmail('missing')
        break
      case 'already-set-up': {
        if (this.#totp !== null) await vault.totp.orphan(this.#totp.entryId)
        account.useEntry(null)
        await account.refreshAnew()
        return run.stop({ kind: 'problem', problem }, this.#replacements())
      }
      case 'disable-sms':
        await account.noteSmsDisabled(true)
        return run.stop({ kind: 'problem', problem }, [{ kind: 'add', method: 'totp' }])
      case 'team':
        account.noteTeam(problem.message)
        return run.stop({ kind: 'problem', problem })
      case 'upgrade-legacy':
        return run.stop({ kind: 'problem', problem }, [{ kind: 'regenerate' }])
      case 'refetch':
      case 'gone':
        await account.refreshAnew()
        break
      default:
        break
    }
    this.show()
    run.refuseProblem(problem)
  }

  /** The service does not know the secret any more: only a new one can be confirmed. */
  #startOver(problem: Problem): void {
    const { run, account } = this.#options
    account.useEntry(null)
    run.stop({ kind: 'problem', problem }, [{ kind: 'add', method: 'totp' }])
  }

  /** To set up anew what is there: remove it first. */
  #replacements(): readonly FlowGoal[] {
    const { account, method } = this.#options
    const there = account.known?.methods.filter(({ kind }) => kind === method) ?? []
    return there.map(({ id }) => ({ kind: 'remove', methodId: id, thenAdd: method }))
  }

  #resendAt(): number | null {
    const { clock, smsLimits } = this.#options
    const now = clock.now()
    return Math.max(this.#challenges.resendAt(newNumber, now) ?? 0, smsLimits.until(now) ?? 0) || null
  }

  #keptIn(entryId: string): 'keychain' | 'memory' {
    return this.#options.vault.entries.value.find(({ id }) => id === entryId)?.keptIn ?? 'keychain'
  }

  #require(kind: FlowStep['kind']): void {
    if (this.#options.run.view.step.kind !== kind)
      throw new ProblemError({ kind: 'invalid-input', field: 'flowId', message: 'This step is over.' })
  }
}
