import { createHash } from 'node:crypto'
import { assertNever } from '../../../domain/base/assert-never.ts'
import { endedAfterMinutes, type Guard } from '../../../domain/guards/guard.ts'

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

/** A guard with the time at which it acts as things stand (ms since the epoch); `null` for one that goes by what the instance does. */
export type OrderedGuard = Pick<Guard, 'id' | 'action' | 'condition' | 'notBefore'> & {
  readonly dueAt: number | null
}

/** The version that `resources/machine/guard.sh` says of itself: a watcher of another one is given its rules anew. */
export const scriptVersion = 3

/**
 * Tells one set of guards from another one, so that an instance is given only what it hasn't got. Where the service is
 * counts: one that has moved is reached no more.
 */
export function revisionOf(guards: readonly OrderedGuard[], serviceAddress: string): string {
  const rules = guards.map(({ id, action, condition, notBefore }) => [id, action, condition, notBefore])
  return createHash('sha256')
    .update(JSON.stringify([serviceAddress, rules]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * What the script reads: its guards, in seconds from now, as the clocks of the two computers may differ. A time, a number
 * of hours, and a cost are all so many seconds to go. The last line is `end`: half an order is none.
 */
export function orderText({ owner, instanceId, serviceAddress, key, guards, now }: OrderOptions): string {
  const rules = guards.flatMap((guard) => {
    const condition = conditionText(guard, now)
    return condition === null ? [] : [`rule=${guard.id} ${guard.action} ${condition}`]
  })
  const lines = [
    `owner=${owner}`,
    `revision=${revisionOf(guards, serviceAddress)}`,
    `id=${instanceId}`,
    `api=${serviceAddress}/api/v0`,
    `key=${key}`,
    ...rules,
    'end',
  ]
  return `${lines.join('\n')}\n`
}

/** The script takes nine digits, which are 31 years. */
const mostSeconds = 999_999_999
const warningSeconds = 300

/**
 * How long, from how many seconds on, and with how many seconds of warning at most; then the process's name. `null` for
 * what the script can't be told.
 */
function conditionText({ condition, notBefore, dueAt }: OrderedGuard, now: number): string | null {
  const secondsTo = (at: number): number => Math.min(mostSeconds, Math.max(1, Math.round((at - now) / 1000)))
  /** Of so much use of the instance; one that was postponed counts from as much later. */
  const byUse = (seconds: number): string => {
    const from = notBefore === null ? 0 : Math.max(0, secondsTo(notBefore) - seconds)
    return `${seconds} ${from} ${warningOf(seconds)}`
  }
  switch (condition.kind) {
    case 'idle':
      return `idle ${byUse(Math.round(condition.minutes * 60))}`
    case 'process':
      return `process ${byUse(endedAfterMinutes * 60)} ${condition.name}`
    case 'after':
      // Of so short a time as was asked for, also where little is left of a long one.
      return dueAt === null ? null : `after ${secondsTo(dueAt)} 0 ${warningOf(condition.hours * 3600)}`
    case 'at':
    case 'cost':
      return dueAt === null ? null : `after ${secondsTo(dueAt)} 0 ${warningSeconds}`
    case 'limit':
    case 'stopped':
      // They act in Slipway alone (`placesOf`).
      return null
    default:
      return assertNever(condition)
  }
}

/** A warning takes half of a short time. */
function warningOf(seconds: number): number {
  return Math.max(1, Math.min(warningSeconds, Math.floor(seconds / 2)))
}
