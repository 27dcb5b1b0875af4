import type { Clock } from '../../../domain/base/clock.ts'
import type { Log } from '../../../domain/base/log.ts'
import { invalidInput, type Problem, ProblemError } from '../../../domain/base/problem.ts'
import type {
  FlowBusy,
  FlowGoal,
  FlowRefusal,
  FlowStep,
  TwoFactorFlow,
} from '../../../domain/two-factor/flow.ts'
import { codeMeanings } from '../../../domain/two-factor/code-meanings.ts'

export type WorkKind = Extract<FlowBusy, { kind: 'working' }>['what']
type Outcome = Extract<FlowStep, { kind: 'done' }>['outcome']

export interface FlowStateOptions {
  readonly id: string
  readonly goal: FlowGoal
  readonly path: TwoFactorFlow['path']
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly onChange: () => void
}

/** A procedure as it is shown, and the rules that hold in each of its steps: one thing at a time, in sight. */
export class FlowState {
  readonly #options: FlowStateOptions
  #view: TwoFactorFlow
  #waiting: AbortController | null = null
  #isEnded = false

  constructor(options: FlowStateOptions, first: FlowStep) {
    this.#options = options
    const { id, goal, path } = options
    this.#view = {
      id,
      goal,
      path,
      at: 0,
      step: first,
      busy: null,
      refusal: null,
      attempt: 0,
      clockOffMs: null,
      suggestions: [],
    }
  }

  get view(): TwoFactorFlow {
    return this.#view
  }

  /** Somebody left it; what is still at work changes nothing in sight any more. */
  end(): void {
    this.#isEnded = true
    this.#waiting?.abort()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Goes to a step, or shows it as it is now. */
  show(step: FlowStep): void {
    const name = nameOf(step)
    const at = name === null ? this.#view.at : Math.max(0, this.#view.path.indexOf(name))
    const isAnother = step.kind !== this.#view.step.kind
    this.#patch({ step, at, ...(isAnother && { refusal: null, clockOffMs: null }) })
  }

  /** Tells why what was done did not work; the step stays. @param clockOffMs see `TwoFactorFlow` */
  refuse(refusal: FlowRefusal, clockOffMs: number | null = null): void {
    this.#patch({ refusal, clockOffMs })
  }

  refuseProblem(problem: Problem, clockOffMs: number | null = null, isAfterLoss = false): void {
    this.refuse({ kind: 'problem', problem, isAfterLoss }, clockOffMs)
  }

  /** Offers procedures that help now, in place of those offered before. */
  suggest(suggestions: readonly FlowGoal[]): void {
    this.#patch({ suggestions })
  }

  /** The last step of a procedure that cannot go on. */
  stop(why: Extract<FlowStep, { kind: 'stopped' }>['why'], suggestions: readonly FlowGoal[] = []): void {
    this.show({ kind: 'stopped', why })
    this.suggest(suggestions)
  }

  /** The last step of a procedure that did what it was for. */
  finish(outcome: Outcome, suggestions: readonly FlowGoal[] = []): void {
    this.show({ kind: 'done', outcome })
    this.suggest(suggestions)
  }

  /**
   * Does one thing. A failure that nothing in it has handled is told where it happened.
   *
   * @throws ProblemError invalid-input (`flow`) while another is being done
   */
  async act(what: WorkKind, work: () => Promise<void>): Promise<void> {
    if (this.#view.busy !== null) throw invalidInput('flow', { code: 'busy' })
    this.#patch({
      busy: { kind: 'working', what },
      refusal: null,
      clockOffMs: null,
      attempt: this.#view.attempt + 1,
    })
    try {
      await work()
    } catch (error) {
      if (error instanceof WaitEnded) return
      this.refuseProblem(this.problemOf(error))
    } finally {
      this.#patch({ busy: null })
    }
  }

  /** What `act` is doing now. */
  working(what: WorkKind): void {
    this.#patch({ busy: { kind: 'working', what } })
  }

  /** A failure as it is told; one that nobody foresaw is in the log. */
  problemOf(error: unknown): Problem {
    if (error instanceof ProblemError) {
      const { problem } = error
      if (problem.kind === 'refused')
        this.#options.log.warn(`The service refused: ${problem.code} (${problem.status})`)
      return problem
    }
    return { kind: 'unexpected', id: this.#options.log.error('A step of a security procedure failed', error) }
  }

  /**
   * Asks the service, again and in sight where its answer allows that (`codeMeanings`).
   *
   * @param ask called anew for each try, so that a one-time password is a fresh one
   */
  async ask<T>(what: WorkKind, ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask()
      } catch (error) {
        const code =
          error instanceof ProblemError && error.problem.kind === 'tfa-refused' ? error.problem.code : null
        const repeat = code === null ? null : codeMeanings[code].repeat
        const delay = repeat?.kind === 'automatic' ? repeat.delaysMs[attempt - 1] : undefined
        if (code === null || repeat?.kind !== 'automatic' || delay === undefined || this.#isEnded) throw error
        const [from, to] = delay
        const ms = from + (to - from) * this.#options.random()
        const at = this.#options.clock.now() + ms
        const of = repeat.delaysMs.length
        if (!(await this.#wait(ms, { kind: 'retrying', code, attempt, of, at }))) throw error
        this.working(what)
      }
    }
  }

  /** For what waits elsewhere: its signal ends with `cancelRetry`, and `onWait` shows the waiting. */
  async waitable<T>(
    what: WorkKind,
    work: (signal: AbortSignal, onWait: (until: number) => void) => Promise<T>,
  ): Promise<T> {
    const waiting = new AbortController()
    this.#waiting = waiting
    try {
      return await work(waiting.signal, (until) => this.#patch({ busy: { kind: 'waiting-for-code', until } }))
    } catch (error) {
      if (waiting.signal.aborted) throw new WaitEnded()
      throw error
    } finally {
      this.#waiting = null
      this.working(what)
    }
  }

  /** The user ends the wait of `ask` or `waitable`; without effect when neither waits. */
  cancelWait(): void {
    this.#waiting?.abort()
  }

  /** `false` when the waiting was ended. */
  async #wait(ms: number, busy: FlowBusy): Promise<boolean> {
    const waiting = new AbortController()
    this.#waiting = waiting
    this.#patch({ busy })
    try {
      await this.#options.clock.sleep(ms, waiting.signal)
      return true
    } catch (error) {
      if (waiting.signal.aborted) return false
      throw error
    } finally {
      this.#waiting = null
    }
  }

  #patch(change: Partial<TwoFactorFlow>): void {
    this.#view = { ...this.#view, ...change }
    if (!this.#isEnded) this.#options.onChange()
  }
}

/** The user ended a wait: nothing was sent, and there is nothing to tell. */
class WaitEnded extends Error {}

function nameOf(step: FlowStep): TwoFactorFlow['path'][number] | null {
  switch (step.kind) {
    case 'enrol-totp':
    case 'enrol-sms':
      return 'enrol'
    case 'preparing':
    case 'stopped':
      return null
    default:
      return step.kind
  }
}
