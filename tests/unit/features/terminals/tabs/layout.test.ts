import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layout as layoutSchema, type Layout } from '#domain/terminals/terminal-layout.ts'
import {
  addKey,
  groupOf,
  groupsOf,
  layoutOf,
  moveKey,
  removeKey,
  resizeSplit,
  restoredLayout,
  showKey,
  splitGroup,
  tileGroups,
} from '../../../../../src-renderer/features/terminals/tabs/layout.ts'

/** As one reads it: `[a b*]` is a group with b in front, `(x | y)` side by side, `(x / y)` above each other. */
function written(layout: Layout | null): string {
  if (layout === null) return ''
  if (layout.kind === 'group')
    return `[${layout.keys.map((key) => (key === layout.shown ? `${key}*` : key)).join(' ')}]`
  return `(${layout.parts.map(written).join(layout.direction === 'row' ? ' | ' : ' / ')})`
}

const one = addKey(null, 'g1', 'a', 0)
const two = addKey(one, 'g1', 'b', 1)

it('splits a group, flat where the direction is the same', () => {
  const beside = splitGroup(two, 'g1', { direction: 'row', key: 'c', id: 'g2' })
  expect(written(beside)).toBe('([a b*] | [c*])')
  expect(written(splitGroup(beside, 'g1', { direction: 'row', key: 'd', id: 'g3' }))).toBe(
    '([a b*] | [d*] | [c*])',
  )
  const below = splitGroup(beside, 'g2', { direction: 'column', key: 'd', id: 'g3' })
  expect(written(below)).toBe('([a b*] | ([c*] / [d*]))')
  expect(written(removeKey(below, 'c'))).toBe('([a b*] | [d*])')
})

it('closes a group with its last terminal, and shows the neighbour of one that was in front', () => {
  const beside = splitGroup(two, 'g1', { direction: 'row', key: 'c', id: 'g2' })
  expect(written(removeKey(beside, 'c'))).toBe('[a b*]')
  expect(written(removeKey(beside, 'b'))).toBe('([a*] | [c*])')
  expect(removeKey(one, 'a')).toBeNull()
})

it('moves a terminal between groups, and a group that it leaves empty goes', () => {
  const beside = splitGroup(two, 'g1', { direction: 'row', key: 'c', id: 'g2' })
  expect(written(moveKey(beside, 'a', 'g2', 1))).toBe('([b*] | [c a*])')
  expect(written(moveKey(beside, 'c', 'g1', 0))).toBe('[c* a b]')
  expect(written(moveKey(two, 'a', 'g1', 1))).toBe('[b a*]')
  expect(written(showKey(beside, 'a'))).toBe('([a* b] | [c*])')
})

it('halves the room that is split, and leaves the others their shares', () => {
  const three = splitGroup(splitGroup(two, 'g1', { direction: 'row', key: 'c', id: 'g2' }), 'g2', {
    direction: 'row',
    key: 'd',
    id: 'g3',
  })
  expect(three).toMatchObject({ sizes: [50, 25, 25] })
  const wider = three.kind === 'split' ? resizeSplit(three, three.id, [20, 60, 20]) : three
  expect(removeKey(wider, 'c')).toMatchObject({ sizes: [50, 50] })
  expect(resizeSplit(three, 'another', [20, 60, 20])).toEqual(three)
  expect(three.kind === 'split' && resizeSplit(three, three.id, [50, 50])).toEqual(three)
})

it('is restored with those of its terminals that are there, and with others among its tabs', () => {
  const below = splitGroup(two, 'g1', { direction: 'column', key: 'c', id: 'g2' })
  expect(written(layoutOf(below, ['a', 'c', 'd']))).toBe('([a d*] / [c*])')
  expect(written(layoutOf(below, ['c']))).toBe('[c*]')
  expect(written(layoutOf(null, ['a', 'b']))).toBe('[a b*]')
  expect(layoutOf(below, [])).toBeNull()
})

it('whatever is done, each terminal stands in one group, no group is empty and no split is without sense', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'split', 'remove', 'move', 'show'),
    at: fc.nat(20),
    to: fc.nat(20),
    direction: fc.constantFrom('row' as const, 'column' as const),
  })
  const check = (layout: Layout | null): void => {
    if (layout === null) return
    if (layout.kind === 'group') return expect(layout.keys).toContain(layout.shown)
    expect(layout.parts.length).toBeGreaterThan(1)
    expect(layout.sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(100)
    for (const part of layout.parts) {
      if (part.kind === 'split') expect(part.direction).not.toBe(layout.direction)
      check(part)
    }
  }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let layout: Layout | null = null
      const there: string[] = []
      steps.forEach(({ kind, at, to, direction }, index) => {
        const fresh = `t${index}`
        const key = there[at % Math.max(1, there.length)]
        if (layout === null || key === undefined) {
          layout = addKey(null, 'first', fresh, 0)
          there.push(fresh)
          return
        }
        const groups = groupsOf(layout)
        const groupId = groups[to % groups.length]?.id ?? ''
        if (kind === 'add' || kind === 'split') there.push(fresh)
        if (kind === 'add') layout = addKey(layout, groupId, fresh, at)
        if (kind === 'split') layout = splitGroup(layout, groupId, { direction, key: fresh, id: `g${index}` })
        if (kind === 'move') layout = moveKey(layout, key, groupId, at)
        if (kind === 'show') layout = showKey(layout, key)
        if (kind === 'remove') {
          layout = removeKey(layout, key)
          there.splice(there.indexOf(key), 1)
        }
        if (kind === 'show') expect(groupOf(layout, key)?.shown).toBe(key)
        check(layout)
        expect(layoutSchema.nullable().parse(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
        expect(
          groupsOf(layout)
            .flatMap(({ keys }) => keys)
            .toSorted(),
        ).toEqual(there.toSorted())
      })
    }),
  )
})

it('puts new terminals side by side in rows, after what stood there', () => {
  expect(written(tileGroups(null, ['x']))).toBe('[x*]')
  expect(written(tileGroups(null, ['x', 'y']))).toBe('([x*] | [y*])')
  expect(written(tileGroups(null, ['v', 'w', 'x', 'y', 'z']))).toBe('(([v*] | [w*] | [x*]) / ([y*] | [z*]))')
  expect(written(tileGroups(two, ['x', 'y']))).toBe('(([a b*] | [x*]) / [y*])')
  expect(tileGroups(two, [])).toBe(two)
  expect(tileGroups(null, [])).toBeNull()
})

it('keeps each terminal once, as the contract wants it, with names of their own', () => {
  const keys = fc.uniqueArray(fc.stringMatching(/^[c-z]{1,6}$/), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(keys, keys, (first, then) => {
      const before = tileGroups(two, first)
      const after = tileGroups(
        before,
        then.map((key) => `${key}0`),
      )
      const groups = groupsOf(after)
      expect(groups.flatMap((group) => group.keys)).toHaveLength(2 + first.length + then.length)
      expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length)
      expect(layoutSchema.safeParse(after).success).toBe(true)
    }),
  )
})

it('restores terminals around those that have come meanwhile, and leaves splits as they are', () => {
  const tiles = tileGroups(null, ['x', 'y'])
  expect(written(restoredLayout(null, tiles, ['x', 'y']))).toBe('([x*] | [y*])')
  expect(written(restoredLayout(two, tiles, ['a', 'b', 'x', 'y']))).toBe('([a b*] / ([x*] | [y*]))')
  expect(written(restoredLayout(two, tileGroups(null, ['x']), ['a', 'b', 'x']))).toBe('[a b x*]')
  expect(written(restoredLayout(null, null, ['a']))).toBe('[a*]')
})
