import { expect, test } from 'vitest'
import { fatesOfConfirms, wereCodesReplaced } from '#services/two-factor/two-factor-settle.ts'

const confirm = { id: 'one', method: 'totp', knownIds: [1, 2], at: 1000 } as const
const methods = (...ids: readonly (readonly [number, string])[]) => ({
  methods: ids.map(([id, method]) => ({ id, method })),
  unreadable: [],
})
const withUnreadable = { ...methods([1, 'totp']), unreadable: [{ place: 2, id: null, detail: 'id' }] }

test.each([
  ['a new method of its kind', methods([1, 'totp'], [9, 'totp']), 1001, { kind: 'added', methodId: 9 }],
  ['a new one of another kind', methods([9, 'sms']), 1001, { kind: 'undecided' }],
  ['only those from before, too early to tell', methods([1, 'totp']), 30_999, { kind: 'undecided' }],
  ['only those from before, after half a minute', methods([1, 'totp']), 31_000, { kind: 'not-added' }],
  ['one that can’t be read, after half a minute', withUnreadable, 31_000, { kind: 'undecided' }],
] as const)('%s', (_, status, askedAt, fate) =>
  expect(fatesOfConfirms([confirm], status, askedAt)).toEqual(new Map([['one', fate]])),
)

test('of two that could have added the same method, it was the newer one', () => {
  const newer = { ...confirm, id: 'newer', at: 9000 }
  const one = methods([1, 'totp'], [9, 'totp'])
  for (const steps of [
    [confirm, newer],
    [newer, confirm],
  ])
    expect(fatesOfConfirms(steps, one, 10_000)).toEqual(
      new Map([
        ['newer', { kind: 'added', methodId: 9 }],
        ['one', { kind: 'undecided' }],
      ]),
    )
  expect(fatesOfConfirms([confirm, newer], methods([8, 'totp'], [9, 'totp']), 10_000)).toEqual(
    new Map([
      ['newer', { kind: 'added', methodId: 9 }],
      ['one', { kind: 'added', methodId: 8 }],
    ]),
  )
})

test.each([
  [9, 10, true],
  [0, 10, true],
  [9, 9, false],
  [9, 8, false],
  [10, 10, null],
  [10, 9, null],
  [null, 10, null],
  [9, null, null],
] as const)('%s codes before and %s after: replaced %s', (before, after, replaced) =>
  expect(wereCodesReplaced(before, after)).toBe(replaced),
)
