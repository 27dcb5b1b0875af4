import type { ActionKind } from '#domain/instances/instance.ts'
import type { Burn } from '#domain/money/money.ts'
import type { Problem } from '#domain/base/problem.ts'
import { burnText } from '#ui/format.ts'
import type { GroupCost } from './group-cost.ts'

/** How far one instance of a group is. */
export type GroupResult =
  | { readonly kind: 'waiting' | 'asking' | 'accepted' }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** What several instances cost together. */
export const rateText = (burn: Burn): string => burnText(burn) ?? 'a rate that the service does not name'

/** How an action on several instances is asked for. */
interface GroupWords {
  readonly verb: string
  /** What it does to them. */
  readonly effect: string
  /** On the button that does it. */
  readonly button: (count: string) => string
  readonly color: 'warning' | 'error'
  /** It can't be undone: how many there are is typed before. */
  readonly isTyped: boolean
  /** What is charged then, as the end of a sentence. */
  readonly then: (after: Burn) => string
}

export const groupWords: Readonly<Record<ActionKind, GroupWords>> = {
  stop: {
    verb: 'Stop',
    effect:
      'Computing halts and what runs on them ends. Their disks stay. Slipway can’t start them again: the service’s API has no request for that.',
    button: (count) => `Stop ${count}`,
    color: 'warning',
    isTyped: false,
    then: (after) => `their disks, ${rateText(after)}, until you destroy them`,
  },
  destroy: {
    verb: 'Destroy',
    effect: 'The machines and their disks go, with everything on them. Nobody can bring them back.',
    button: (count) => `Destroy ${count} for good`,
    color: 'error',
    isTyped: true,
    then: () => 'nothing',
  },
}

/** What the action does to the bill, in a sentence. */
export function groupCostText({ now, after }: GroupCost, action: ActionKind): string {
  return `Together they are charged ${rateText(now)} now; afterwards ${groupWords[action].then(after)}.`
}
