import { setInUse } from '../../domain/vault/backup-codes.ts'
import type { UnfinishedStep } from '../../domain/two-factor/two-factor.ts'
import type { BackupSetView, VaultAccount, VaultEntry } from '../../domain/vault/vault-view.ts'
import type { LostCodes, TwoFactorNotes } from './pending-steps.ts'

export interface LeftBehind {
  readonly notes: TwoFactorNotes
  readonly entries: readonly VaultEntry[]
  readonly backupSets: readonly BackupSetView[]
  readonly account: VaultAccount
  /** The entry of the procedure under way. */
  readonly entryInUse: string | null
}

/** What was left undone, from the pending steps and from the vault. */
export function unfinishedSteps({
  notes,
  entries,
  backupSets,
  account,
  entryInUse,
}: LeftBehind): readonly UnfinishedStep[] {
  const confirms = notes.open.filter((step) => step.kind === 'confirm')
  const expected = new Set([entryInUse, ...confirms.map(({ entryId }) => entryId)])
  // New codes settle all of them, so that one is told: that there are none is worse than that they may be void.
  const lost = notes.lost.find(({ kind }) => kind === 'codes-lost') ?? notes.lost.at(-1)
  // An older set beside the one in use is no loss.
  const inUse = setInUse(backupSets, account)
  const unsaved = inUse?.standing === 'current' && inUse.saved === null ? [inUse] : []
  return [
    ...(lost === undefined ? [] : [lostStep(lost)]),
    ...confirms
      .filter(({ entryId }) => entryId === null || entryId !== entryInUse)
      .map(({ id, method, at }): UnfinishedStep => ({ kind: 'confirm-lost', id, method, at })),
    ...unsaved.map(({ id, addedAtMs }): UnfinishedStep => ({ kind: 'codes-unsaved', id, at: addedAtMs })),
    ...entries
      .filter(({ id, state, account: of }) => state === 'pending' && isOf(account, of) && !expected.has(id))
      .map(({ id, addedAtMs }): UnfinishedStep => ({
        kind: 'setup-abandoned',
        id,
        entryId: id,
        at: addedAtMs,
      })),
  ]
}

function lostStep({ kind, id, at, replaced }: LostCodes): UnfinishedStep {
  return kind === 'codes-lost' ? { kind, id, at } : { kind, id, at, replaced }
}

/** Whether they are the same; what belongs to no account (`null`) is nobody’s. */
export function isOf(account: VaultAccount, other: VaultAccount | null): boolean {
  return other !== null && other.serviceAddress === account.serviceAddress && other.userId === account.userId
}
