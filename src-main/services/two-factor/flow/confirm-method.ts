import type { Problem } from '../../../domain/base/problem.ts'
import type { FlowGoal } from '../../../domain/two-factor/flow.ts'
import type { NewMethod } from '../../rental-api/two-factor.ts'
import type { PurposeOptions } from './flow-goals.ts'

export interface Confirmation {
  readonly order: NewMethod
  /** Backup codes come with the first method, and this once. */
  readonly isFirst: boolean
  /** The vault's, for an authenticator. */
  readonly entryId: string | null
}

/**
 * Confirms a new method, once, and ends the procedure with what came of it. What comes with the first one is in the
 * vault before it is shown.
 *
 * @throws ProblemError when the service refused: nothing was added
 */
export async function confirmMethod(options: PurposeOptions, confirmation: Confirmation): Promise<void> {
  const { account, run, pendingSteps, clock, randomId, vault, gate, keepIn } = options
  const { order, isFirst, entryId } = confirmation
  const { method, label } = order
  const step = {
    kind: 'confirm',
    id: randomId(),
    at: clock.now(),
    method,
    isFirst,
    knownIds: account.known?.methods.map(({ id }) => id) ?? [],
    entryId,
    setsBefore: vault.backupSets.value.map(({ id }) => id),
  } as const
  const lost = await account.takeStep(
    step,
    () => account.client.confirm(order),
    async ({ backupCodes }) => {
      if (backupCodes === null) return
      run.working('keeping')
      try {
        await gate.keep(backupCodes, 'first-method', keepIn)
        await pendingSteps.codesRenewed()
      } catch (error) {
        account.useEntry(null)
        throw error
      }
    },
  )
  // Finds the new method, gives its id to the vault's entry, and closes the step among the pending steps.
  const isAnswered = await account.refreshAnew()
  const isHere = account.known?.methods.some(({ id }) => !step.knownIds.includes(id)) === true
  // One that can't be read may be it.
  const isTold = isAnswered && (isHere || account.known?.unreadable.length === 0)
  account.useEntry(null)
  if (lost !== null) return tellLost(options, confirmation, run.problemOf(lost.error), isTold ? isHere : null)
  if (run.view.step.kind !== 'save-codes') run.finish({ kind: 'added', method, label })
}

/** Nothing is sent again: what the account shows says whether it was done. */
function tellLost(
  { run }: PurposeOptions,
  { order: { method, label }, isFirst }: Confirmation,
  problem: Problem,
  happened: boolean | null,
): void {
  if (happened === true && !isFirst) return run.finish({ kind: 'added', method, label })
  const next: FlowGoal = happened === true ? { kind: 'regenerate' } : { kind: 'add', method }
  run.stop({ kind: 'reply-lost', what: 'confirm', happened, problem }, happened === null ? [] : [next])
}
