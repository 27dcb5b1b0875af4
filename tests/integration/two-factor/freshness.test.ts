import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createPerson, createTotpPerson, createTotpSmsPerson } from '../simulator/two-factor-person.ts'
import { enrollmentOf, lockTotp } from './procedures.ts'
import { startWorld, until } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

/** A network that can be taken away. */
function network() {
  const line = { isDown: false }
  const refused = (): never => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  }
  return { line, fetch: async (...of: Parameters<typeof fetch>) => (line.isDown ? refused() : fetch(...of)) }
}

test('started with no service: the state is asked for when the account’s record can be had', async () => {
  const { line, fetch } = network()
  line.isDown = true
  const person = createTotpPerson(service)
  const starting = startWorld(service, person, { fetch })
  const world = await starting
  expect(world.twoFactor.state.value.account).toMatchObject({
    kind: 'unknown',
    problem: { kind: 'unreachable' },
  })
  line.isDown = false
  await world.checkAccount()
  await until(() => world.twoFactor.state.value.account.kind === 'known')
  expect(world.known().methods).toHaveLength(1)
})

test('the service was away: what was done elsewhere meanwhile is seen once it is back, asked for once', async () => {
  const { line, fetch } = network()
  const person = createTotpSmsPerson(service)
  const world = await startWorld(service, person, { fetch })
  line.isDown = true
  await world.twoFactor.refresh()
  expect(world.known().problem).toMatchObject({ kind: 'unreachable' })
  await person.ask('POST', '', { backup_code: person.twoFactor.backup_codes[0] })
  await world.checkAccount()
  expect(world.known().backupCodesLeft).toBe(10)
  line.isDown = false
  world.mark()
  await world.checkAccount()
  await until(() => world.known().problem === null && !world.known().isChecking)
  expect(world.known().backupCodesLeft).toBe(9)
  expect(world.requests().filter((each) => each === 'GET tfa/status/')).toHaveLength(1)
})

test('an account that answers, with 2FA that does not, is no reason to ask for ever', async () => {
  const world = await startWorld(service, createTotpPerson(service))
  service.faults.add({ kind: '500', path: '/api/v0/tfa/status/', times: 3 })
  await world.twoFactor.refresh()
  const asked = (): number => world.requests().filter((each) => each === 'GET tfa/status/').length
  const before = asked()
  expect(world.known().problem).not.toBeNull()
  await world.pass(1)
  expect(asked()).toBe(before)
  service.faults.clear()
})

test('a lockout and the window end while the machine sleeps: both are asked for when it wakes', async () => {
  const person = createTotpSmsPerson(service)
  const world = await startWorld(service, person)
  await lockTotp(service, person)
  await enrollmentOf(world, person, 'sms')
  await world.twoFactor.refresh()
  expect(world.known()).toMatchObject({ addWindow: { kind: 'open' } })
  expect(world.known().methods.find(({ kind }) => kind === 'totp')).toMatchObject({ failCount: 5 })
  await world.suspend(3 * 60 * 60)
  await until(() => world.known().addWindow.kind === 'closed' && !world.known().isChecking)
  expect(world.known().methods.find(({ kind }) => kind === 'totp')).toMatchObject({
    failCount: 0,
    lockedUntil: null,
  })
})

test('a page that is opened asks the service and the keychain', async () => {
  const world = await startWorld(service, createPerson(service))
  world.backend.mode = 'locked'
  world.mark()
  await world.twoFactor.refresh()
  expect(world.vault.state.value.kind).toBe('locked')
  expect(world.requests().toSorted()).toEqual(['GET tfa/status/', 'GET users/current/'])
})
