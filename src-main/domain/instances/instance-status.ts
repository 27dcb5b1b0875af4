import { fieldOf, type FieldRecord } from '../fields/field-format.ts'
import { endsInstance, type ActionKind, type InstanceAction, type WatchedInstance } from './instance.ts'

/** What a client may still expect of an instance. */
export type Outlook =
  | { readonly kind: 'booting'; readonly stage: 'provisioning' | 'loading' }
  | { readonly kind: 'ready' }
  /** Somebody has asked for that; its disk is still charged. */
  | { readonly kind: 'stopped' }
  /** Never becomes running, and its disk is still charged. */
  | { readonly kind: 'dead-end'; readonly status: 'exited' | 'unknown' | 'offline' }
  /** A status that the API does not describe: shown as it is, as neither good nor bad. */
  | { readonly kind: 'undescribed'; readonly status: string }

/** All that tells how an instance stands. */
export type InstanceState = Pick<WatchedInstance, 'status' | 'history'> & { readonly record: FieldRecord }

/**
 * The one rule for how an instance stands. Which status a stop leads to, the API leaves open (service API 3.1): it may be
 * one that otherwise tells of a crash. So an instance is stopped, whatever its status, when its record lists that state;
 * and when it has exited by a stop of Slipway's own, or after it was listed as stopped, which says more than a status that fits both. `unknown` and
 * `offline` are about its host, and no stop explains them.
 */
export function outlookOf({ status, record, history }: InstanceState): Outlook {
  const isStopped =
    fieldOf(record, 'cur_state') === 'stopped' || (status === 'exited' && hasEndedByStop(history))
  return isStopped ? { kind: 'stopped' } : statusOutlook(status)
}

/** A host that is silent for a while in between changes nothing of it. */
function hasEndedByStop(history: WatchedInstance['history']): boolean {
  const isStopped = (status: string | null): boolean => statusOutlook(status).kind === 'stopped'
  const hasEnded = (status: string | null): boolean =>
    isStopped(status) || statusOutlook(status).kind === 'dead-end'
  const lastAlive = history.findLastIndex(({ status }) => !hasEnded(status))
  return history.slice(lastAlive + 1).some(({ status, afterStop }) => afterStop === true || isStopped(status))
}

/** Whether an instance computes no more: a stop would change nothing, and only its disk is charged. */
export function isHalted(instance: InstanceState): boolean {
  const { kind } = outlookOf(instance)
  return kind === 'stopped' || kind === 'dead-end'
}

/** What an `actual_status` says by itself (service API 3.1), such as one of the past; of an instance, `outlookOf` says more. */
export function statusOutlook(status: string | null): Outlook {
  switch (status) {
    case null:
      return { kind: 'booting', stage: 'provisioning' }
    case 'loading':
      return { kind: 'booting', stage: 'loading' }
    case 'running':
      return { kind: 'ready' }
    // Not in the API, but the word that Slipway itself sends.
    case 'stopped':
      return { kind: 'stopped' }
    case 'exited':
    case 'unknown':
    case 'offline':
      return { kind: 'dead-end', status }
    default:
      return { kind: 'undescribed', status }
  }
}

/** Typical time from rental to `running`, in milliseconds (service API 8). */
export const typicalBootMs = { from: 60_000, to: 300_000 } as const

/** Lists without the effect after which an action is taken to have failed: about a minute, or less without a good answer. */
const patienceLists = { accepted: 6, unanswered: 3 } as const

/**
 * Whether an action did not take: the service has listed the instance unchanged again and again since. It goes
 * on being charged as before, and the action should be sent again.
 */
export function isOverdue({ lists, failure }: Pick<InstanceAction, 'lists' | 'failure'>): boolean {
  return lists >= (failure === null ? patienceLists.accepted : patienceLists.unanswered)
}

/** What was asked for and may still be on its way; `null` also once that had no effect. */
export function awaitedAction({ pending }: Pick<WatchedInstance, 'pending'>): ActionKind | null {
  return pending !== null && pending.failure === null && !isOverdue(pending) ? pending.action : null
}

/**
 * Whether an instance waits for its owner: it will never run, costs money, and nothing was done about it; or
 * what was done about it had no effect.
 */
export function needsDecision(instance: InstanceState & Pick<WatchedInstance, 'pending'>): boolean {
  const { pending } = instance
  if (pending !== null && isOverdue(pending)) return true
  const beingHandled = pending !== null && endsInstance[pending.action] && pending.failure === null
  return outlookOf(instance).kind === 'dead-end' && !beingHandled
}
