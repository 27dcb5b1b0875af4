import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { declineWords } from '#domain/two-factor/flow.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { refuseOnce } from '../../support/refuse-once.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
} from '../simulator/two-factor-person.ts'
import { choiceOf, enrollFirst, methodId, refusal, verifying } from './procedures.ts'
import { startWorld, until } from './world.ts'

/** What a refusal told stays known for the run, and what was not used is not given up. */

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterEach(() => service.faults.clear())
afterAll(() => service.close())

test('a method that must be set up again is not what its removal is verified by', async () => {
  const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
  service.twoFactor.happenTo(person.key, { totp_secret: 'unreadable' })
  await guidedFlow.verifier.submit(await freshTotp(service, person))
  expect(refusal(world)).toBe('tfa_method_not_configured')
  const [goal] = world.flow().suggestions
  if (goal === undefined) throw new Error('nothing is suggested')
  const removing = await world.begin(goal)
  removing.proceed('')
  expect(world.step('verify').chosen).toBe(choiceOf(person, 'sms'))
  await removing.verifier.send()
  await removing.verifier.submit(person.lastCode('sms'))
  expect(world.step('done').outcome).toEqual({ kind: 'removed', off: false })
  expect(world.flow().suggestions).toEqual([{ kind: 'add', method: 'totp' }])
})

test.each(['sms_blocked_number', 'preauth_phone_cap'] as const)(
  'a method whose number is refused by %s is not tried again in this run',
  async (code) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    const id = choiceOf(person, 'sms')
    guidedFlow.verifier.choose(id)
    refuseOnce(service, 'POST', 'tfa/sms/', code, code === 'preauth_phone_cap' ? 429 : 400)
    await guidedFlow.verifier.send()
    expect(refusal(world)).toBe(code)
    world.mark()
    await expect(guidedFlow.verifier.send()).rejects.toMatchObject({ problem: { field: 'choiceId' } })
    const again = await world.begin({ kind: 'log-in', admin: false })
    expect(() => again.verifier.choose(id)).toThrow()
    expect(world.step('verify').choices.find((each) => each.id === id)?.block).toEqual({
      kind: 'number-refused',
    })
    expect(world.requests()).toEqual([])
  },
)

test('with an unverified address no number can be added, but by an admin; an authenticator can', async () => {
  const options = { emailVerified: false, twoFactorMethods: [{ method: 'totp' }] } as const
  const world = await startWorld(service, createPerson(service, 'default', options))
  world.mark()
  await expect(world.begin({ kind: 'add', method: 'sms' })).rejects.toMatchObject({
    problem: { code: 'email_not_verified' },
  })
  expect(world.requests()).toEqual([])
  await world.begin({ kind: 'add', method: 'totp' })
  expect(world.step('verify').choices[0]?.block).toBeNull()
  const admin = await startWorld(service, createPerson(service, 'admin', options))
  await admin.begin({ kind: 'add', method: 'sms' })
  expect(admin.flow().step.kind).toBe('verify')
})

test('a session whose key is refused in other words is over, too, and the API key is used again', async () => {
  const person = createTotpPerson(service)
  const world = await startWorld(service, person)
  const login = await world.begin({ kind: 'log-in', admin: false })
  await login.verifier.submit(await freshTotp(service, person))
  expect(world.known().session).not.toBeNull()
  service.faults.add({ kind: 'refused', path: '/api/v0/tfa/status/', status: 401, error: 'unauthorized' })
  await world.twoFactor.refresh()
  await until(() => world.known().session === null)
  const lastAsked = () => service.journal().findLast(({ path }) => path === '/api/v0/tfa/status/')
  await until(() => lastAsked()?.session === null)
  expect(lastAsked()).toMatchObject({ status: 200 })
  await until(() => world.known().problem === null)
})

test('a backup code that certainly did not arrive stays unused', async () => {
  let isOffline = false
  const person = createPerson(service)
  const world = await startWorld(service, person, {
    fetch: (...request) =>
      isOffline ? Promise.reject(new TypeError('net::ERR_CONNECTION_REFUSED')) : fetch(...request),
  })
  const { guidedFlow: first } = await enrollFirst(service, world, person)
  await first.gate.finish(declineWords)
  const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
  guidedFlow.verifier.choose('backup-code')
  isOffline = true
  await guidedFlow.verifier.submitStored()
  expect(world.flow().refusal).toMatchObject({ problem: { kind: 'unreachable', cause: 'refused' } })
  expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 10, maybeUsed: 0, used: 0 }])
})

test('any other refusal is told in the service’s own words, logged, and not repeated', async () => {
  const { world, guidedFlow, person } = await verifying(service, createTotpPerson(service))
  service.faults.add({ kind: 'refused', method: 'POST', path: '/api/v0/tfa/', error: 'of_tomorrow' })
  world.mark()
  await guidedFlow.verifier.submit(await freshTotp(service, person))
  expect(world.flow().refusal).toEqual({
    kind: 'problem',
    problem: { kind: 'refused', status: 400, code: 'of_tomorrow', message: 'Refused' },
    isAfterLoss: false,
  })
  expect(world.requests()).toEqual(['POST tfa/'])
  expect(JSON.stringify(world.log.lines)).toContain('of_tomorrow')
  expect(methodId(person, 'totp')).toBe(world.known().methods[0]?.id)
})
