import type { InstanceAction } from './instance.ts'

/** Lists without the effect after which an action is taken to have failed: about a minute, or less without a good answer. */
const patienceLists = { accepted: 6, unanswered: 3 } as const

/**
 * Whether an action did not take: the service has listed the instance unchanged again and again since. It goes
 * on being charged as before, and the action should be sent again.
 */
export function isOverdue({ lists, failure }: Pick<InstanceAction, 'lists' | 'failure'>): boolean {
  return lists >= (failure === null ? patienceLists.accepted : patienceLists.unanswered)
}
