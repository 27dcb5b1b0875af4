import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameContent, isSameField, templateFields } from '#domain/templates/template-content.ts'
import {
  mergeEdits,
  withFieldsOf,
} from '../../../../../src-renderer/features/templates/editor/template-merge-edits.ts'
import { anyContent, contentWith } from '../../../../support/template-arbitrary.ts'

test('what only one of them changed is as that one left it, and nothing clashes without two changes', () => {
  fc.assert(
    fc.property(anyContent, anyContent, anyContent, (base, mine, theirs) => {
      const { content, clashes, taken } = mergeEdits({ base, mine, theirs })
      for (const field of templateFields) {
        const [byMe, byThem] = [!isSameField(field, base, mine), !isSameField(field, base, theirs)]
        const differ = !isSameField(field, mine, theirs)
        expect(clashes.includes(field)).toBe(byMe && byThem && differ)
        expect(taken.includes(field)).toBe(!byMe && byThem)
        expect(isSameField(field, content, byMe ? mine : theirs)).toBe(true)
      }
    }),
  )
})

test('an edit that one side did not make is nothing but the other’s, from either side', () => {
  fc.assert(
    fc.property(anyContent, anyContent, (base, other) => {
      const theirs = mergeEdits({ base, mine: base, theirs: other })
      const mine = mergeEdits({ base, mine: other, theirs: base })
      const both = mergeEdits({ base, mine: other, theirs: other })
      for (const { content, clashes } of [theirs, mine, both]) {
        expect(isSameContent(content, other)).toBe(true)
        expect(clashes).toEqual([])
      }
    }),
  )
})

test('both sides see the same clashes, and choosing theirs in all of them gives what they would get', () => {
  fc.assert(
    fc.property(anyContent, anyContent, anyContent, (base, mine, theirs) => {
      const here = mergeEdits({ base, mine, theirs })
      const there = mergeEdits({ base, mine: theirs, theirs: mine })
      expect(here.clashes).toEqual(there.clashes)
      expect(isSameContent(withFieldsOf(here.content, theirs, here.clashes), there.content)).toBe(true)
    }),
  )
})

test('two edits of different fields go together', () => {
  const base = contentWith({ desc: 'old', tag: 'v1' })
  const mine = { ...base, desc: 'mine' }
  const theirs = { ...base, tag: 'v2' }
  expect(mergeEdits({ base, mine, theirs })).toEqual({
    content: { ...base, desc: 'mine', tag: 'v2' },
    clashes: [],
    taken: ['tag'],
  })
})
