import type { AccountState } from './domain/account.ts'
import type { Alarms } from './domain/alarms.ts'
import type { Glanced } from './domain/glance.ts'
import type { GuardsSnapshot } from './domain/guard.ts'
import type { InstancesSnapshot, WatchedInstance } from './domain/instance.ts'
import type { Latest } from './domain/latest.ts'
import type { InstancesList } from './domain/listed-instance.ts'

/** What others are told of an account, and what that depends on. */
export interface AccountOutlook {
  readonly now: () => {
    readonly state: AccountState
    readonly instances: readonly WatchedInstance[] | null
    readonly alarms: Alarms
    readonly glanced: Glanced
  }
  readonly changes: readonly Pick<Latest<unknown>, 'watch'>[]
}

type Readable<T> = Pick<Latest<T>, 'value' | 'watch'>

export function accountOutlook({
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
}): AccountOutlook {
  return {
    now: () => ({
      state: state.value,
      instances: snapshot.value.instances,
      alarms: alarms.value,
      glanced: { instances: list.value.instances, guards: guards.value.guards },
    }),
    changes: [state, snapshot, list, alarms, guards],
  }
}
