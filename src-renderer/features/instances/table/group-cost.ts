import type { WatchedInstance } from '#domain/instances/instance.ts'
import { burnPerHourUsd, chargeOf, type Burn } from '#domain/money/money.ts'

type Priced = Pick<WatchedInstance, 'status' | 'record'>

/** What several instances cost together, before and after the same is done to all of them. */
export interface GroupCost {
  readonly now: Burn
  /** After a stop their disks are left; after a destroy nothing is. */
  readonly after: Burn
}

export function groupCost(instances: readonly Priced[], action: 'stop' | 'destroy'): GroupCost {
  const stopped = instances.map(({ record }) => ({ status: 'stopped', record }))
  return { now: burnPerHourUsd(instances), after: burnPerHourUsd(action === 'stop' ? stopped : []) }
}

/** Those of a group that a stop would change: the others do not compute. */
export function stoppable<T extends Priced>(instances: readonly T[]): readonly T[] {
  return instances.filter((instance) => chargeOf(instance).kind === 'compute')
}
