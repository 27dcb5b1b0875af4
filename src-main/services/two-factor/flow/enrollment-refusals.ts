import { ProblemError } from '../../../domain/base/problem.ts'
import type { FlowGoal } from '../../../domain/two-factor/flow.ts'
import { codeMeanings } from '../../../domain/two-factor/code-meanings.ts'
import type { PurposeOptions } from './flow-goals.ts'
import type { SmsLimits } from '../sms-limits.ts'

/** What a refusal is about: the method that is being set up, and what surrounds it. */
export interface EnrollmentState {
  readonly options: Pick<PurposeOptions, 'run' | 'account' | 'clock' | 'vault'> & {
    readonly smsLimits: SmsLimits
    readonly method: 'totp' | 'sms'
    /** Asks for permission again, in place. */
    readonly authorize: () => void
  }
  /** Of the secret in the vault, for an authenticator. */
  readonly entryId: string | null
  readonly number: string | null
  /** The service cannot send to it: another one is asked for. */
  readonly dropNumber: () => void
  /** The code under way is of no use any more. */
  readonly dropCode: () => void
  /** Shows the step as it is now. */
  readonly show: () => void
}

/** Does about a refusal what the table of codes says (`codeMeanings`), where something is being set up, and tells it. */
export async function reactToEnrollRefusal(enrollment: EnrollmentState, error: unknown): Promise<void> {
  const { run, account, smsLimits, clock, vault } = enrollment.options
  if (!(error instanceof ProblemError) || error.problem.kind !== 'tfa-refused') throw error
  const { problem } = error
  const { entryId } = enrollment
  const { reaction } = codeMeanings[problem.code]
  switch (reaction.kind) {
    case 'session-ended':
      await account.dropSession()
      await account.refreshAnew()
      return run.stop({ kind: 'problem', problem }, [{ kind: 'log-in', admin: false }, run.view.goal])
    case 'authorise':
      account.facts.noteWindow(false)
      enrollment.options.authorize()
      return run.refuseProblem(problem)
    case 'send-again':
      if (entryId !== null) {
        // The service does not know the secret any more: only a new one can be confirmed.
        account.useEntry(null)
        return run.stop({ kind: 'problem', problem }, [{ kind: 'add', method: 'totp' }])
      }
      enrollment.dropCode()
      break
    case 'refuse-number':
      if (enrollment.number !== null) smsLimits.refuse(enrollment.number)
      enrollment.dropNumber()
      break
    case 'cooldown':
      smsLimits.limit(clock.now())
      break
    case 'block-email':
      account.facts.noteEmail('unverified')
      break
    case 'missing-email':
      account.facts.noteEmail('missing')
      break
    case 'already-set-up':
      if (entryId !== null) await vault.totp.orphan(entryId)
      account.useEntry(null)
      await account.refreshAnew()
      return run.stop({ kind: 'problem', problem }, replacements(enrollment))
    case 'disable-sms':
      await account.noteSmsDisabled(true)
      return run.stop({ kind: 'problem', problem }, [{ kind: 'add', method: 'totp' }])
    case 'team':
      account.facts.noteTeam(problem.message)
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
  enrollment.show()
  run.refuseProblem(problem)
}

/** To set up anew what is there: remove it first. */
function replacements({ options: { account, method } }: EnrollmentState): readonly FlowGoal[] {
  const there = account.known?.methods.filter(({ kind }) => kind === method) ?? []
  return there.map(({ id }) => ({ kind: 'remove', methodId: id, thenAdd: method }))
}
