import { ownerOf } from '../domain/base/account-identity.ts'
import type { AccountState } from '../domain/accounts/account.ts'
import type { AccountLeaving } from '../domain/accounts/accounts.ts'
import { burnPerHourUsd } from '../domain/money/money.ts'
import { isOver } from '../domain/files/transfer.ts'
import type { Unfinished } from '../domain/accounts/unfinished.ts'
import type { InstanceWatch } from '../services/instances/watch.ts'
import type { Machines } from './machines.ts'
import type { Vault } from '../services/vault/vault.ts'

/** What signing out of an account would end, and what of it would stay. */
export function leavingOf({
  account,
  unfinished,
  watch,
  machines,
  vault,
}: {
  readonly account: AccountState
  readonly unfinished: Unfinished
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  readonly machines: Pick<Machines, 'services' | 'terminals'>
  readonly vault: Pick<Vault, 'totpList' | 'backupList'>
}): AccountLeaving {
  const { instances } = watch.snapshot.value
  const burn = burnPerHourUsd(instances)
  const { forwards, files } = machines.services
  const owner = account.kind === 'connected' ? ownerOf(account) : null
  return {
    instances: instances?.length ?? null,
    perHourUsd: burn.kind === 'known' ? burn.perHourUsd : null,
    ...unfinished,
    terminals: machines.terminals.connected().size,
    forwards: forwards.state.value.filter(({ state }) => state.kind === 'open').length,
    transfers: files.transfers.state.value.filter(({ phase }) => !isOver(phase)).length,
    oneTimePasswords: vault.totpList.listed.value.filter(
      (one) => one.account !== null && ownerOf(one.account) === owner,
    ).length,
    backupCodeSets: vault.backupList.listed.value.filter((one) => ownerOf(one.account) === owner).length,
  }
}
