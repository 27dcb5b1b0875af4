import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contradictionBetween, type ComparedGuard } from '#services/guards/contradiction.ts'

const rule = (
  action: 'stop' | 'destroy',
  condition: ComparedGuard['condition'],
  dueAt: number | null = null,
) => ({
  action,
  condition,
  dueAt,
})
const ended = (action: 'stop' | 'destroy', name: string) => rule(action, { kind: 'process', name })
const idle = (action: 'stop' | 'destroy', minutes: number) => rule(action, { kind: 'idle', minutes })

describe('two rules of an instance', () => {
  test.each([
    ['the same twice', idle('stop', 30), idle('stop', 60), 'repeated'],
    [
      'the same time twice',
      rule('stop', { kind: 'at', at: 9 }, 9),
      rule('stop', { kind: 'at', at: 9 }, 9),
      'repeated',
    ],
    ['a second time', rule('stop', { kind: 'at', at: 9 }, 9), rule('stop', { kind: 'at', at: 10 }, 10), null],
    ['stop, then destroy', idle('stop', 30), idle('destroy', 60), null],
    ['destroyed before it is stopped', idle('stop', 60), idle('destroy', 30), 'destroyed-before'],
    ['destroyed as it is stopped', idle('stop', 30), idle('destroy', 30), 'destroyed-before'],
    [
      'a time and a number of hours',
      rule('stop', { kind: 'at', at: 9 }, 9),
      rule('destroy', { kind: 'after', hours: 1 }, 8),
      'destroyed-before',
    ],
    ['on other grounds', rule('stop', { kind: 'cost', usd: 9 }), idle('destroy', 1), null],
    [
      'stopped before it costs enough to be destroyed',
      rule('stop', { kind: 'cost', usd: 5 }),
      rule('destroy', { kind: 'cost', usd: 10 }),
      'stopped-before',
    ],
    ['the same process twice', ended('stop', 'a.py'), ended('stop', 'a.py'), 'repeated'],
    ['two processes', ended('stop', 'a.py'), ended('destroy', 'b.py'), null],
    ['destroyed as a process ends', ended('destroy', 'a.py'), ended('stop', 'a.py'), 'destroyed-before'],
    ['destroyed once stopped', rule('destroy', { kind: 'stopped', days: 3 }), idle('stop', 9), null],
  ] as const)('%s', (_, one, other, expected) => {
    expect(contradictionBetween(one, other)).toBe(expected)
  })

  test('it does not matter which one was first', () => {
    const anyRule = fc.record({
      action: fc.constantFrom('stop' as const, 'destroy' as const),
      condition: fc.oneof(
        fc.record({ kind: fc.constant('idle' as const), minutes: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ kind: fc.constant('cost' as const), usd: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ kind: fc.constant('after' as const), hours: fc.integer({ min: 1, max: 3 }) }),
      ),
      dueAt: fc.option(fc.integer({ min: 1, max: 3 })),
    })
    fc.assert(
      fc.property(anyRule, anyRule, (one, other) => {
        expect(contradictionBetween(one, other)).toBe(contradictionBetween(other, one))
      }),
    )
  })
})
