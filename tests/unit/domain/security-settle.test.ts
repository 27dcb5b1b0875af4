import { expect, test } from 'vitest'
import { fateOfConfirm, wereCodesReplaced } from '../../../src-main/domain/security-settle.ts'

const confirm = { method: 'totp', knownIds: [1, 2], at: 1000 } as const
const methods = (...ids: readonly (readonly [number, string])[]) => ({
  methods: ids.map(([id, method]) => ({ id, method })),
})

test.each([
  ['a new method of its kind', methods([1, 'totp'], [9, 'totp']), 1001, { kind: 'added', methodId: 9 }],
  ['a new one of another kind', methods([9, 'sms']), 1001, { kind: 'undecided' }],
  ['only those from before, too early to tell', methods([1, 'totp']), 30_999, { kind: 'undecided' }],
  ['only those from before, after half a minute', methods([1, 'totp']), 31_000, { kind: 'not-added' }],
] as const)('%s', (_, status, askedAt, fate) => expect(fateOfConfirm(confirm, status, askedAt)).toEqual(fate))

test.each([
  [9, 10, true],
  [0, 10, true],
  [9, 9, false],
  [9, 8, false],
  [10, 10, null],
  [10, 9, null],
] as const)('%i codes before and %i after: replaced %s', (before, after, replaced) =>
  expect(wereCodesReplaced(before, after)).toBe(replaced),
)
