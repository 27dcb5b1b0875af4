import { assertNever } from '../../../domain/base/assert-never.ts'
import { invalidInput, type ProblemError } from '../../../domain/base/problem.ts'
import {
  turnOffWords,
  type FlowGoal,
  type FlowStep,
  type TwoFactorFlow,
} from '../../../domain/two-factor/flow.ts'
import type { ChoiceBlock } from '../../../domain/two-factor/verification.ts'
import { isUpgradable, isWithoutMethods, type KnownTwoFactor } from '../../../domain/two-factor/two-factor.ts'
import type { TwoFactorAccount } from '../two-factor-account.ts'
import { CodeGate } from './code-gate.ts'
import { Enrollment } from './enrollment.ts'
import { FlowState } from './flow-state.ts'
import { requireKeychain } from './keeping.ts'
import type { TwoFactorParts } from '../parts.ts'
import { authorize, logIn, regenerate, remove, type PurposeOptions } from './flow-goals.ts'
import type { SmsLimits } from '../sms-limits.ts'
import { refusedHere } from '../two-factor-refusal.ts'
import type { SentCode, VerificationOptions } from './verification-state.ts'
import { Verifier } from './verifier.ts'

export interface GuidedFlowOptions extends TwoFactorParts {
  readonly account: TwoFactorAccount
  readonly smsLimits: SmsLimits
  readonly blocks: Map<string, ChoiceBlock>
  readonly lastSent: Map<string, SentCode>
  readonly keepIn: 'keychain' | 'memory'
  readonly onChange: () => void
}

/** One guided procedure, put together from its parts. */
export class GuidedFlow {
  readonly run: FlowState
  readonly gate: CodeGate
  readonly #options: GuidedFlowOptions
  #verifier: Verifier | null = null
  #enrollment: Enrollment | null = null

  constructor(options: GuidedFlowOptions, goal: FlowGoal, path: TwoFactorFlow['path']) {
    this.#options = options
    const { clock, random, randomId, log, onChange, account, vault, remember } = options
    this.run = new FlowState(
      { id: randomId(), goal, path, clock, random, log, onChange },
      { kind: 'preparing' },
    )
    this.gate = new CodeGate({
      run: this.run,
      account,
      vault,
      remember,
      onSaved: (declined) => this.#saved(declined),
    })
  }

  /** The step that it begins with. */
  async start(): Promise<void> {
    const { account } = this.#options
    const { goal } = this.run.view
    const known = account.known
    switch (goal.kind) {
      case 'log-in':
        this.#verifier = this.#verify('log-in', logIn(this.#purpose, goal.admin))
        return this.#verifier.show()
      case 'remove':
        this.#verifier = this.#verify('remove', remove(this.#purpose, goal))
        return this.run.show({ kind: 'warn', about: removalOf(known) })
      case 'regenerate':
        this.#verifier = this.#verify('regenerate', regenerate(this.#purpose))
        return this.run.show({
          kind: 'warn',
          about: known !== null && isUpgradable(known) ? 'upgrade-legacy' : 'regenerate',
        })
      case 'add': {
        const enrollment = new Enrollment({
          ...this.#purpose,
          smsLimits: this.#options.smsLimits,
          method: goal.method,
          authorize: () => this.#authorize(() => enrollment.resume()),
        })
        this.#enrollment = enrollment
        const begin = (): Promise<void> => this.#enroll(enrollment)
        if (known?.addWindow.kind === 'open') await this.run.act('preparing', begin)
        else this.#authorize(begin)
        return
      }
      default:
        assertNever(goal)
    }
  }

  /**
   * From the warning to the verification.
   *
   * @param words what was typed where 2FA is turned off by it (`turnOffWords`)
   * @throws ProblemError invalid-input (`words`; `flowId` when no warning is shown)
   */
  proceed(words: string): void {
    const { step } = this.run.view
    if (step.kind !== 'warn') throw over()
    if (turnsOff.has(step.about) && words.trim().toLowerCase() !== turnOffWords)
      throw invalidInput('words', { code: 'type-word', word: turnOffWords })
    this.verifier.show()
  }

