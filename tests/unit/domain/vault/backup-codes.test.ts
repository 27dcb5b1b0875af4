import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countBackupCodes,
  newestSetsFirst,
  nextBackupCode,
  normalizeBackupCode,
  parseBackupCodes,
  reconcileBackupCodes,
  setInUse,
  type DatedSet,
} from '#domain/vault/backup-codes.ts'
import type { BackupCode, BackupCodeState } from '#domain/vault/vault-view.ts'

function setOf(unused: number, maybeUsed: number, used: number): BackupCode[] {
  const states: BackupCodeState[] = [
    ...Array<BackupCodeState>(unused).fill('unused'),
    ...Array<BackupCodeState>(maybeUsed).fill('maybe-used'),
    ...Array<BackupCodeState>(used).fill('used'),
  ]
  return states.map((state, index) => ({ code: `CODE-CODE-000${index}`, state }))
}

function after(
  unused: number,
  maybeUsed: number,
  used: number,
  count: number,
  standing = 'current' as const,
) {
  const known = reconcileBackupCodes({ standing, codes: setOf(unused, maybeUsed, used) }, count)
  const counts = countBackupCodes(known.codes)
  return [known.standing, counts.unused, counts.maybeUsed, counts.used]
}

describe('the service’s count', () => {
  test.each([
    ['as many as are certain: the doubtful ones are used', [7, 2, 1, 7], ['current', 7, 0, 3]],
    ['as many as may be left: none of the doubtful ones was used', [7, 2, 1, 9], ['current', 9, 0, 1]],
    ['in between: still doubtful', [7, 2, 1, 8], ['current', 7, 2, 1]],
    ['fewer: each may be among those that were used elsewhere', [9, 0, 1, 6], ['current', 0, 9, 1]],
    ['none', [4, 3, 3, 0], ['current', 0, 0, 10]],
    ['more than can be left: there are others by now', [3, 1, 6, 10], ['outdated', 3, 1, 6]],
    ['as expected', [9, 0, 1, 9], ['current', 9, 0, 1]],
  ] as const)('%s', (_, [unused, maybeUsed, used, count], expected) => {
    expect(after(unused, maybeUsed, used, count)).toEqual(expected)
  })

  test('after new codes were asked for and the reply was lost', () => {
    const ask = (unused: number, used: number, count: number) =>
      reconcileBackupCodes({ standing: 'uncertain', codes: setOf(unused, 0, used) }, count).standing
    expect(ask(4, 6, 10)).toBe('outdated')
    expect(ask(4, 6, 4)).toBe('current')
    expect(ask(10, 0, 10)).toBe('uncertain')
  })

  test('says little about codes that are not the whole set', () => {
    const some = { standing: 'current', codes: setOf(3, 0, 0) } as const
    expect(reconcileBackupCodes(some, 8)).toEqual(some)
    expect(countBackupCodes(reconcileBackupCodes(some, 0).codes).used).toBe(3)
  })

  test('never brings a used code back, loses none, and says the same twice', () => {
    const states = fc.array(fc.constantFrom<BackupCodeState>('unused', 'maybe-used', 'used'), {
      maxLength: 10,
    })
    const standing = fc.constantFrom('current' as const, 'uncertain' as const, 'outdated')
    fc.assert(
      fc.property(states, standing, fc.integer({ min: 0, max: 10 }), (given, stand, count) => {
        const codes = given.map((state, index) => ({ code: String(index), state }))
        const known = reconcileBackupCodes({ standing: stand, codes }, count)
        expect(known.codes.map(({ code }) => code)).toEqual(codes.map(({ code }) => code))
        for (const [index, { state }] of codes.entries())
          if (state === 'used') expect(known.codes[index]?.state).toBe('used')
        expect(reconcileBackupCodes(known, count)).toEqual(known)
      }),
    )
  })
})

test('the next code is a certain one, then a doubtful one, then none', () => {
  expect(nextBackupCode(setOf(0, 1, 0).concat({ code: 'sure', state: 'unused' }))).toBe('sure')
  expect(nextBackupCode(setOf(0, 2, 1))).toBe('CODE-CODE-0000')
  expect(nextBackupCode(setOf(0, 0, 10))).toBeNull()
})

test('a code typed in lower case goes into upper case, and one in both stays as it is', () => {
  expect(normalizeBackupCode(' abcd-ef12-gh34 ')).toBe('ABCD-EF12-GH34')
  expect(normalizeBackupCode('aBCD-EF12-GH34')).toBe('aBCD-EF12-GH34')
})

test('codes are found in a file that was saved, and nothing is guessed', () => {
  expect(
    parseBackupCodes('# Backup codes of ada\nABCD-EFGH-1234\r\nabcd-efgh-1234, WXYZ-0000-1111\n'),
  ).toEqual(['ABCD-EFGH-1234', 'WXYZ-0000-1111'])
  expect(parseBackupCodes('ABCD-EFGH-1234 and more')).toBeNull()
  expect(parseBackupCodes('')).toBeNull()
})

describe('of several sets', () => {
  const account = { serviceAddress: 'https://rent.example.com', userId: 7 }
  type Set = DatedSet & { readonly id: string }
  const older: Set = { id: 'older', account, addedAtMs: 1, standing: 'current' }
  const newer: Set = { id: 'newer', account, addedAtMs: 2, standing: 'current' }

  test.each<[string, readonly Set[], string | undefined]>([
    ['the newer one, whichever was listed first', [newer, older], 'newer'],
    ['the one that is not void', [older, { ...newer, standing: 'outdated' }], 'older'],
    ['the one that may be good', [older, { ...newer, standing: 'uncertain' }], 'newer'],
    ['the one that was listed later, of the same time', [{ ...older, addedAtMs: 2 }, newer], 'newer'],
    ['the one of the account', [older, { ...newer, account: { ...account, userId: 8 } }], 'older'],
    ['none of those that are void', [{ ...older, standing: 'outdated' }], undefined],
  ])('%s is in use', (_, sets, inUse) => {
    expect(setInUse(sets, account)?.id).toBe(inUse)
  })

  test('the newest comes first', () => {
    expect(newestSetsFirst([older, newer]).map(({ id }) => id)).toEqual(['newer', 'older'])
  })
})
