import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  otherThan,
  totp,
} from '../simulator/tfa-person.ts'
import { declineWords } from '../../../src-main/domain/security-flow.ts'
import { choiceOf, enrolFirst, enrolmentOf, lockTotp, refusal, verifying } from './procedures.ts'
import { startWorld, until } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

const hours = 60 * 60_000

describe.each([
  ['right', 0],
  ['two hours ahead', 2 * hours],
  ['two hours behind', -2 * hours],
])('a local clock that is %s', (_, aheadMs) => {
  test('codes of the vault are right', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person, { aheadMs })
    const { procedure } = await enrolFirst(service, world, person)
    await procedure.gate.finish(declineWords)
    await world.pass(75)
    const login = await world.begin({ kind: 'log-in', admin: false })
    const submitting = login.verifier.submitStored()
    await until(() => world.flow().busy === null || world.flow().busy?.kind === 'waiting-for-code')
    await world.pass(31)
    await submitting
    expect(world.step('done').outcome.kind).toBe('logged-in')
  })

  test('a lockout counts down for 15 minutes on it, and is over when the service says so', async () => {
    const { world, procedure, person } = await verifying(service, createTotpSmsPerson(service), { aheadMs })
    await lockTotp(service, person)
    await procedure.verifier.submit(await freshTotp(service, person))
    const until15 = world.known().methods.find(({ kind }) => kind === 'totp')?.lockedUntil ?? 0
    const leftMs = until15 - (service.clock.now() + aheadMs)
    expect(leftMs).toBeGreaterThan(12 * 60_000)
    expect(leftMs).toBeLessThanOrEqual(15 * 60_000 + 2000)
  })
})

test('a code of 9:59 is good, one of 10:00 has expired', async () => {
  for (const [seconds, isGood] of [
    [9 * 60 + 58, true],
    [10 * 60, false],
  ] as const) {
    const { world, procedure, person } = await verifying(service, createTotpSmsPerson(service))
    procedure.verifier.choose(choiceOf(person, 'sms'))
    await procedure.verifier.send()
    await world.pass(seconds)
    await procedure.verifier.submit(person.lastCode('sms'))
    if (isGood) expect(world.step('done').outcome.kind).toBe('logged-in')
    else expect(refusal(world)).toBe('2fa_expired')
  }
})

test('the permission to add lasts for 29:59; at 30:00 a TOTP is kept, and confirmed by a fresh code', async () => {
  for (const [seconds, isOpen] of [
    [30 * 60 - 2, true],
    [30 * 60, false],
  ] as const) {
    const person = createPerson(service, 'multi-sms')
    const world = await startWorld(service, person)
    const procedure = await enrolmentOf(world, person, 'totp')
    const { secret } = await procedure.enrolment.secret()
    await world.pass(seconds)
    await procedure.enrolment.confirm(totp(service, secret), 'Desk', false)
    if (!isOpen) {
      expect(refusal(world)).toBe('authorization_required')
      procedure.verifier.choose('backup-code')
      await procedure.verifier.submit(person.tfa.backup_codes[1] ?? '')
      expect((await procedure.enrolment.secret()).secret).toBe(secret)
      await world.pass(31)
      await procedure.enrolment.confirm(totp(service, secret), 'Desk', false)
    }
    expect(world.step('done').outcome).toMatchObject({ kind: 'added', method: 'totp' })
  }
})

test('a typed code is checked before it is sent: a slip, and a phone whose clock is wrong, are told apart', async () => {
  const person = createPerson(service, 'multi-sms')
  const world = await startWorld(service, person)
  const procedure = await enrolmentOf(world, person, 'totp')
  const { secret } = await procedure.enrolment.secret()
  world.mark()
  await procedure.enrolment.confirm(otherThan(totp(service, secret)), 'Desk', false)
  expect(world.flow().refusal).toEqual({ kind: 'typed-code' })
  await procedure.enrolment.confirm(totp(service, secret, 10), 'Desk', false)
  expect(world.flow().refusal).toMatchObject({ kind: 'typed-code-clock' })
  expect(world.requests()).toEqual([])
  await procedure.enrolment.confirm(totp(service, secret, 10), 'Desk', true)
  expect(refusal(world)).toBe('2fa_verification_failed')
  expect(world.requests()[0]).toBe('POST tfa/confirm-new/')
})

test('with no network the last state stays, with its age, and a procedure keeps what was typed', async () => {
  let isOffline = false
  const offline: typeof fetch = (input, init) =>
    isOffline
      ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }))
      : fetch(input, init)
  const { world, procedure } = await verifying(service, createTotpPerson(service), { fetch: offline })
  isOffline = true
  await procedure.verifier.submit('123456')
  expect(world.flow().refusal).toMatchObject({ kind: 'problem', problem: { kind: 'unreachable' } })
  expect(world.flow().step.kind).toBe('verify')
  await world.security.refresh()
  await until(() => world.known().problem !== null)
  expect(world.known().methods).toHaveLength(1)
})
