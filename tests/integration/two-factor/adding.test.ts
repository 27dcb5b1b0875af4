import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declineWords } from '#domain/two-factor/flow.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { settle } from '../../support/fake-clock.ts'
import {
  createPerson,
  createTotpPerson,
  freshTotp,
  OWN_NUMBER,
  totp,
} from '../simulator/two-factor-person.ts'
import { enrollFirst, enrolling } from './procedures.ts'
import { startWorld, until } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

describe('the first method', () => {
  test('TOTP: permission by e-mail, the secret in the vault, codes saved before it is done', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    expect(world.known()).toMatchObject({ status: 'off', improvements: ['set-up'] })
    const guidedFlow = await world.begin({ kind: 'add', method: 'totp' })
    expect(world.flow().path).toEqual(['verify', 'enrol', 'save-codes', 'done'])
    expect(world.step('verify')).toMatchObject({ purpose: 'authorise', chosen: 'email', sent: null })
    expect(world.step('verify').choices.map(({ id }) => id)).toEqual(['email'])

    await guidedFlow.verifier.send()
    expect(world.step('verify').sent).not.toBeNull()
    const typed = person.lastCode('email')
    await guidedFlow.verifier.submit(` ${typed.slice(0, 3)} ${typed.slice(3)} `)
    expect(world.step('enrol-totp')).toMatchObject({ isFirst: true, keptIn: 'keychain' })
    expect(world.vault.totpList.listed.value).toMatchObject([{ state: 'pending' }])

    const shown = await guidedFlow.enrollment.secret()
    expect(shown.uri).toContain(shown.secret)
    expect(shown.picture).toMatch(/^data:image\/svg\+xml/)
    await guidedFlow.enrollment.confirm(totp(service, shown.secret), 'Desk', false)

    const { setId } = world.step('save-codes')
    expect(guidedFlow.gate.codes()).toHaveLength(10)
    expect(await world.vault.backupCodes.codes(setId)).toHaveLength(10)
    expect(world.vault.totpList.listed.value).toMatchObject([{ state: 'active' }])
    expect(() => world.twoFactor.cancel(world.flow().id)).toThrow()
    await expect(guidedFlow.gate.finish('')).rejects.toThrow()
    await world.vault.backupCodes.markSaved(setId, 'print')
    await guidedFlow.gate.finish('')
    expect(world.step('done').outcome).toEqual({ kind: 'added', method: 'totp', label: 'Desk' })
    expect(() => guidedFlow.gate.codes()).toThrow()
    await settle()
    expect(world.known()).toMatchObject({
      status: 'enabled',
      backupCodesLeft: 10,
      improvements: ['add-second-method'],
    })
    expect(world.requests().filter((each) => each === 'POST tfa/totp-setup/')).toHaveLength(1)
  })

  test('declining to save is done in words, and remembered', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow } = await enrollFirst(service, world, person)
    const { setId } = world.step('save-codes')
    await guidedFlow.gate.finish(declineWords)
    expect(world.vault.backupList.listed.value.find(({ id }) => id === setId)?.saved).toBe('declined')
  })

  test('SMS: number, code, codes', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'add', method: 'sms' })
    await guidedFlow.verifier.send()
    await guidedFlow.verifier.submit(person.lastCode('email'))
    guidedFlow.sender.setNumber('202 555')
    expect(world.flow().refusal).toEqual({ kind: 'shape', expected: 'phone-number' })
    guidedFlow.sender.setNumber('+1 (202) 555-0177')
    expect(world.step('enrol-sms').phoneNumber).toBe('+12025550177')
    await guidedFlow.sender.send()
    await guidedFlow.enrollment.confirm(person.lastCode('sms'), 'Phone', false)
    expect(world.step('save-codes').reason).toBe('first-method')
    expect(world.known().methods).toMatchObject([{ kind: 'sms', label: 'Phone', isPrimary: true }])
  })
})

describe('a second method', () => {
  test('permission by a backup code, which is marked as used in the vault', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow: first } = await enrollFirst(service, world, person)
    await first.gate.finish(declineWords)
    await world.pass(31 * 60)
    await world.twoFactor.refresh()
    const guidedFlow = await world.begin({ kind: 'add', method: 'sms' })
    guidedFlow.verifier.choose('backup-code')
    await guidedFlow.verifier.submitStored()
    expect(world.step('enrol-sms')).toMatchObject({ isFirst: false })
    expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 9, maybeUsed: 0, used: 1 }])
    guidedFlow.sender.setNumber(OWN_NUMBER)
    await guidedFlow.sender.send()
    await guidedFlow.enrollment.confirm(person.lastCode('sms'), 'Phone', false)
    expect(world.step('done').outcome).toMatchObject({ kind: 'added', method: 'sms' })
    expect(world.known().addWindow).toMatchObject({ kind: 'open' })
  })

  test('in an open window nothing is verified; its end is known, and it closes by itself', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'add', method: 'sms' })
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    const { addWindow } = world.known()
    expect(addWindow).toMatchObject({
      kind: 'open',
      closesAt: expect.closeTo(service.clock.now() + 30 * 60_000, -4),
    })
    world.twoFactor.cancel(world.flow().id)
    await world.begin({ kind: 'add', method: 'sms' })
    expect(world.step('enrol-sms').phoneNumber).toBeNull()
    await world.pass(29 * 60 + 50)
    expect(world.known().addWindow.kind).toBe('open')
    await world.pass(15)
    await until(() => world.known().addWindow.kind === 'closed')
  })
})

describe('the keychain', () => {
  test('a closed one stops what the service shows once, before the service is asked', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    world.mark()
    for (const [mode, kind] of [
      ['locked', 'keychain-locked'],
      ['broken', 'keychain-unavailable'],
    ] as const) {
      world.backend.mode = mode
      await expect(world.begin({ kind: 'add', method: 'totp' })).rejects.toMatchObject({ problem: { kind } })
    }
    expect(world.requests()).toEqual([])
  })

  test('closed between setting up and confirming: the code is not sent, and goes when it is open', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow, secret } = await enrolling(world, person)
    world.mark()
    world.backend.mode = 'locked'
    await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
    expect(world.flow().refusal).toMatchObject({ problem: { kind: 'keychain-locked' } })
    expect(world.requests()).toEqual([])
    world.backend.mode = 'open'
    await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
    expect(world.step('save-codes').count).toBe(10)
  })

  test('by choice everything is in memory', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    world.backend.mode = 'broken'
    const { flowId } = await world.twoFactor.begin({ kind: 'add', method: 'totp' }, 'memory')
    const guidedFlow = world.twoFactor.guidedFlow(flowId)
    await guidedFlow.verifier.send()
    await guidedFlow.verifier.submit(person.lastCode('email'))
    expect(world.step('enrol-totp').keptIn).toBe('memory')
  })
})

test('no secret that was handled is in the state or the log, and the log was told of each', async () => {
  const person = createPerson(service)
  const world = await startWorld(service, person)
  const { guidedFlow, secret } = await enrollFirst(service, world, person)
  const codes = guidedFlow.gate.codes()
  const seen = JSON.stringify([world.twoFactor.state.value, world.log.lines])
  for (const each of [secret, ...codes]) {
    expect(seen).not.toContain(each)
    expect(world.remembered).toContain(each)
  }
})
