import { identityIn, type AccountState } from '../../domain/accounts/account.ts'
import type { Alarms } from '../../domain/guards/alarms.ts'
import type { SummarizedAccount } from '../../domain/accounts/tray-summary.ts'
import type { GuardsSnapshot } from '../../domain/guards/guard.ts'
import type { InstancesSnapshot, WatchedInstance } from '../../domain/instances/instance.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { InstancesList } from '../../domain/instances/listed-instance.ts'

/** What others are told of an account, and what that depends on. */
export interface AccountSummary {
  readonly now: () => {
    readonly state: AccountState
    readonly instances: readonly WatchedInstance[] | null
    /** How many records of the list can't be read. */
    readonly unreadable: number
    readonly alarms: Alarms
    readonly summarized: SummarizedAccount
  }
  readonly changes: readonly Pick<Latest<unknown>, 'watch'>[]
}

type Readable<T> = Pick<Latest<T>, 'value' | 'watch'>

export function accountSummary({
  state,
  snapshot,
  list,
  alarms,
  guards,
}: {
  readonly state: Readable<AccountState>
  readonly snapshot: Readable<InstancesSnapshot>
  /** As the window shows it, also before the service has answered. */
  readonly list: Readable<InstancesList>
  readonly alarms: Readable<Alarms>
  readonly guards: Readable<GuardsSnapshot>
}): AccountSummary {
  return {
    now: () => ({
      state: state.value,
      instances: snapshot.value.instances,
      unreadable: snapshot.value.unreadable.length,
      alarms: alarms.value,
      summarized: {
        serviceAddress: identityIn(state.value)?.serviceAddress ?? null,
        instances: list.value.instances,
        unreadable: list.value.unreadable.length,
        guards: guards.value.guards,
      },
    }),
    changes: [state, snapshot, list, alarms, guards],
  }
}
