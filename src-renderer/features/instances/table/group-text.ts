import type { ActionKind } from '#domain/instances/instance.ts'
import type { Burn } from '#domain/money/money.ts'
import type { Problem } from '#domain/base/problem.ts'
import { burnText, formatNumber } from '#ui/format.ts'
import type { GroupCost } from './group-cost.ts'

/** How far one instance of a group is. */
export type GroupResult =
  | { readonly kind: 'waiting' | 'asking' | 'accepted' }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** What several instances cost together. */
const rateText = (burn: Burn): string => burnText(burn) ?? 'an unknown rate'

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
      'Running processes end, and you’re no longer charged for computing. The disks stay. Slipway can’t start them again: the service’s API has no request for that.',
    button: (count) => `Stop ${count}`,
    color: 'warning',
    isTyped: false,
    then: (after) => `then ${rateText(after)} for their disks until you destroy them`,
  },
  destroy: {
    verb: 'Destroy',
    effect: 'The instances and everything on their disks are deleted. You can’t undo this.',
    button: (count) => `Destroy ${count} for good`,
    color: 'error',
    isTyped: true,
    then: () => 'nothing afterwards',
  },
}

/** What the action does to the bill, in a sentence. */
export function groupCostText({ now, after }: GroupCost, action: ActionKind): string {
  return `You’re charged ${rateText(now)} for these instances now, and ${groupWords[action].then(after)}.`
}

/** Whether a count was typed, as digits or as it's shown: the separator between thousands may be a narrow space. */
export function isCountTyped(typed: string, count: number): boolean {
  const asTyped = (text: string): string => text.trim().replace(/\s/g, ' ')
  return [String(count), formatNumber(count)].map(asTyped).includes(asTyped(typed))
}
