import { assertNever } from '../../domain/base/assert-never.ts'
import { isHalted, type InstanceState } from '../../domain/instances/instance-status.ts'
import type { ActionKind } from '../../domain/instances/instance.ts'

/**
 * Whether a list shows that an action took effect. What a stop leads to is not documented (service API 3.1):
 * it is done once the service says stopped, or a status that never runs; a word that the API doesn't have says neither. A destroy is done only when the instance
 * is in the list no more, so as long as there is a record it is not.
 */
export function hasTakenEffect(action: ActionKind, instance: InstanceState): boolean {
  switch (action) {
    case 'destroy':
      return false
    case 'stop':
      return isHalted(instance)
    default:
      return assertNever(action)
  }
}