  /** Of the step `verify`. @throws ProblemError when the procedure is in another one */
  get verifier(): Verifier {
    const { kind } = this.run.view.step
    if (this.#verifier === null || (kind !== 'verify' && kind !== 'warn')) throw over()
    return this.#verifier
  }

  /** Of the steps that set a method up. */
  get enrollment(): Enrollment {
    if (this.#enrollment === null || !/^enrol-/.test(this.run.view.step.kind)) throw over()
    return this.#enrollment
  }

  /** What sends codes in the present step. */
  get sender(): Verifier | Enrollment {
    return this.run.view.step.kind === 'enrol-sms' ? this.enrollment : this.verifier
  }

  /** The account, the vault or the clock changed. */
  touch(): void {
    if (this.run.view.step.kind === 'verify') this.#verifier?.show()
  }

  /** It was left, or another one takes its place. A secret that was not confirmed stays in the vault, and is told. */
  end(): void {
    this.run.end()
    this.#options.account.useEntry(null)
  }

  get #purpose(): PurposeOptions {
    return { ...this.#options, run: this.run, gate: this.gate }
  }

  #verify(purpose: VerificationOptions['purpose'], perform: VerificationOptions['perform']): Verifier {
    return new Verifier({ ...this.#options, run: this.run, purpose, perform })
  }

  #authorize(goOn: () => Promise<void>): void {
    this.#verifier = this.#verify('authorise', authorize(this.#purpose, goOn))
    this.#verifier.show()
  }

  /** Permission is there already: what fails here is no reason to verify again. */
  async #enroll(enrollment: Enrollment): Promise<void> {
    try {
      await enrollment.start()
    } catch (error) {
      this.run.stop({ kind: 'problem', problem: this.run.problemOf(error) }, [this.run.view.goal])
    }
  }

  #saved(declined: boolean): void {
    const { goal, step } = this.run.view
    if (goal.kind === 'add')
      return this.run.finish({ kind: 'added', method: goal.method, label: this.#enrollment?.label ?? '' })
    const upgraded = step.kind === 'save-codes' && step.reason === 'upgrade-legacy'
    this.run.finish({ kind: 'codes-replaced', upgraded, declined })
  }
}

/** The steps of a procedure, as they are known when it begins. */
export function pathOf(goal: FlowGoal, known: KnownTwoFactor): TwoFactorFlow['path'] {
  switch (goal.kind) {
    case 'log-in':
      return ['verify', 'done']
    case 'remove':
      return ['warn', 'verify', 'done']
    case 'regenerate':
      return ['warn', 'verify', 'save-codes', 'done']
    case 'add':
      return [
        ...(known.addWindow.kind === 'open' ? [] : (['verify'] as const)),
        'enrol',
        ...(isWithoutMethods(known) ? (['save-codes'] as const) : []),
        'done',
      ]
    default:
      return assertNever(goal)
  }
}

/**
 * Refuses what could not end well, before anything is asked of the service.
 *
 * @throws ProblemError tfa-refused with the code that the service would answer with; keychain-locked,
 *   keychain-unavailable; invalid-input
 */
export async function requirePossible(
  goal: FlowGoal,
  known: KnownTwoFactor,
  { vault, keepIn }: Pick<GuidedFlowOptions, 'vault' | 'keepIn'>,
): Promise<void> {
  switch (goal.kind) {
    case 'log-in':
      if (goal.admin && !known.isAdmin) throw invalidInput('admin', { code: 'admins-only' })
      return
    case 'remove': {
      const isThere =
        goal.methodId === null ? isUpgradable(known) : known.methods.some(({ id }) => id === goal.methodId)
      if (!isThere) throw refusedHere('not_found')
      return
    }
    case 'regenerate':
      return requireKeychain(vault, keepIn)
    case 'add': {
      const isFirst = isWithoutMethods(known)
      if (goal.method === 'sms' && known.sms === 'disabled') throw refusedHere('sms_fraud_detected')
      const needsEmail = isFirst || (goal.method === 'sms' && !known.isAdmin)
      if (needsEmail && known.email === 'unverified') throw refusedHere('email_not_verified')
      if (needsEmail && known.email === 'missing') throw refusedHere('missing_email')
      if (isFirst || goal.method === 'totp') await requireKeychain(vault, keepIn)
      return
    }
    default:
      assertNever(goal)
  }
}

type Warning = Extract<FlowStep, { kind: 'warn' }>['about']

/** After these 2FA is off, or may be. */
const turnsOff: ReadonlySet<Warning> = new Set(['remove-last', 'remove-legacy', 'remove-maybe-legacy'])

/** Of a legacy account, removing a method turns 2FA off (service API 3.2). */
function removalOf(known: KnownTwoFactor | null): Warning {
  if (known?.status === 'legacy') return 'remove-legacy'
  if (known?.methods.length === 1) return 'remove-last'
  return known?.status === 'enabled' ? 'remove' : 'remove-maybe-legacy'
}

function over(): ProblemError {
  return invalidInput('flowId', { code: 'ended' })
}
