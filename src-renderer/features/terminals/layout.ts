/**
 * How terminals share the page: groups with tabs, side by side or one above the other, at any depth. Each
 * terminal stands in exactly one group, no group is empty, and a split has at least two parts.
 */
export type Layout = Group | Split

export interface Group {
  readonly kind: 'group'
  readonly id: string
  /** In the order of their tabs. */
  readonly keys: readonly string[]
  /** The one in front. */
  readonly shown: string
}

export interface Split {
  readonly kind: 'split'
  readonly id: string
  /** `row`: side by side. */
  readonly direction: Direction
  readonly parts: readonly Layout[]
}

export type Direction = 'row' | 'column'

export function groupsOf(layout: Layout | null): readonly Group[] {
  if (layout === null) return []
  return layout.kind === 'group' ? [layout] : layout.parts.flatMap(groupsOf)
}

export function groupOf(layout: Layout | null, key: string): Group | undefined {
  return groupsOf(layout).find(({ keys }) => keys.includes(key))
}

/** Puts a new terminal among a group's tabs, and in front; without that group it becomes the first one. */
export function addKey(layout: Layout | null, groupId: string, key: string, place: number): Layout {
  if (layout === null) return { kind: 'group', id: groupId, keys: [key], shown: key }
  return changeGroup(layout, groupId, (group) => ({
    ...group,
    keys: group.keys.toSpliced(Math.max(0, place), 0, key),
    shown: key,
  }))
}

/** Opens a new group with one new terminal beside, or below, another group. */
export function splitGroup(
  layout: Layout,
  groupId: string,
  { direction, key, id }: { readonly direction: Direction; readonly key: string; readonly id: string },
): Layout {
  const added: Group = { kind: 'group', id, keys: [key], shown: key }
  const divide = (part: Layout): readonly Layout[] => {
    if (part.kind === 'split') return [flattened({ ...part, parts: part.parts.flatMap(divideIn(part)) })]
    return part.id === groupId
      ? [{ kind: 'split', id: `${id}-split`, direction, parts: [part, added] }]
      : [part]
  }
  const divideIn =
    (parent: Split) =>
    (part: Layout): readonly Layout[] =>
      part.kind === 'group' && part.id === groupId && parent.direction === direction
        ? [part, added]
        : divide(part)
  return divide(layout)[0] ?? layout
}

/** Takes a terminal out; its neighbour comes to the front, and a group that is left empty goes. */
export function removeKey(layout: Layout, key: string): Layout | null {
  if (layout.kind === 'split') {
    const parts = layout.parts.flatMap((part) => removeKey(part, key) ?? [])
    return parts.length === 0 ? null : flattened({ ...layout, parts })
  }
  const index = layout.keys.indexOf(key)
  if (index < 0) return layout
  const keys = layout.keys.toSpliced(index, 1)
  const next = keys[index] ?? keys[index - 1]
  if (next === undefined) return null
  return { ...layout, keys, shown: layout.shown === key ? next : layout.shown }
}

/** Brings a terminal to the front of its group. */
export function showKey(layout: Layout, key: string): Layout {
  const group = groupOf(layout, key)
  return group && group.shown !== key
    ? changeGroup(layout, group.id, (found) => ({ ...found, shown: key }))
    : layout
}

/** Moves a terminal to a place among a group's tabs: its own group's or another's. */
export function moveKey(layout: Layout, key: string, groupId: string, place: number): Layout {
  const from = groupOf(layout, key)
  if (!from || !groupsOf(layout).some(({ id }) => id === groupId)) return layout
  if (from.id === groupId) {
    const rest = from.keys.filter((other) => other !== key)
    return changeGroup(layout, groupId, (group) => ({
      ...group,
      keys: rest.toSpliced(Math.max(0, place), 0, key),
      shown: key,
    }))
  }
  const without = removeKey(layout, key)
  return without === null ? layout : addKey(without, groupId, key, place)
}

function changeGroup(layout: Layout, id: string, change: (group: Group) => Group): Layout {
  if (layout.kind === 'group') return layout.id === id ? change(layout) : layout
  return { ...layout, parts: layout.parts.map((part) => changeGroup(part, id, change)) }
}

/** A split of one part is that part; a split in a split of the same direction is one split. */
function flattened(split: Split): Layout {
  const parts = split.parts.flatMap((part) =>
    part.kind === 'split' && part.direction === split.direction ? part.parts : [part],
  )
  const [only] = parts
  return parts.length === 1 && only ? only : { ...split, parts }
}
