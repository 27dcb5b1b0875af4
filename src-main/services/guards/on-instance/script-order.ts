import { createHash } from 'node:crypto'
import { assertNever } from '../../../domain/base/assert-never.ts'
import type { Guard } from '../../../domain/guards/guard.ts'

export interface OrderOptions {
  /** Names this computer's account: the script keeps what others gave it. */
  readonly owner: string
  readonly instanceId: number
  /** Where the service is, without a trailing slash. */
  readonly serviceAddress: string
  /** The instance's own key; empty when only the instance has it. */
  readonly key: string
  /** Those it is to see to; none for none. */
  readonly guards: readonly OrderedGuard[]
  /** ms since the epoch. */
  readonly now: number
}

/** A guard with the time at which it acts as things stand (ms since the epoch); `null` for one that goes by idleness. */
export type OrderedGuard = Pick<Guard, 'id' | 'action' | 'condition' | 'notBefore'> & {
  readonly dueAt: number | null
}

/** Tells one set of guards from another one, so that an instance is given only what it hasn't got. */
export function revisionOf(guards: readonly OrderedGuard[]): string {
  const content = guards.map(({ id, action, condition, notBefore }) => [id, action, condition, notBefore])
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}

/**
 * What the script reads: its guards, in seconds from now, as the clocks of the two computers may differ. A time, a number
 * of hours, and a cost are all so many seconds to go.
 */
export function orderText({ owner, instanceId, serviceAddress, key, guards, now }: OrderOptions): string {
  const rules = guards.flatMap((guard) => {
    const condition = conditionText(guard, now)
    return condition === null ? [] : [`rule=${guard.id} ${guard.action} ${condition}`]
  })
  const lines = [
    `owner=${owner}`,
    `revision=${revisionOf(guards)}`,
    `id=${instanceId}`,
    `api=${serviceAddress}/api/v0`,
    `key=${key}`,
    ...rules,
  ]
  return `${lines.join('\n')}\n`
}

/** `null` for what the script can't be told. */
function conditionText({ condition, notBefore, dueAt }: OrderedGuard, now: number): string | null {
  const secondsTo = (at: number): number => Math.max(1, Math.round((at - now) / 1000))
  switch (condition.kind) {
    case 'idle': {
      const earliest = notBefore === null || notBefore <= now ? '-' : secondsTo(notBefore)
      return `idle ${Math.round(condition.minutes * 60)} ${earliest}`
    }
    case 'after':
    case 'at':
    case 'cost':
      return dueAt === null ? null : `after ${secondsTo(dueAt)} -`
    case 'stopped':
      // What is stopped runs no script (`canActOnInstance`).
      return null
    default:
      return assertNever(condition)
  }
}
