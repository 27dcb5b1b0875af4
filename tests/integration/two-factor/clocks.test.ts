import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  otherThan,
  type Person,
  totp,
} from '../simulator/two-factor-person.ts'
import { declineWords } from '#domain/two-factor/flow.ts'
import { choiceOf, enrollFirst, enrollmentOf, lockTotp, refusal, verifying } from './procedures.ts'
import { startWorld, until } from './world.ts'

/** It stands, and is moved by hand: in the middle of a second, as the replies' Date tells whole ones. */
const standingMs = Math.floor(Date.now() / 1000) * 1000 + 500

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1, machineNow: () => standingMs })
})
afterAll(() => service.close())

const minutes = (count: number, seconds = 0): number => count * 60 + seconds
const hours = 60 * 60_000
/** What the person's phone shows now. */
const totpOf = ({ twoFactor }: Person): string =>
  totp(service, twoFactor.methods.find(({ method }) => method === 'totp')?.secret ?? '')

describe.each([
  ['right', 0],
  ['two hours ahead', 2 * hours],
  ['two hours behind', -2 * hours],
])('a local clock that is %s', (_, aheadMs) => {
  test('codes of the vault are right', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person, { aheadMs })
    const { guidedFlow } = await enrollFirst(service, world, person)
    await guidedFlow.gate.finish(declineWords)
    await world.pass(75)
    const login = await world.begin({ kind: 'log-in', admin: false })
    const submitting = login.verifier.submitStored()
    await until(() => world.flow().busy === null || world.flow().busy?.kind === 'waiting-for-code')
    await world.pass(31)
    await submitting
    expect(world.step('done').outcome.kind).toBe('logged-in')
  })

  test('a code of 9:59 is good, one of 10:00 has expired', async () => {
    for (const [seconds, isGood] of [
      [minutes(9, 59), true],
      [minutes(10), false],
    ] as const) {
      const person = createTotpSmsPerson(service)
      const { world, guidedFlow } = await verifying(service, person, { aheadMs })
      guidedFlow.verifier.choose(choiceOf(person, 'sms'))
      await guidedFlow.verifier.send()
      expect(world.step('verify').sent?.expiresAt).toBe(service.clock.now() + aheadMs + 10 * 60_000)
      await world.pass(seconds)
      await guidedFlow.verifier.submit(person.lastCode('sms'))
      if (isGood) expect(world.step('done').outcome.kind).toBe('logged-in')
      else expect(refusal(world)).toBe('2fa_expired')
    }
  })

  test('a method is locked at 14:59; at 15:00 it is open again', async () => {
    const person = createTotpSmsPerson(service)
    const { world, guidedFlow } = await verifying(service, person, { aheadMs })
    await lockTotp(service, person)
    await guidedFlow.verifier.submit('123456')
    expect(refusal(world)).toBe('tfa_locked')
    // As exactly as replies that tell whole seconds allow.
    const lockedUntil = world.known().methods.find(({ kind }) => kind === 'totp')?.lockedUntil ?? 0
    expect(Math.abs(lockedUntil - (service.clock.now() + aheadMs + 15 * 60_000))).toBeLessThanOrEqual(500)
    await world.pass(minutes(14, 59))
    expect(() => guidedFlow.verifier.choose(choiceOf(person, 'totp'))).toThrow()
    await world.pass(1)
    guidedFlow.verifier.choose(choiceOf(person, 'totp'))
    await guidedFlow.verifier.submit(totpOf(person))
    expect(world.step('done').outcome.kind).toBe('logged-in')
  })

  test('the service is asked again when a lockout is over', async () => {
    const person = createTotpSmsPerson(service)
    await lockTotp(service, person)
    const world = await startWorld(service, person, { aheadMs })
    world.mark()
    await world.pass(minutes(15))
    expect(world.requests()).toEqual([])
    await world.pass(1)
    await until(() => world.known().methods.every(({ failCount }) => failCount === 0))
    await until(() => world.requests().length >= 2)
    expect(world.requests().toSorted()).toEqual(['GET tfa/status/', 'GET users/current/'])
  })

  test('the permission to add lasts for 29:59; at 30:00 a TOTP is kept, and confirmed by a fresh code', async () => {
    for (const [seconds, isOpen] of [
      [minutes(29, 59), true],
      [minutes(30), false],
    ] as const) {
      const person = createPerson(service, 'multi-sms')
      const world = await startWorld(service, person, { aheadMs })
      const guidedFlow = await enrollmentOf(world, person, 'totp')
      const { secret } = await guidedFlow.enrollment.secret()
      await world.pass(seconds)
      await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
      if (!isOpen) {
        expect(refusal(world)).toBe('authorization_required')
        guidedFlow.verifier.choose('backup-code')
        await guidedFlow.verifier.submit(person.twoFactor.backup_codes[1] ?? '')
        expect((await guidedFlow.enrollment.secret()).secret).toBe(secret)
        await world.pass(31)
        await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
      }
      expect(world.step('done').outcome).toMatchObject({ kind: 'added', method: 'totp' })
    }
  })
})

test('a code that was under way while the machine slept has expired, and one click sends another', async () => {
  const person = createTotpSmsPerson(service)
  const { world, guidedFlow } = await verifying(service, person)
  guidedFlow.verifier.choose('email')
  await guidedFlow.verifier.send()
  await world.suspend(minutes(11))
  await guidedFlow.verifier.submit(person.lastCode('email'))
  expect(refusal(world)).toBe('2fa_expired')
  expect(world.step('verify')).toMatchObject({ chosen: 'email', sent: null, resendAt: null })
  await guidedFlow.verifier.send()
  await guidedFlow.verifier.submit(person.lastCode('email'))
  expect(world.step('done').outcome.kind).toBe('logged-in')
})

test('a typed code is checked before it is sent: a slip, and a phone whose clock is wrong, are told apart', async () => {
  const person = createPerson(service, 'multi-sms')
  const world = await startWorld(service, person)
  const guidedFlow = await enrollmentOf(world, person, 'totp')
  const { secret } = await guidedFlow.enrollment.secret()
  world.mark()
  await guidedFlow.enrollment.confirm(otherThan(totp(service, secret)), 'Desk', false)
  expect(world.flow().refusal).toEqual({ kind: 'typed-code' })
  await guidedFlow.enrollment.confirm(totp(service, secret, 10), 'Desk', false)
  expect(world.flow().refusal).toMatchObject({ kind: 'typed-code-clock' })
  expect(world.requests()).toEqual([])
  await guidedFlow.enrollment.confirm(totp(service, secret, 10), 'Desk', true)
  expect(refusal(world)).toBe('2fa_verification_failed')
  expect(world.requests()[0]).toBe('POST tfa/confirm-new/')
})

test('with no network the last state stays, with its age, and a procedure keeps what was typed', async () => {
  let isOffline = false
  const offline: typeof fetch = (input, init) =>
    isOffline
      ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }))
      : fetch(input, init)
  const { world, guidedFlow } = await verifying(service, createTotpPerson(service), { fetch: offline })
  isOffline = true
  await guidedFlow.verifier.submit('123456')
  expect(world.flow().refusal).toMatchObject({ kind: 'problem', problem: { kind: 'unreachable' } })
  expect(world.flow().step.kind).toBe('verify')
  await world.twoFactor.refresh()
  await until(() => world.known().problem !== null)
  expect(world.known().methods).toHaveLength(1)
})
