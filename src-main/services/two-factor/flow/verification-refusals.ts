import { assertNever } from '../../../domain/base/assert-never.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { methodIdOf } from '../two-factor-choices.ts'
import type { FlowGoal } from '../../../domain/two-factor/flow.ts'
import type { VerifyChoice } from '../../../domain/two-factor/verification.ts'
import { codeMeanings } from '../../../domain/two-factor/code-meanings.ts'
import { lockoutMs } from '../../../domain/two-factor/methods.ts'
import type { TwoFactorProblem } from '../two-factor-refusal.ts'
import type { VerificationState } from './verification-state.ts'

/**
 * Does about a refusal in a verification what the table of codes says (`codeMeanings`), and tells it. Anything else
 * is told as it is.
 *
 * @param isAfterLoss see `FlowRefusal`
 */
export async function reactToRefusal(
  state: VerificationState,
  choice: VerifyChoice,
  error: unknown,
  isAfterLoss = false,
): Promise<void> {
  const { run } = state.options
  if (!(error instanceof ProblemError)) throw error
  const { problem } = error
  if (problem.kind !== 'tfa-refused') {
    if (!isAfterLoss) throw error
    return run.refuseProblem(run.problemOf(error), null, isAfterLoss)
  }
  await react(state, choice, problem)
  if (run.view.step.kind === 'verify') state.show()
  if (run.view.step.kind !== 'stopped')
    run.refuseProblem(problem, clockOff(state, choice, problem), isAfterLoss)
}

async function react(
  state: VerificationState,
  choice: VerifyChoice,
  problem: TwoFactorProblem,
): Promise<void> {
  const { account, run, smsLimits, clock, blocks } = state.options
  const { reaction } = codeMeanings[problem.code]
  switch (reaction.kind) {
    case 'stay':
      if (reaction.focus === 'number' && choice.channel === 'sms') state.sender.askForNumber()
      return
    case 'adopt-challenge':
    case 'retry':
    case 'authorise':
      return
    case 'session-ended': {
      await account.dropSession()
      await account.refreshAnew()
      const { goal } = run.view
      return run.stop({ kind: 'problem', problem }, [
        { kind: 'log-in', admin: false },
        ...(goal.kind === 'log-in' ? [] : [goal]),
      ])
    }
    case 'refetch':
      await account.refreshAnew()
      return
    case 'send-again':
      state.sender.challenges.drop(choice.id)
      return
    case 'authorise-again':
      state.sender.challenges.drop(choice.id)
      // An SMS costs something, so its sending is left to the user.
      if (choice.channel === 'email') await state.sender.renew(choice)
      return
    case 'backup-code-dead':
      await account.refreshAnew()
      return
    case 'upgrade-legacy':
      return run.stop({ kind: 'problem', problem }, [{ kind: 'regenerate' }])
    case 'already-set-up':
      await account.refreshAnew()
      return
    case 'refuse-number':
      // The number of a method is not known in full: the method itself is not tried again.
      if (state.sender.number === null) blocks.set(choice.id, { kind: 'number-refused' })
      else {
        smsLimits.refuse(state.sender.number)
        state.sender.askForNumber()
      }
      return
    case 'cooldown':
      smsLimits.limit(clock.now())
      return
    case 'locked':
      lock(state, choice, problem)
      return account.refreshAnew().then(() => undefined)
    case 'wrong-code':
      state.countFailure(choice.id)
      if (problem.lockedUntilSeconds !== null) lock(state, choice, problem)
      await account.refreshAnew()
      return
    case 'block-email':
      return account.facts.noteEmail('unverified')
    case 'missing-email':
      return account.facts.noteEmail('missing')
    case 'gone':
      return reactToGone(state, problem)
    case 'set-up-again':
      blocks.set(choice.id, { kind: 'not-configured' })
      return run.suggest(setUpAgain(choice))
    case 'disable-sms':
      return account.noteSmsDisabled(true)
    case 'team':
      account.facts.noteTeam(problem.message)
      return run.stop({ kind: 'problem', problem })
    default:
      assertNever(reaction)
  }
}

/** The method was removed elsewhere: there is nothing left to do if it was the one to be removed. */
async function reactToGone(state: VerificationState, problem: TwoFactorProblem): Promise<void> {
  const { account, run } = state.options
  await account.refreshAnew()
  const { goal } = run.view
  const isTargetGone =
    goal.kind === 'remove' && !account.known?.methods.some(({ id }) => id === goal.methodId)
  if (isTargetGone) run.stop({ kind: 'problem', problem })
}

function lock({ options }: VerificationState, choice: VerifyChoice, problem: TwoFactorProblem): void {
  const { vault, clock, blocks } = options
  const { lockedUntilSeconds, failCount } = problem
  const until =
    lockedUntilSeconds === null
      ? clock.now() + lockoutMs
      : vault.correctedClock.toLocal(lockedUntilSeconds * 1000)
  blocks.set(choice.id, { kind: 'locked', until, failCount: failCount ?? 0 })
}

/** Named only where it may be why the code was wrong. */
function clockOff(
  { options }: VerificationState,
  choice: VerifyChoice,
  { code }: TwoFactorProblem,
): number | null {
  const clock = options.vault.correctedClock.state.value
  const mayBeWhy = choice.channel === 'totp' && codeMeanings[code].reaction.kind === 'wrong-code'
  return mayBeWhy && clock.kind === 'checked' && clock.isWrong ? -clock.offsetMs : null
}

function setUpAgain(choice: VerifyChoice): readonly FlowGoal[] {
  const methodId = methodIdOf(choice)
  return methodId === null ? [] : [{ kind: 'remove', methodId, thenAdd: 'totp' }]
}
