import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesBetween } from '#ui/line-difference.ts'
import { differenceOf } from '../../../../../src-renderer/features/templates/editor/difference.ts'
import { contentWith } from '../../../../support/template-arbitrary.ts'

test('only what changes is told: values as they are, texts line by line', () => {
  const before = contentWith({ desc: 'one\ntwo\n' })
  expect(differenceOf(before, { tag: 'v2', desc: 'one\n2\n' })).toEqual([
    { field: 'tag', label: 'Tag', kind: 'value', before: 'latest', after: 'v2' },
    {
      field: 'desc',
      label: 'Description',
      kind: 'lines',
      lines: [
        { kind: 'same', text: 'one' },
        { kind: 'removed', text: 'two' },
        { kind: 'added', text: '2' },
      ],
    },
  ])
})

test('every line that goes and every line that comes is there, whatever is left out between', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = linesBetween(`${before}\nend\n`, `${after}\nend\n`)
      const count = (kind: string): number => lines.filter((line) => line.kind === kind).length
      const grown = after.split('\n').length - before.split('\n').length
      expect(count('added') - count('removed')).toBe(grown)
      if (before === after) expect(count('added') + count('removed')).toBe(0)
    }),
  )
})
