import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { twoFactorOf, type TwoFactorFacts } from '#services/two-factor/two-factor-view.ts'
import type { MethodRecord, TwoFactorRecord } from '#domain/two-factor/methods.ts'

const now = 1_000_000_000
const method = (of: Partial<MethodRecord> = {}): MethodRecord => ({
  id: 1,
  method: 'totp',
  label: 'Desk',
  is_primary: true,
  fail_count: 0,
  locked_until: null,
  created_at: 1000,
  last_used: 2000,
  ...of,
})
const status = (of: Partial<TwoFactorRecord> = {}): TwoFactorRecord => ({
  tfa_enabled: true,
  methods: [method()],
  unreadable: [],
  backup_codes_remaining: 10,
  new_method_authorized: false,
  ...of,
})
const view = (of: Partial<TwoFactorFacts> = {}) =>
  twoFactorOf({
    status: status(),
    user: { id: 1, email: 'a@example.com', email_verified_at: 1 },
    emailRefused: null,
    windowClosesAt: null,
    isSmsDisabled: false,
    session: null,
    isSessionLeft: false,
    unfinished: [],
    entryOf: () => null,
    checkedAt: now,
    problem: null,
    isChecking: false,
    now,
    toLocal: (serverMs) => serverMs,
    ...of,
  })

const legacy = { id: 1, email: 'a@example.com', email_verified_at: 1, tfa_status: 'legacy' }

describe('whether it is on is the status’s to say, and whether it is legacy the account’s record’s', () => {
  const enabled = { ...legacy, tfa_status: 'enabled' }
  test.each([
    [status({ tfa_enabled: false, methods: [] }), enabled, 'off'],
    [status(), enabled, 'enabled'],
    [status({ methods: [] }), enabled, 'enabled'],
    [status({ methods: [] }), legacy, 'legacy'],
    [status(), legacy, 'legacy'],
    [status({ methods: [] }), null, 'on'],
    [status(), { id: 1, tfa_status: 'a word of a later version' }, 'on'],
  ] as const)('%j with %j is %s', (of, user, expected) =>
    expect(view({ status: of, user }).status).toBe(expected),
  )
})

test.each([
  [{ id: 1, email: 'a@example.com', email_verified_at: '2026-01-01' }, 'verified'],
  [{ id: 1, email: 'a@example.com', email_verified_at: null }, 'unverified'],
  [{ id: 1, email: '' }, 'missing'],
  [null, 'verified'],
] as const)('the address of %j is %s', (user, expected) => expect(view({ user }).email).toBe(expected))

test('what a refusal told of the address counts more than the record', () => {
  expect(view({ emailRefused: 'unverified' }).email).toBe('unverified')
})

test('a lockout is shown in this machine’s time, and only as long as it lasts', () => {
  const locked = (lockedUntilSeconds: number, toLocal = (ms: number) => ms) =>
    view({ status: status({ methods: [method({ locked_until: lockedUntilSeconds })] }), toLocal }).methods[0]
      ?.lockedUntil
  expect(locked(now / 1000 + 60)).toBe(now + 60_000)
  expect(locked(now / 1000)).toBeNull()
  // This machine's clock is two hours behind the service's.
  expect(locked(now / 1000 + 7200 + 60, (ms) => ms - 7_200_000)).toBe(now + 60_000)
})

test('the window to add methods: its end is known only if this run opened it', () => {
  const open = status({ new_method_authorized: true })
  expect(view({ status: open }).addWindow).toEqual({ kind: 'open', closesAt: null })
  expect(view({ status: open, windowClosesAt: now + 5 }).addWindow).toEqual({
    kind: 'open',
    closesAt: now + 5,
  })
  expect(view({ windowClosesAt: now + 5 }).addWindow).toEqual({ kind: 'closed' })
})

test('a kind of method that is not known is shown, and only TOTP has an entry in the vault', () => {
  const methods = [method({ id: 1, method: 'webauthn' }), method({ id: 2, method: 'sms' }), method({ id: 3 })]
  const shown = view({ status: status({ methods }), entryOf: (id) => `entry-${id}` }).methods
  expect(shown.map(({ kind, kindName, entryId }) => [kind, kindName, entryId])).toEqual([
    ['other', 'webauthn', null],
    ['sms', 'sms', null],
    ['totp', 'totp', 'entry-3'],
  ])
})

test('the primary method is the first, whatever the order of the service', () => {
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(some, fc.nat(), (ids, pick) => {
      const primary = ids[pick % ids.length]
      const methods = ids.map((id) => method({ id, is_primary: id === primary }))
      const shown = view({ status: status({ methods }) }).methods
      expect(shown[0]?.id).toBe(primary)
      expect(shown.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    }),
  )
})

test('codes left are unknown while the service does not say', () => {
  expect(view({ status: status({ backup_codes_remaining: undefined }) }).backupCodesLeft).toBeNull()
  expect(view({ status: status({ backup_codes_remaining: 0 }) }).backupCodesLeft).toBe(0)
})

describe('what to do next, in order', () => {
  const at = now
  test.each([
    ['off', { status: status({ tfa_enabled: false, methods: [] }) }, ['set-up']],
    ['legacy', { status: status({ methods: [] }), user: legacy }, ['upgrade-legacy']],
    [
      'legacy, with a method',
      { status: status({ backup_codes_remaining: 0 }), user: legacy },
      ['renew-codes', 'add-second-method'],
    ],
    [
      'one SMS, address unverified, few codes',
      {
        status: status({ methods: [method({ method: 'sms' })], backup_codes_remaining: 3 }),
        user: { id: 1, email: 'a@example.com' },
      },
      ['verify-email', 'add-totp', 'renew-codes', 'add-second-method'],
    ],
    [
      'codes lost',
      { status: status({ backup_codes_remaining: 0 }), unfinished: [{ kind: 'codes-lost', id: 'x', at }] },
      ['renew-lost-codes', 'add-second-method'],
    ],
    [
      'codes unsaved',
      {
        status: status({ methods: [method(), method({ id: 2, method: 'sms' })] }),
        unfinished: [{ kind: 'codes-unsaved', id: 'x', at }],
      },
      ['save-codes'],
    ],
    [
      'a count that the service does not tell',
      { status: status({ backup_codes_remaining: undefined }) },
      ['add-second-method'],
    ],
    ['nothing', { status: status({ methods: [method(), method({ id: 2, method: 'sms' })] }) }, []],
  ] as const)('%s', (_, facts, expected) => expect(view(facts).improvements).toEqual(expected))
})
