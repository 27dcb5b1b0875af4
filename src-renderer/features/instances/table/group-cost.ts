import { assertNever } from '#domain/base/assert-never.ts'
import { isHalted, type InstanceState } from '#domain/instances/instance-status.ts'
import type { ActionKind } from '#domain/instances/instance.ts'
import { burnOf, burnPerHourUsd, diskPerHourUsd, type Burn } from '#domain/money/money.ts'

/** What several instances cost together, before and after the same is done to all of them. */
export interface GroupCost {
  readonly now: Burn
  readonly after: Burn
}

export function groupCost(instances: readonly InstanceState[], action: ActionKind): GroupCost {
  return { now: burnPerHourUsd(instances), after: burnOf(remaining(instances, action)) }
}

/** What is charged once it is done: after a stop their disks are left, after a destroy nothing is. */
function remaining(instances: readonly InstanceState[], action: ActionKind): readonly (number | null)[] {
  switch (action) {
    case 'stop':
      return instances.map(({ record }) => diskPerHourUsd(record))
    case 'destroy':
      return []
    default:
      return assertNever(action)
  }
}

/** Those of a group that an action would change. */
export function affected<T extends InstanceState>(instances: readonly T[], action: ActionKind): readonly T[] {
  switch (action) {
    case 'stop':
      // The others do not compute.
      return instances.filter((instance) => !isHalted(instance))
    case 'destroy':
      return instances
    default:
      return assertNever(action)
  }
}
