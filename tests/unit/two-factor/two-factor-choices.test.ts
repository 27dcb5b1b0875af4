import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  choicesOf,
  firstUsable,
  methodIdOf,
  type ChoiceFacts,
} from '#services/two-factor/two-factor-choices.ts'
import type { KnownTwoFactor, TwoFactorMethod } from '#domain/two-factor/two-factor.ts'

const now = 1_000_000
const method = (of: Partial<TwoFactorMethod> = {}): TwoFactorMethod => ({
  id: 7,
  kind: 'totp',
  kindName: 'totp',
  label: 'Desk',
  maskedNumber: null,
  isPrimary: true,
  failCount: 0,
  lockedUntil: null,
  createdAt: null,
  lastUsedAt: null,
  entryId: null,
  ...of,
})
const account = (of: Partial<KnownTwoFactor> = {}): KnownTwoFactor => ({
  unreadable: [],
  kind: 'known',
  status: 'enabled',
  isAdmin: false,
  email: 'verified',
  methods: [method(), method({ id: 8, kind: 'sms', isPrimary: false })],
  backupCodesLeft: 10,
  addWindow: { kind: 'closed' },
  sms: 'available',
  session: null,
  isSessionLeft: false,
  unfinished: [],
  improvements: [],
  checkedAt: now,
  problem: null,
  isChecking: false,
  ...of,
})
const choices = (of: Partial<ChoiceFacts> = {}) =>
  choicesOf({
    purpose: 'log-in',
    account: account(),
    emailAddress: 'a@example.com',
    blocks: new Map(),
    codesInVault: null,
    now,
    ...of,
  })
const blocked = (of: Partial<ChoiceFacts>): readonly string[] =>
  choices(of).flatMap(({ id, block }) => (block === null ? [] : [`${id}: ${block.kind}`]))

test('methods, e-mail, backup code; only what is sent needs sending', () => {
  expect(choices().map(({ id, needsSending }) => [id, needsSending])).toEqual([
    ['method:7', false],
    ['method:8', true],
    ['email', true],
    ['backup-code', false],
  ])
  expect(choices().map(methodIdOf)).toEqual([7, 8, null, null])
})

test('the first method is permitted by e-mail and nothing else', () => {
  const off = account({ status: 'off', methods: [], backupCodesLeft: 0 })
  expect(choices({ purpose: 'authorise', account: off }).map(({ id }) => id)).toEqual(['email'])
})

test('a method that can’t be read isn’t none: the next one isn’t taken for the first', () => {
  const unreadable = [{ place: 1, id: null, detail: 'id' }]
  const unsure = account({ methods: [], unreadable })
  const authorise = choices({ purpose: 'authorise', account: unsure })
  expect(authorise.map(({ id }) => id)).toEqual(['email', 'backup-code'])
})

test('a legacy account has its number on file, without an id', () => {
  const legacy = account({ status: 'legacy', methods: [], backupCodesLeft: 0 })
  expect(choices({ purpose: 'regenerate', account: legacy }).map(({ id }) => id)).toEqual([
    'legacy-sms',
    'email',
    'backup-code',
  ])
})

test('a legacy account with methods has its number on file beside them, and adds by them only', () => {
  const idsOf = (of: Partial<ChoiceFacts>) => choices(of).map(({ id }) => id)
  const legacy = account({ status: 'legacy', methods: [method()] })
  const others = ['email', 'backup-code']
  expect(idsOf({ account: legacy })).toEqual(['method:7', 'legacy-sms', ...others])
  expect(idsOf({ account: legacy, purpose: 'authorise' })).toEqual(['method:7', ...others])
  expect(idsOf({ account: account({ status: 'legacy' }) })).toEqual(['method:7', 'method:8', ...others])
})

test('an unverified address blocks what is sent; an admin keeps SMS, but not for the permission to add', () => {
  const unverified = account({ email: 'unverified' })
  expect(blocked({ account: unverified })).toEqual([
    'method:8: email-not-verified',
    'email: email-not-verified',
  ])
  const admin = account({ email: 'unverified', isAdmin: true })
  expect(blocked({ account: admin })).toEqual(['email: email-not-verified'])
  expect(blocked({ account: admin, purpose: 'authorise' })).toHaveLength(2)
})

test('a lock blocks its method only, and no longer than it lasts', () => {
  const locked = account({ methods: [method({ lockedUntil: now + 1 }), method({ id: 8, kind: 'sms' })] })
  expect(blocked({ account: locked })).toEqual(['method:7: locked'])
  const learned = (until: number) => new Map([['method:8', { kind: 'locked', until, failCount: 5 } as const]])
  expect(blocked({ blocks: learned(now + 1) })).toEqual(['method:8: locked'])
  expect(blocked({ blocks: learned(now) })).toEqual([])
})

test('stored codes are offered where the vault has some', () => {
  const kept = account({ methods: [method({ entryId: 'entry' })] })
  const stored = (codesInVault: ChoiceFacts['codesInVault']) =>
    choices({ account: kept, codesInVault }).map(({ id, stored: of }) => [id, of?.codesLeft])
  const others = [
    ['method:7', null],
    ['email', undefined],
  ]
  expect(stored({ unused: 3, maybeUsed: 1 })).toEqual([...others, ['backup-code', 3]])
  // It can still be tried, and the choice tells that none is certain.
  expect(stored({ unused: 0, maybeUsed: 1 })).toEqual([...others, ['backup-code', 0]])
  expect(stored({ unused: 0, maybeUsed: 0 })).toEqual([...others, ['backup-code', undefined]])
  expect(stored(null)).toEqual([...others, ['backup-code', undefined]])
})

test('what is chosen first can always be used; there is none only when all are blocked', () => {
  const flags = fc.record({
    email: fc.constantFrom('verified' as const, 'unverified' as const, 'missing' as const),
    sms: fc.constantFrom('available' as const, 'disabled' as const),
    isAdmin: fc.boolean(),
    backupCodesLeft: fc.constantFrom(0, 10),
    lockedUntil: fc.constantFrom(null, now + 1),
  })
  const purposes = fc.constantFrom(
    'log-in' as const,
    'authorise' as const,
    'remove' as const,
    'regenerate' as const,
  )
  fc.assert(
    fc.property(flags, purposes, ({ lockedUntil, ...of }, purpose) => {
      const all = choices({ purpose, account: account({ ...of, methods: [method({ lockedUntil })] }) })
      const first = firstUsable(all)
      const usable = all.filter(({ block }) => block === null).map(({ id }) => id)
      expect(first).toBe(usable[0] ?? null)
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    }),
  )
})
