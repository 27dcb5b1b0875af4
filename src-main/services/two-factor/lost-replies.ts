import { fatesOfConfirms, wereCodesReplaced, type ConfirmFate } from './two-factor-settle.ts'
import type { TwoFactorRecord } from '../../domain/two-factor/methods.ts'
import type { VaultAccount } from '../../domain/vault/vault-view.ts'
import type { OpenStep } from './pending-steps.ts'
import type { TwoFactorParts } from './parts.ts'
import { isOf } from './unfinished-steps.ts'

export interface Settling extends Pick<TwoFactorParts, 'vault' | 'pendingSteps' | 'clock' | 'log'> {
  readonly account: VaultAccount
  /** Fresh from the service. */
  readonly status: TwoFactorRecord
  /** Ids of steps whose reply may still come. */
  readonly inFlight: ReadonlySet<string>
}

/**
 * Brings the vault and the pending steps in line with what the service says: what became of steps whose reply was lost
 * (or that a crash cut off), which methods are gone, how many codes are left. Nothing is sent. A keychain that is
 * locked now leaves its part for the next time.
 */
export async function settleOpenSteps(settling: Settling): Promise<void> {
  const { vault, pendingSteps, account, status, log, inFlight, clock } = settling
  const { open } = pendingSteps.notes
  const fates = fatesOfConfirms(
    open.filter((step) => step.kind === 'confirm'),
    status,
    clock.now(),
  )
  for (const step of open) {
    if (inFlight.has(step.id)) continue
    const fate = fates.get(step.id)
    try {
      if (step.kind === 'regenerate') await settleRegenerate(step, settling)
      else if (fate !== undefined) await settleConfirm(step, fate, settling)
    } catch (error) {
      log.error('What became of an earlier step could not be written down', error)
    }
  }
  try {
    await orphanEntries(settling)
    if (status.backup_codes_remaining !== null && status.backup_codes_remaining !== undefined)
      await vault.backupCodes.reconcile(account, status.backup_codes_remaining)
  } catch (error) {
    log.error('The vault could not be brought in line with the service', error)
  }
}

async function settleConfirm(
  step: Extract<OpenStep, { kind: 'confirm' }>,
  fate: ConfirmFate,
  settling: Settling,
): Promise<void> {
  const { vault, pendingSteps } = settling
  switch (fate.kind) {
    case 'added': {
      if (step.entryId !== null) await vault.totp.activate(step.entryId, fate.methodId)
      const isLost = step.isFirst && !hasNewSet(step, settling)
      const lost = { kind: 'codes-lost', id: step.id, at: step.at, replaced: null } as const
      await pendingSteps.closeAdded(step.id, fate.methodId, isLost ? lost : null)
      return
    }
    case 'not-added':
      if (step.entryId !== null) await vault.totp.orphan(step.entryId)
      await pendingSteps.close(step.id)
      return
    case 'undecided':
      return
  }
}

async function settleRegenerate(
  step: Extract<OpenStep, { kind: 'regenerate' }>,
  settling: Settling,
): Promise<void> {
  const { vault, pendingSteps, account, status } = settling
  if (hasNewSet(step, settling)) return pendingSteps.close(step.id)
  await vault.backupCodes.markUncertain(account)
  const replaced = wereCodesReplaced(step.codesBefore, status.backup_codes_remaining ?? null)
  await pendingSteps.close(step.id, { kind: 'codes-uncertain', id: step.id, at: step.at, replaced })
}

/** Whether the codes that came with a step reached the vault. */
function hasNewSet({ setsBefore }: OpenStep, { vault, account }: Settling): boolean {
  return vault.backupSets.value.some((set) => isOf(account, set.account) && !setsBefore.includes(set.id))
}

/** A method that is gone leaves its secret behind: it is kept, and said to be of no use. One that can't be read may be there. */
async function orphanEntries({ vault, account, status }: Settling): Promise<void> {
  if (status.unreadable.length > 0) return
  const ids = new Set(status.methods.map(({ id }) => id))
  for (const entry of vault.entries.value)
    if (entry.state === 'active' && isOf(account, entry.account) && entry.methodId !== null)
      if (!ids.has(entry.methodId)) await vault.totp.orphan(entry.id)
}
