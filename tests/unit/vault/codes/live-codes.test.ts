import { describe, expect, test } from 'vitest'
import { LiveCodes } from '#services/vault/codes/live-codes.ts'
import { codeOfStep } from '#services/vault/codes/one-time-code.ts'
import { SecretVisibility } from '#services/vault/secret-visibility.ts'
import { Latest } from '#domain/base/latest.ts'
import type { ClockState, VaultCodes } from '#domain/vault/vault-view.ts'
import { settle } from '../../../support/fake-clock.ts'
import { setUpVault } from '../set-up-vault.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const parameters = { algorithm: 'sha1', digits: 6, period: 30 } as const
const entry = { issuer: 'Example', label: 'ada', secret, parameters, uri: null }

function setUp() {
  const world = setUpVault()
  const { vault, clock, backend } = world
  const screen = new SecretVisibility({
    clock,
    protect: null,
    idleMs: () => 0,
    isLocked: () => false,
    hideAfterMs: () => 1,
  })
  const offset = { ms: 0 }
  const clockState = new Latest<ClockState>({ kind: 'unchecked', lastCheckedAtMs: null })
  const watch = new LiveCodes({
    entries: vault.totpList.listed,
    maker: (id) => vault.totp.maker(id),
    keychain: vault.state,
    screen,
    clock,
    correctedClock: {
      now: () => clock.now() + offset.ms,
      toLocal: (trueMs) => trueMs - offset.ms,
      state: clockState,
    },
  })
  const end = new AbortController()
  const pushes: VaultCodes[] = []
  const look = async () => {
    const looking = (async () => {
      for await (const codes of watch.watch(end.signal)) pushes.push(codes)
    })()
    await settle()
    return { leave: async () => (end.abort(), looking) }
  }
  const reads = () => backend.calls.filter((call) => call.startsWith('get totp/')).length
  return { ...world, screen, offset, clockState, watch, pushes, look, reads }
}

describe('codes', () => {
  test('come once for each step, with the times at which they begin and end', async () => {
    const { vault, clock, pushes, look, reads } = setUp()
    const { id } = await vault.totp.add(entry, 'keychain')
    const { leave } = await look()
    const startsAtMs = clock.now()
    const code = (step: number) => ({
      kind: 'code',
      id,
      code: codeOfStep({ secret, parameters }, Math.floor(startsAtMs / 30_000) + step),
      startsAtMs: startsAtMs + step * 30_000,
      endsAtMs: startsAtMs + (step + 1) * 30_000,
      isUsed: false,
    })
    const before = reads()
    await clock.advance(65_000)
    expect(pushes).toEqual([0, 1, 2].map((step) => ({ kind: 'shown', codes: [code(step)] })))
    // The keychain is asked when somebody begins to look, not at each step.
    expect(reads()).toBe(before)
    await leave()
  })

  test('go by the true time, while their times are the local clock’s', async () => {
    const { vault, clock, pushes, look, offset, clockState } = setUp()
    await vault.totp.add(entry, 'keychain')
    const { leave } = await look()
    offset.ms = 7_210_000
    clockState.set({ kind: 'checked', offsetMs: 7_210_000, errorMs: 1, checkedAtMs: 0, isWrong: true })
    await settle()
    expect(pushes.at(-1)).toMatchObject({
      codes: [
        {
          code: codeOfStep({ secret, parameters }, Math.floor((clock.now() + 7_210_000) / 30_000)),
          endsAtMs: clock.now() + 20_000,
        },
      ],
    })
    await leave()
  })

  test('say when they were sent already', async () => {
    const { vault, pushes, look } = setUp()
    const { id } = await vault.totp.add(entry, 'keychain')
    const { leave } = await look()
    await vault.totp.codeFor(id, {})
    await expect.poll(() => pushes.at(-1)).toMatchObject({ codes: [{ isUsed: true }] })
    await leave()
  })

  test('leave the screen when secrets are hidden, and come back when they are shown', async () => {
    const { vault, pushes, look, screen } = setUp()
    await vault.totp.add(entry, 'keychain')
    const { leave } = await look()
    screen.hide('screen-lock')
    await settle()
    expect(pushes.at(-1)).toEqual({ kind: 'hidden', by: 'screen-lock' })
    screen.show()
    await expect.poll(() => pushes.at(-1)?.kind).toBe('shown')
    await leave()
  })

  test('go when the keychain is locked, and say why; those in memory stay', async () => {
    const { vault, pushes, look, backend } = setUp()
    const { id } = await vault.totp.add(entry, 'keychain')
    const inMemory = await vault.totp.add(entry, 'memory')
    const { leave } = await look()
    backend.mode = 'locked'
    await vault.check()
    await expect
      .poll(() => pushes.at(-1))
      .toMatchObject({
        codes: [
          { kind: 'none', id, trouble: 'locked' },
          { kind: 'code', id: inMemory.id },
        ],
      })
    backend.mode = 'open'
    await vault.check()
    await expect.poll(() => pushes.at(-1)).toMatchObject({ codes: [{ kind: 'code' }, { kind: 'code' }] })
    backend.entries.delete(`totp/${id}`)
    await vault.totp.rename(id, { issuer: 'Other', label: 'name' })
    await expect
      .poll(() => pushes.at(-1))
      .toMatchObject({ codes: [{ kind: 'none', trouble: 'missing' }, {}] })
    await leave()
  })

  test('of an entry that is added or removed come and go', async () => {
    const { vault, pushes, look } = setUp()
    const { leave } = await look()
    expect(pushes).toEqual([{ kind: 'shown', codes: [] }])
    const { id } = await vault.totp.add(entry, 'keychain')
    await expect.poll(() => pushes.at(-1)).toMatchObject({ codes: [{ id }] })
    await vault.totp.remove(id, false)
    await expect.poll(() => pushes.at(-1)).toEqual({ kind: 'shown', codes: [] })
    await leave()
  })
})

test('nobody who looks later sees what was there before', async () => {
  const { vault, watch, look, backend, pushes } = setUp()
  await vault.totp.add(entry, 'keychain')
  const { leave } = await look()
  await leave()
  expect(pushes.at(-1)).toMatchObject({ codes: [{ kind: 'code' }] })
  backend.mode = 'locked'
  const later = watch.watch()
  await expect(later.next()).resolves.toMatchObject({
    value: { codes: [{ kind: 'none', trouble: 'locked' }] },
  })
  await later.return()
})
