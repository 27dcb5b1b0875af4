/** Which rows of a list are selected, by their ids, and from where a range begins. */
export interface RowSelection {
  readonly ids: ReadonlySet<number>
  /** The row that was chosen last on its own; Shift goes from it. */
  readonly anchor: number | null
}

export const noRows: RowSelection = { ids: new Set(), anchor: null }

/** One row more, or less. */
export function toggled({ ids }: RowSelection, id: number): RowSelection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** All rows from the anchor to this one as well, in the order in which they are shown. */
export function extendedTo(selection: RowSelection, id: number, shown: readonly number[]): RowSelection {
  const to = shown.indexOf(id)
  const from = selection.anchor === null ? -1 : shown.indexOf(selection.anchor)
  if (to === -1) return selection
  if (from === -1) return { ids: new Set([...selection.ids, id]), anchor: id }
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor }
}

/** All shown rows, or none of them when all are selected already; rows that are not shown stay as they are. */
export function toggledAll({ ids }: RowSelection, shown: readonly number[]): RowSelection {
  if (!areAll(ids, shown)) return { ids: new Set([...ids, ...shown]), anchor: null }
  const all = new Set(shown)
  return { ids: new Set([...ids].filter((id) => !all.has(id))), anchor: null }
}

/** Only rows that are still there. */
export function keptRows({ ids, anchor }: RowSelection, isThere: (id: number) => boolean): RowSelection {
  return {
    ids: new Set([...ids].filter(isThere)),
    anchor: anchor !== null && isThere(anchor) ? anchor : null,
  }
}

export function areAll(ids: ReadonlySet<number>, shown: readonly number[]): boolean {
  return shown.length > 0 && shown.every((id) => ids.has(id))
}
