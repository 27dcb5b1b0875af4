import { assertNever } from '../../domain/base/assert-never.ts'
import type { ActionKind } from '../../domain/instances/instance.ts'
import { endedAfterMinutes, type GuardCondition } from '../../domain/guards/guard.ts'

/** A guard, or an order for one, as another one sees it. */
export interface ComparedGuard {
  readonly action: ActionKind
  readonly condition: GuardCondition
  /** In ms since the epoch; `null` while it cannot be said. */
  readonly dueAt: number | null
}

/**
 * Why two guards of the same instance contradict each other; `null`: each can act. `stopped-before`: what is stopped costs
 * no more by its rate, so the cost that destroys it is never reached.
 */
export function contradictionBetween(
  one: ComparedGuard,
  other: ComparedGuard,
): 'repeated' | 'destroyed-before' | 'stopped-before' | null {
  const [ground, otherGround] = [groundOf(one), groundOf(other)]
  if (ground.kind !== otherGround.kind || ground.of !== otherGround.of) return null
  if (one.action === other.action) {
    // Whoever starts it again after the first time needs the second one.
    const isRepeated = ground.kind !== 'time' || ground.limit === otherGround.limit
    return isRepeated ? 'repeated' : null
  }
  switch (one.action) {
    case 'stop':
      return betweenStopAndDestroy(ground, otherGround)
    case 'destroy':
      return betweenStopAndDestroy(otherGround, ground)
    default:
      return assertNever(one.action)
  }
}

function betweenStopAndDestroy(stop: Ground, destroy: Ground): 'destroyed-before' | 'stopped-before' | null {
  if (stop.limit === null || destroy.limit === null) return null
  if (destroy.limit <= stop.limit) return 'destroyed-before'
  return stop.kind === 'cost' ? 'stopped-before' : null
}

/** What a guard goes by, and how far that may go. Only those of one kind can be compared. */
interface Ground {
  readonly kind: 'time' | 'cost' | 'idle' | 'process' | 'stopped' | 'limit'
  /** The process. */
  readonly of?: string
  readonly limit: number | null
}

function groundOf({ condition, dueAt }: ComparedGuard): Ground {
  switch (condition.kind) {
    case 'at':
    case 'after':
      return { kind: 'time', limit: dueAt }
    case 'cost':
    case 'limit':
      return { kind: condition.kind, limit: condition.usd }
    case 'idle':
      return { kind: condition.kind, limit: condition.minutes }
    case 'process':
      return { kind: condition.kind, of: condition.name, limit: endedAfterMinutes }
    case 'stopped':
      return { kind: condition.kind, limit: condition.days }
    default:
      return assertNever(condition)
  }
}
