import { expect, test } from 'vitest'
import { SecretVisibility } from '#services/vault/secret-visibility.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'

function setUp() {
  const clock = new FakeClock()
  const protection: boolean[] = []
  const user = { idleMs: 0 }
  const screen = new SecretVisibility({
    clock,
    protect: (isOn) => protection.push(isOn),
    idleMs: () => user.idleMs,
    isLocked: () => false,
    hideAfterMs: () => 300_000,
  })
  return { clock, protection, user, screen }
}

test('the window is kept out of screenshots from the first secret to the last', () => {
  const { screen, protection } = setUp()
  const releaseOne = screen.hold()
  const releaseOther = screen.hold()
  releaseOne()
  releaseOne()
  expect(protection).toEqual([true])
  releaseOther()
  expect(protection).toEqual([true, false])
})

test('a system that cannot do that says so', () => {
  const { clock } = setUp()
  const screen = new SecretVisibility({
    clock,
    protect: null,
    idleMs: () => 0,
    isLocked: () => false,
    hideAfterMs: () => 1,
  })
  screen.hold()()
  expect(screen.state.value).toEqual({ hiddenBy: null, canProtect: false })
})

test('what is shown is hidden when nobody has touched the computer for long enough', async () => {
  const { screen, clock, user } = setUp()
  const end = new AbortController()
  const following = screen.follow(end.signal)
  user.idleMs = 300_000
  await clock.advance(5_000)
  expect(screen.state.value.hiddenBy).toBeNull()
  const release = screen.hold()
  user.idleMs = 299_999
  await clock.advance(5_000)
  expect(screen.state.value.hiddenBy).toBeNull()
  user.idleMs = 300_000
  await clock.advance(5_000)
  expect(screen.state.value.hiddenBy).toBe('idle')
  release()
  end.abort()
  await following
})

test('the first reason for hiding stays until secrets are shown again', () => {
  const { screen } = setUp()
  screen.hide('screen-lock')
  screen.hide('suspend')
  expect(screen.state.value.hiddenBy).toBe('screen-lock')
  screen.show()
  expect(screen.state.value.hiddenBy).toBeNull()
})

test('who has typed a secret while others were hidden is told of each reason, and of idleness once', async () => {
  const { screen, clock, user } = setUp()
  const end = new AbortController()
  const told: unknown[] = []
  const watching = (async () => {
    for await (const { hiddenBy } of screen.watch(end.signal)) told.push(hiddenBy)
  })()
  const following = screen.follow(end.signal)
  await settle()
  screen.hide('suspend')
  await settle()
  screen.hide('screen-lock')
  await settle()
  expect(told).toEqual([null, 'suspend', 'suspend'])
  user.idleMs = 400_000
  await clock.advance(5_000)
  await clock.advance(5_000)
  expect(told).toHaveLength(4)
  end.abort()
  await Promise.all([following, watching])
})

test('a secret is shown for its time and then ends', async () => {
  const { screen, clock, protection } = setUp()
  const shown = screen.showFor(60_000, async () => ({ key: 'canary' }))
  await expect(shown.next()).resolves.toMatchObject({
    value: { kind: 'shown', key: 'canary', endsAtMs: clock.now() + 60_000 },
  })
  expect(protection).toEqual([true])
  const next = shown.next()
  await clock.advance(60_000)
  await expect(next).resolves.toEqual({ done: false, value: { kind: 'ended', by: 'time' } })
  await expect(shown.next()).resolves.toMatchObject({ done: true })
  expect(protection).toEqual([true, false])
})

test('hiding ends it at once, and while it is hidden nothing is read', async () => {
  const { screen } = setUp()
  const shown = screen.showFor(60_000, async () => ({ key: 'canary' }))
  await shown.next()
  const next = shown.next()
  await settle()
  screen.hide('suspend')
  await expect(next).resolves.toMatchObject({ value: { kind: 'ended', by: 'suspend' } })
  const refused = screen.showFor(60_000, () => Promise.reject(new Error('read although hidden')))
  await expect(refused.next()).resolves.toMatchObject({ value: { kind: 'ended', by: 'suspend' } })
})

test('what was hidden while the keychain was asked does not come to be shown', async () => {
  const { screen } = setUp()
  const keychain = Promise.withResolvers<{ key: string }>()
  const next = screen.showFor(60_000, () => keychain.promise).next()
  screen.hide('screen-lock')
  keychain.resolve({ key: 'canary' })
  await expect(next).resolves.toEqual({ done: false, value: { kind: 'ended', by: 'screen-lock' } })
})

test('who leaves, or cannot read it, gives up the protection', async () => {
  const { screen, protection } = setUp()
  const left = new AbortController()
  const shown = screen.showFor(60_000, async () => ({ key: 'canary' }), left.signal)
  await shown.next()
  const next = shown.next()
  await settle()
  left.abort()
  await expect(next).resolves.toMatchObject({ done: true })
  await expect(screen.showFor(1, () => Promise.reject(new Error('locked'))).next()).rejects.toThrow('locked')
  expect(protection).toEqual([true, false, true, false])
})
