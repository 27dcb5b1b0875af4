import { expect, test } from 'vitest'
import { linesBetween } from '#ui/line-difference.ts'

test('a line of megabytes is cut', () => {
  const [removed, added] = linesBetween('x'.repeat(4_000_000), 'short')
  expect(removed?.kind).toBe('removed')
  expect(removed?.text).toBe(`${'x'.repeat(2_000)}…`)
  expect(added).toEqual({ kind: 'added', text: 'short' })
})

test('line ends are not shown, whichever they are; other control characters are seen, and do nothing', () => {
  expect(linesBetween('one\r\ntwo\r\n', 'one\r\n2\r3\u202e\r\n')).toEqual([
    { kind: 'same', text: 'one' },
    { kind: 'removed', text: 'two' },
    { kind: 'added', text: '2�3�' },
  ])
})
