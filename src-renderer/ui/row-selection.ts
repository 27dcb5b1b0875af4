/** Which rows of a list are selected, by their ids, and from where a range begins. */
export interface RowSelection<Id = number> {
  readonly ids: ReadonlySet<Id>
  /** The row that was chosen last on its own; Shift goes from it. */
  readonly anchor: Id | null
  /** How far from there Shift went last. */
  readonly reach?: Id
}

export const noRows: RowSelection<never> = { ids: new Set(), anchor: null }

/** One row more, or less. */
export function toggled<Id>({ ids }: RowSelection<Id>, id: Id): RowSelection<Id> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** All rows from the anchor to this one, in the order in which they are shown, instead of those up to the former one. */
export function extendedTo<Id>(selection: RowSelection<Id>, id: Id, shown: readonly Id[]): RowSelection<Id> {
  const { ids, anchor, reach } = selection
  const to = shown.indexOf(id)
  const from = anchor === null ? -1 : shown.indexOf(anchor)
  if (to === -1) return selection
  if (from === -1) return { ids: new Set([...ids, id]), anchor: id }
  const former = reach === undefined ? -1 : shown.indexOf(reach)
  const left = new Set(former === -1 ? [] : between(shown, from, former))
  const others = [...ids].filter((one) => !left.has(one))
  return { ids: new Set([...others, ...between(shown, from, to)]), anchor, reach: id }
}

function between<Id>(shown: readonly Id[], one: number, other: number): readonly Id[] {
  return shown.slice(Math.min(one, other), Math.max(one, other) + 1)
}

/** All shown rows, or none of them when all are selected already; rows that are not shown stay as they are. */
export function toggledAll<Id>({ ids }: RowSelection<Id>, shown: readonly Id[]): RowSelection<Id> {
  if (!areAll(ids, shown)) return { ids: new Set([...ids, ...shown]), anchor: null }
  const all = new Set(shown)
  return { ids: new Set([...ids].filter((id) => !all.has(id))), anchor: null }
}

/** Only rows that are still there. */
export function keptRows<Id>(
  { ids, anchor, reach }: RowSelection<Id>,
  isThere: (id: Id) => boolean,
): RowSelection<Id> {
  return {
    ids: new Set([...ids].filter(isThere)),
    anchor: anchor !== null && isThere(anchor) ? anchor : null,
    ...(reach !== undefined && isThere(reach) ? { reach } : {}),
  }
}

export function areAll<Id>(ids: ReadonlySet<Id>, shown: readonly Id[]): boolean {
  return shown.length > 0 && shown.every((id) => ids.has(id))
}
