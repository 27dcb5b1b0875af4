import { qualifiedUserId, type AccountIdentity } from '../../domain/base/account-identity.ts'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { SignOutEffects } from '../../domain/accounts/accounts.ts'
import type { PendingWork } from '../../domain/accounts/pending-work.ts'
import type { Latest } from '../../domain/base/latest.ts'
import { isEditedOnly, type EditedCopy } from '../../domain/files/edited-copy.ts'
import { isOver, type Transfer } from '../../domain/files/transfer.ts'
import type { Forward } from '../../domain/forwards/forward.ts'
import type { InstancesSnapshot } from '../../domain/instances/instance.ts'
import { burnPerHourUsd } from '../../domain/money/money.ts'
import type { SshConfigState } from '../../domain/ssh/ssh-config.ts'

type Listed<T> = Pick<Latest<readonly T[]>, 'value'>

/** What signing out of an account would end, and what of it would stay. */
export function signOutEffectsOf({
  account,
  pendingWork,
  guardedInstances,
  list,
  terminals,
  forwards,
  transfers,
  copies,
  vault,
}: {
  readonly account: AccountState
  readonly pendingWork: PendingWork
  readonly guardedInstances: readonly number[]
  readonly list: Pick<InstancesSnapshot, 'instances' | 'unreadable' | 'problem'>
  /** Instances that a shell is open on now. */
  readonly terminals: ReadonlySet<number>
  readonly forwards: readonly Forward[]
  readonly transfers: readonly Transfer[]
  /** In the user's own program. */
  readonly copies: readonly EditedCopy[]
  readonly vault: {
    readonly totpList: { readonly listed: Listed<{ readonly account: AccountIdentity | null }> }
    readonly backupList: { readonly listed: Listed<{ readonly account: AccountIdentity }> }
  }
}): SignOutEffects {
  // Less than the whole list of now would say that less is charged.
  const instances = list.unreadable.length === 0 && list.problem === null ? list.instances : null
  const burn = burnPerHourUsd(instances)
  const owner = account.kind === 'connected' ? qualifiedUserId(account) : null
  return {
    instances: instances?.length ?? null,
    perHourUsd: burn.kind === 'known' ? burn.perHourUsd : null,
    ...pendingWork,
    guardedInstances,
    terminals: terminals.size,
    forwards: forwards.filter(({ state }) => state.kind === 'open').length,
    transfers: transfers.filter(({ phase }) => !isOver(phase)).length,
    editedCopies: copies.filter(isEditedOnly).length,
    oneTimePasswords: vault.totpList.listed.value.filter(
      (one) => one.account !== null && qualifiedUserId(one.account) === owner,
    ).length,
    backupCodeSets: vault.backupList.listed.value.filter((one) => qualifiedUserId(one.account) === owner)
      .length,
  }
}

/**
 * Takes what belongs to the account out of the keychain and out of ~/.ssh/config.
 *
 * @throws ProblemError no-account; keychain-locked, keychain-unavailable, storage-failed: it is connected as before then
 */
export async function signOut({
  key,
  vault,
  sshConfig,
}: {
  readonly key: { readonly identity: () => AccountIdentity; readonly forget: () => Promise<void> }
  readonly vault: { readonly instanceKeys: { readonly forgetAll: (owner: string) => Promise<void> } }
  readonly sshConfig: {
    readonly state: Pick<Latest<SshConfigState>, 'value'>
    readonly setIncluded: (included: boolean) => Promise<void>
  }
}): Promise<void> {
  await vault.instanceKeys.forgetAll(qualifiedUserId(key.identity()))
  // The file that the line includes goes with the account's folder.
  if (sshConfig.state.value.included === true) await sshConfig.setIncluded(false)
  await key.forget()
}
