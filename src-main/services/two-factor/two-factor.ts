import { Latest } from '../../domain/base/latest.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import type { FlowGoal } from '../../domain/two-factor/flow.ts'
import type { ChoiceBlock } from '../../domain/two-factor/verification.ts'
import { mayHaveHappened } from '../../domain/rental-api/service-errors.ts'
import type { KnownTwoFactor, TwoFactorState } from '../../domain/two-factor/two-factor.ts'
import type { MethodChange } from '../rental-api/two-factor.ts'
import { TwoFactorAccount } from './two-factor-account.ts'
import type { TwoFactorAccountOptions } from './parts.ts'
import { pathOf, GuidedFlow, requirePossible } from './flow/guided-flow.ts'
import type { SentCode } from './flow/verification-state.ts'
import { SmsLimits } from './sms-limits.ts'
import { isTwoFactorRefusal, refusedHere } from './two-factor-refusal.ts'

export type TwoFactorOptions = TwoFactorAccountOptions
type KeepIn = 'keychain' | 'memory'

/** The account's 2FA: its state, and the one guided procedure that may be under way. */
export class TwoFactor {
  readonly state: Latest<TwoFactorState>
  readonly #options: TwoFactorOptions
  readonly #account: TwoFactorAccount
  readonly #smsLimits = new SmsLimits()
  readonly #blocks = new Map<string, ChoiceBlock>()
  readonly #lastSent = new Map<string, SentCode>()
  #guidedFlow: GuidedFlow | null = null

