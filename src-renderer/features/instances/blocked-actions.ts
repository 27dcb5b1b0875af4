import { plural } from '#domain/base/plural.ts'

/** A reason why actions can’t be chosen now, with the names of their buttons. */
interface BlockedActions {
  readonly reason: string
  readonly names: readonly string[]
}

/** Each reason once, in the order of the buttons. @param blocks `null` for a button that can be chosen */
export function blockedActions(blocks: Readonly<Record<string, string | null>>): readonly BlockedActions[] {
  const byReason = Map.groupBy(Object.entries(blocks), ([, reason]) => reason)
  return [...byReason].flatMap(([reason, entries]) =>
    reason === null ? [] : [{ reason, names: entries.map(([name]) => name) }],
  )
}

/** `The instance isn’t running: Open terminal and Stop are off.` */
export function blockedText({ reason, names }: BlockedActions): string {
  const list = [names.slice(0, -1).join(', '), ...names.slice(-1)]
    .filter(Boolean)
    .join(names.length > 2 ? ', and ' : ' and ')
  return `${reason}: ${list} ${plural(names.length, 'is', 'are')} off.`
}
