import { ProblemError } from '../../../domain/base/problem.ts'
import type { FlowGoal } from '../../../domain/two-factor/flow.ts'
import { isUpgradable } from '../../../domain/two-factor/two-factor.ts'
import { sendOnce } from '../../rental-api/send-once.ts'
import type { Lost, TwoFactorAccount } from '../two-factor-account.ts'
import type { CodeGate } from './code-gate.ts'
import type { FlowState } from './flow-state.ts'
import { requireKeychain } from './keeping.ts'
import type { TwoFactorParts } from '../parts.ts'
import type { Perform } from './verification-state.ts'

export interface PurposeOptions extends TwoFactorParts {
  readonly run: FlowState
  readonly account: TwoFactorAccount
  readonly gate: CodeGate
  readonly keepIn: 'keychain' | 'memory'
}

/** Gets a session, which is put beside the API key and used for 2FA. */
export function logIn({ run, account, keepIn }: PurposeOptions, admin: boolean): Perform {
  return async (proof, _secret, send) => {
    const { sessionKey, codesLeft, isLegacy } = await send(() => account.keyClient.logIn(proof, admin))
    if (sessionKey === null)
      throw new ProblemError({ kind: 'bad-reply', status: 200, path: 'session_key', detail: 'it is missing' })
    const { keptIn } = await account.beginSession(sessionKey, admin, keepIn)
    await account.refreshAnew()
    run.finish(
      {
        kind: 'logged-in',
        isAdmin: admin,
        keptIn,
        // Absent means none, and only right after a backup code (service API 4.7).
        codesLeft: proof.kind === 'backup-code' ? (codesLeft ?? 0) : null,
      },
      isLegacy ? [{ kind: 'regenerate' }] : [],
    )
  }
}

/** Opens the window in which methods may be added, and goes on to what it was asked for. */
export function authorize({ account }: PurposeOptions, goOn: () => Promise<void>): Perform {
  return async (proof, secret, send) => {
    await sendOnce(
      null,
      () =>
        send(() =>
          proof.kind === 'backup-code'
            ? account.client.authorizeByBackupCode(proof.backupCode)
            : account.client.finishAuthorization(proof.code, secret ?? ''),
        ),
      async (error) => {
        // The account shows whether the window is open.
        const isAnswered = await account.refreshAnew()
        if (!isAnswered || account.known?.addWindow.kind !== 'open') throw error
      },
    )
    account.facts.noteWindow(true)
    await goOn()
  }
}

/** Removes a method; the last one takes 2FA and its backup codes with it. */
export function remove(
  { run, account }: PurposeOptions,
  { methodId, thenAdd }: Extract<FlowGoal, { kind: 'remove' }>,
): Perform {
  return async (proof, _secret, send) => {
    const lost = await sendOnce<Lost | null>(
      null,
      async () => {
        await send(() => account.client.remove(proof, methodId))
        return null
      },
      async (error) => ({ error }),
    )
    const isAnswered = await account.refreshAnew()
    if (lost !== null) {
      const isThere =
        methodId === null
          ? account.known !== null && account.known.status !== 'off'
          : account.known?.methods.some(({ id }) => id === methodId)
      if (isAnswered && isThere === true) throw lost.error
      // One that can't be read may be it.
      if (!isAnswered || account.known?.unreadable.length !== 0)
        return run.stop(
          { kind: 'reply-lost', what: 'remove', happened: null, problem: run.problemOf(lost.error) },
          [run.view.goal],
        )
    }
    const off = account.known?.status === 'off'
    run.finish({ kind: 'removed', off }, thenAdd === null ? [] : [{ kind: 'add', method: thenAdd }])
  }
}

/** Replaces the backup codes; for a legacy account this is the upgrade. */
export function regenerate(options: PurposeOptions): Perform {
  const { run, account, gate, vault, pendingSteps, clock, randomId } = options
  return async (proof, _secret, send) => {
    // They are shown this once: what cannot be kept is not asked for.
    await requireKeychain(vault, options.keepIn)
    const known = account.known
    const isUpgrade = known !== null && isUpgradable(known)
    const step = {
      kind: 'regenerate',
      id: randomId(),
      at: clock.now(),
      codesBefore: known?.backupCodesLeft ?? null,
      setsBefore: vault.backupSets.value.map(({ id }) => id),
    } as const
    const lost = await account.takeStep(
      step,
      () => send(() => account.client.regenerate(proof)),
      async (codes) => {
        run.working('keeping')
        await gate.keep(codes, isUpgrade ? 'upgrade-legacy' : 'regenerate', options.keepIn)
        await pendingSteps.codesRenewed()
      },
    )
    // Settles what was lost, too: the step is open among the pending steps, and nobody waits for its reply any more.
    const isAnswered = await account.refreshAnew()
    if (lost === null) return
    const settled = pendingSteps.notes.lost.find(({ id }) => id === step.id)
    const happened = isAnswered ? (settled?.replaced ?? null) : null
    const problem = run.problemOf(lost.error)
    run.stop({ kind: 'reply-lost', what: 'regenerate', happened, problem }, [{ kind: 'regenerate' }])
  }
}