  constructor(options: TwoFactorOptions) {
    this.#options = options
    this.#account = new TwoFactorAccount(options)
    this.state = new Latest<TwoFactorState>({ account: this.#account.state.value, flow: null })
  }

  /** Keeps the state up to date until the signal is aborted; the procedure under way ends then. */
  async follow(signal: AbortSignal): Promise<void> {
    const tell = async (): Promise<void> => {
      for await (const _ of this.#account.state.watch(signal)) {
        this.#guidedFlow?.touch()
        this.#publish()
      }
    }
    signal.addEventListener('abort', () => this.#endProcedure(), { once: true })
    await Promise.all([this.#account.follow(signal), tell()])
  }

  /** Somebody looks at it: whether secrets can be kept is asked, too. */
  async refresh(): Promise<void> {
    await Promise.all([this.#options.vault.check(), this.#account.refresh()])
  }

  /** The machine slept: what has ended meanwhile is asked for, and with it the time. */
  wake(): void {
    void this.#account.refresh()
  }

  /** See `begin` of the contract. */
  async begin(goal: FlowGoal, keepIn: KeepIn): Promise<{ readonly flowId: string }> {
    this.#requireFree()
    const known = await this.#requireKnown()
    await requirePossible(goal, known, { ...this.#options, keepIn })
    this.#requireFree()
    const guidedFlow = this.#make(goal, pathOf(goal, known), keepIn)
    await guidedFlow.start()
    return { flowId: guidedFlow.run.view.id }
  }

  /**
   * See `resumeSaving` of the contract.
   *
   * @throws ProblemError invalid-input (`flow`) when all are saved, or another procedure may not be left yet
   */
  async resumeSaving(): Promise<{ readonly flowId: string }> {
    this.#requireFree()
    const known = await this.#requireKnown()
    const left = known.unfinished.find(({ kind }) => kind === 'codes-unsaved')
    if (left === undefined) throw invalidInput('flow', { code: 'nothing-to-save' })
    const guidedFlow = this.#make({ kind: 'regenerate' }, ['save-codes', 'done'], 'keychain')
    try {
      await guidedFlow.gate.resume(left.id)
    } catch (error) {
      this.#endProcedure()
      throw error
    }
    return { flowId: guidedFlow.run.view.id }
  }

  /** The procedure of this id. @throws ProblemError invalid-input (`flowId`) when it is over */
  guidedFlow(flowId: string): GuidedFlow {
    if (this.#guidedFlow?.run.view.id !== flowId) throw invalidInput('flowId', { code: 'ended' })
    return this.#guidedFlow
  }

  /** @throws ProblemError invalid-input (`flowId` when it is over, `flow` while codes are to be saved) */
  cancel(flowId: string): void {
    if (this.guidedFlow(flowId).run.view.step.kind === 'save-codes') throw notFree('codes-unsaved')
    this.#endProcedure()
  }

  /**
   * Changes a method. An answer that was lost is no failure when the account shows the change.
   *
   * @throws ProblemError as the service refuses
   */
  async updateMethod(methodId: number, change: MethodChange): Promise<void> {
    try {
      await this.#account.client.update(methodId, change)
    } catch (error) {
      if (isTwoFactorRefusal(error, 'auth_error')) await this.#account.dropSession()
      // It may have been done, or the method may be gone.
      await this.#account.refreshAnew()
      const isLost = error instanceof ProblemError && mayHaveHappened(error.problem)
      if (isLost && this.#shows(methodId, change)) return
      throw error
    }
    await this.#account.refreshAnew()
  }

  /** Whether the account, as it was asked for last, is as this change makes it. */
  #shows(methodId: number, { label, isPrimary }: MethodChange): boolean {
    const { known } = this.#account
    const method = known?.problem === null ? known.methods.find(({ id }) => id === methodId) : undefined
    return (
      method !== undefined &&
      (label === undefined || method.label === label) &&
      (isPrimary !== true || method.isPrimary)
    )
  }

  /** See `chooseBearer` of the contract. */
  chooseBearer(bearer: 'api-key' | 'admin-session'): Promise<void> {
    return this.#account.chooseBearer(bearer)
  }

  /** From now on the API key is used again. @throws ProblemError storage-failed: the session goes on then */
  endSession(): Promise<void> {
    return this.#account.endSession()
  }

  /**
   * SMS are offered again: the service’s support has cleared the account.
   *
   * @throws ProblemError no-account, storage-failed
   */
  allowSms(): Promise<void> {
    return this.#account.noteSmsDisabled(false)
  }

  /** Takes a notice of what was left undone away. @throws ProblemError storage-failed */
  async dismissUnfinished(id: string): Promise<void> {
    const step = this.#account.known?.unfinished.find((each) => each.id === id)
    // The secret stays in the vault, in sight, and is said to be of no use.
    if (step?.kind === 'setup-abandoned') await this.#options.vault.totp.orphan(step.entryId)
    else await this.#options.pendingSteps.dismiss(id)
    this.#account.touch()
  }

  #make(goal: FlowGoal, path: ConstructorParameters<typeof GuidedFlow>[2], keepIn: KeepIn): GuidedFlow {
    this.#endProcedure()
    const guidedFlow = new GuidedFlow(
      {
        ...this.#options,
        account: this.#account,
        smsLimits: this.#smsLimits,
        blocks: this.#blocks,
        lastSent: this.#lastSent,
        keepIn,
        onChange: () => this.#publish(),
      },
      goal,
      path,
    )
    this.#guidedFlow = guidedFlow
    return guidedFlow
  }

  #endProcedure(): void {
    const guidedFlow = this.#guidedFlow
    this.#guidedFlow = null
    guidedFlow?.end()
    this.#publish()
  }

  async #requireKnown(): Promise<KnownTwoFactor> {
    if (this.#account.state.value.kind === 'unknown') await this.#account.refresh()
    const state = this.#account.state.value
    switch (state.kind) {
      case 'known':
        return state
      case 'team':
        throw refusedHere('team_user_forbidden')
      case 'unknown':
        throw new ProblemError(state.problem ?? { kind: 'no-account' })
      case 'no-account':
        throw new ProblemError({ kind: 'no-account' })
    }
  }

  #requireFree(): void {
    const view = this.#guidedFlow?.run.view
    if (view === undefined) return
    if (view.busy !== null) throw notFree('busy')
    if (view.step.kind === 'save-codes') throw notFree('codes-unsaved')
  }

  #publish(): void {
    this.state.set({
      account: this.#account.state.value,
      flow: this.#guidedFlow?.run.view ?? null,
    })
  }
}

function notFree(code: 'busy' | 'codes-unsaved'): ProblemError {
  return invalidInput('flow', { code })
}
