import { endsInstance, type InstanceAction, type WatchedInstance } from './instance.ts'

/** What a client may still expect of an instance, from its `actual_status` (service API 3.1). */
export type Outlook =
  | { readonly kind: 'booting'; readonly stage: 'provisioning' | 'loading' }
  | { readonly kind: 'ready' }
  /** Never becomes running, and its disk is still charged. */
  | { readonly kind: 'dead-end'; readonly status: 'exited' | 'unknown' | 'offline' }
  /** A status that the API does not describe: shown as it is, as neither good nor bad. */
  | { readonly kind: 'undescribed'; readonly status: string }

export function outlookOf(status: string | null): Outlook {
  switch (status) {
    case null:
      return { kind: 'booting', stage: 'provisioning' }
    case 'loading':
      return { kind: 'booting', stage: 'loading' }
    case 'running':
      return { kind: 'ready' }
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

/**
 * Whether an instance waits for its owner: it will never run, costs money, and nothing was done about it; or
 * what was done about it had no effect.
 */
export function needsDecision({ status, pending }: Pick<WatchedInstance, 'status' | 'pending'>): boolean {
  if (pending !== null && isOverdue(pending)) return true
  const beingHandled = pending !== null && endsInstance[pending.action] && pending.failure === null
  return outlookOf(status).kind === 'dead-end' && !beingHandled
}
