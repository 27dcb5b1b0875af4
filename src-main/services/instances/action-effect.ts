import { assertNever } from '../../domain/base/assert-never.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import type { ActionKind, WatchedInstance } from '../../domain/instances/instance.ts'
import { isStopped } from '../../domain/money/money.ts'

/**
 * Whether a list shows that an action took effect. What a stop leads to is not documented (service API 3.1):
 * it is done once the instance neither computes nor boots any more. A destroy is done only when the instance
 * is in the list no more, so as long as there is a record it is not.
 */
export function hasTakenEffect(
  action: ActionKind,
  { status, record }: Pick<WatchedInstance, 'status' | 'record'>,
): boolean {
  switch (action) {
    case 'destroy':
      return false
    case 'stop': {
      const { kind } = outlookOf(status)
      return isStopped({ status, record }) || (kind !== 'ready' && kind !== 'booting')
    }
    default:
      return assertNever(action)
  }
}
