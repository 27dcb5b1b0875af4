import type { Direction, Group, Layout, Split } from '#domain/terminals/terminal-layout.ts'

/** A terminal that is to have more room in the splits of one direction. */
export interface SplitGrowth {
  readonly key: string
  readonly direction: Direction
  /** In percent of the split's room; negative for less. */
  readonly by: number
}

/** Whether a terminal stands beside another (`row`), or above or below one (`column`). */
export function isSplitIn(layout: Layout | null, key: string, direction: Direction): boolean {
  if (layout?.kind !== 'split') return false
  if (layout.direction === direction && groupOf(layout, key) !== undefined) return true
  return layout.parts.some((part) => isSplitIn(part, key, direction))
}

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
  const divide = (part: Layout): Layout => {
    if (part.kind === 'split') return flattened({ ...part, parts: part.parts.map(divide) })
    return part.id === groupId
      ? { kind: 'split', id: `${id}-split`, direction, parts: [part, added], sizes: [50, 50] }
      : part
  }
  return divide(layout)
}

/**
 * Opens groups with one new terminal each, all of them in sight: in rows of about as many as there are rows. What
 * stood there has the first place.
 */
export function tileGroups(layout: Layout | null, keys: readonly string[]): Layout | null {
  const tiles: readonly Layout[] = [
    ...(layout === null ? [] : [layout]),
    ...keys.map((key) => ({ kind: 'group', id: `group-${key}`, keys: [key], shown: key }) as const),
  ]
  const perRow = Math.max(1, Math.ceil(Math.sqrt(tiles.length)))
  const rows: Layout[] = []
  for (let from = 0; from < tiles.length; from += perRow) {
    const row = splitOf(`row-${from}-${keys[0]}`, 'row', tiles.slice(from, from + perRow))
    if (row) rows.push(row)
  }
  return splitOf(`rows-${keys[0]}`, 'column', rows)
}

/**
 * How terminals of the last time stand with what has come meanwhile: below them what is split, and otherwise among
 * the tabs of the first group.
 *
 * @param keys of all terminals
 */
export function restoredLayout(
  last: Layout | null,
  meanwhile: Layout | null,
  keys: readonly string[],
): Layout | null {
  const groups = groupsOf(meanwhile)
  if (groups.length < 2) return layoutOf(last, keys)
  const placed = new Set(groups.flatMap((group) => group.keys))
  const former = layoutOf(
    last,
    keys.filter((key) => !placed.has(key)),
  )
  return splitOf(
    'restored',
    'column',
    [former, meanwhile].filter((part) => part !== null),
  )
}

/** Parts that share the room evenly. */
function splitOf(id: string, direction: Direction, parts: readonly Layout[]): Layout | null {
  if (parts.length === 0) return null
  return flattened({ kind: 'split', id, direction, parts, sizes: parts.map(() => 100 / parts.length) })
}

/** Takes a terminal out; its neighbor comes to the front, and a group that is left empty goes. */
export function removeKey(layout: Layout, key: string): Layout | null {
  if (layout.kind === 'split') {
    const left = layout.parts.flatMap((part, index) => {
      const rest = removeKey(part, key)
      return rest === null ? [] : [{ rest, size: layout.sizes[index] ?? 0 }]
    })
    if (left.length === 0) return null
    const sizes = shares(left.map(({ size }) => size))
    return flattened({ ...layout, parts: left.map(({ rest }) => rest), sizes })
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
  const places = split.parts.flatMap((part, index) => {
    const size = split.sizes[index] ?? 0
    return part.kind === 'split' && part.direction === split.direction
      ? part.parts.map((inner, at) => ({ part: inner, size: (size * (part.sizes[at] ?? 0)) / 100 }))
      : [{ part, size }]
  })
  const parts = places.map(({ part }) => part)
  const [only] = parts
  return parts.length === 1 && only
    ? only
    : { ...split, parts, sizes: shares(places.map(({ size }) => size)) }
}

/** Sizes that are all of the room again, each with its share of it. */
function shares(sizes: readonly number[]): readonly number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.map((size) => (all > 0 ? (size / all) * 100 : 100 / sizes.length))
}

/** Gives the parts of a split, which stay as many as they are, other shares of its room. */
export function resizeSplit(layout: Layout, splitId: string, sizes: readonly number[]): Layout {
  if (layout.kind === 'group') return layout
  if (layout.id === splitId && sizes.length === layout.parts.length) return { ...layout, sizes }
  return { ...layout, parts: layout.parts.map((part) => resizeSplit(part, splitId, sizes)) }
}

/** The layout of some of its terminals; those that stand in no group are put among the tabs of the first one. */
export function layoutOf(layout: Layout | null, keys: readonly string[]): Layout | null {
  const wanted = new Set(keys)
  let next = layout
  const stray = groupsOf(layout)
    .flatMap((group) => group.keys)
    .filter((key) => !wanted.has(key))
  for (const key of stray) next = next && removeKey(next, key)
  for (const key of keys.filter((one) => !groupOf(next, one))) {
    const [first] = groupsOf(next)
    next = addKey(next, first?.id ?? 'group', key, Infinity)
  }
  return next
}
