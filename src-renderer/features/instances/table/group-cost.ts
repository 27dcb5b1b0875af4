import { assertNever } from '#domain/base/assert-never.ts'
import type { ActionKind, WatchedInstance } from '#domain/instances/instance.ts'
import { burnPerHourUsd, chargeOf, type Burn } from '#domain/money/money.ts'

type Priced = Pick<WatchedInstance, 'status' | 'record'>

/** What several instances cost together, before and after the same is done to all of them. */
export interface GroupCost {
  readonly now: Burn
  readonly after: Burn
}

export function groupCost(instances: readonly Priced[], action: ActionKind): GroupCost {
  return { now: burnPerHourUsd(instances), after: burnPerHourUsd(remaining(instances, action)) }
}

/** What is charged once it is done: after a stop their disks are left, after a destroy nothing is. */
function remaining(instances: readonly Priced[], action: ActionKind): readonly Priced[] {
  switch (action) {
    case 'stop':
      return instances.map(({ record }) => ({ status: 'stopped', record }))
    case 'destroy':
      return []
    default:
      return assertNever(action)
  }
}

/** Those of a group that an action would change. */
export function affected<T extends Priced>(instances: readonly T[], action: ActionKind): readonly T[] {
  switch (action) {
    case 'stop':
      // The others do not compute.
      return instances.filter((instance) => chargeOf(instance).kind === 'compute')
    case 'destroy':
      return instances
    default:
      return assertNever(action)
  }
}
