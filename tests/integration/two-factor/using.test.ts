import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declineWords, turnOffWords } from '#domain/two-factor/flow.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  OWN_NUMBER,
} from '../simulator/two-factor-person.ts'
import { methodId, choiceOf, backupCode, enrollFirst } from './procedures.ts'
import { startWorld, until } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

describe('log in', () => {
  test('by the code of the vault, never by the same step twice', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow: first } = await enrollFirst(service, world, person)
    await first.gate.finish(declineWords)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    expect(world.step('verify').choices[0]).toMatchObject({ channel: 'totp', stored: { codesLeft: null } })
    const loggingIn = guidedFlow.verifier.submitStored()
    await until(() => world.flow().busy?.kind === 'waiting-for-code')
    expect(world.requests()).not.toContain('POST tfa/')
    await world.pass(31)
    await loggingIn
    expect(world.step('done').outcome).toEqual({
      kind: 'logged-in',
      isAdmin: false,
      keptIn: 'keychain',
      codesLeft: null,
    })
    expect(world.known().session).toMatchObject({ isAdmin: false, keptIn: 'keychain' })
    expect([...world.backend.entries.keys()]).toContainEqual(expect.stringMatching(/^session\//))
  })

  test('the session is used for everything here, outlives a restart, and is dropped when it has ended', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    const again = await world.restart()
    await again.twoFactor.refresh()
    expect(service.journal().findLast(({ path }) => path.endsWith('/tfa/status/'))).toMatchObject({
      session: 'user',
    })
    await again.pass(24 * 60 * 60)
    await again.twoFactor.refresh()
    expect(again.known().session).toBeNull()
    expect(again.known().problem).toBeNull()
    expect([...again.backend.entries.keys()]).not.toContainEqual(expect.stringMatching(/^session\//))
  })

  test('with another key of the account: a procedure goes on where it is, and the session ends with its key', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    guidedFlow.verifier.choose('email')
    await guidedFlow.verifier.send()
    const before = world.step('verify')
    await world.renewKey()
    expect(world.step('verify')).toEqual(before)
    world.mark()
    await guidedFlow.verifier.submit(person.lastCode('email'))
    expect(world.requests().filter((one) => one.startsWith('POST'))).toEqual(['POST tfa/'])
    expect(world.known().session).not.toBeNull()

    await world.renewKey()
    await until(() => world.known().session === null)
    await world.twoFactor.refresh()
    expect(world.known()).toMatchObject({ problem: null, status: 'enabled' })
  })

  test('by e-mail; by SMS of one of two numbers; by a backup code, which tells how many are left', async () => {
    const person = createPerson(service, 'multi-sms')
    const world = await startWorld(service, person)
    const [first, second] = person.twoFactor.methods
    for (const choice of [`method:${first?.id}`, `method:${second?.id}`, 'email']) {
      const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
      guidedFlow.verifier.choose(choice)
      await guidedFlow.verifier.send()
      await guidedFlow.verifier.submit(person.lastCode(choice === 'email' ? 'email' : 'sms'))
      expect(world.step('done').outcome).toMatchObject({ kind: 'logged-in', codesLeft: null })
    }
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    guidedFlow.verifier.choose('backup-code')
    await guidedFlow.verifier.submit(backupCode(person).toLowerCase())
    expect(world.step('done').outcome).toMatchObject({ codesLeft: 9 })
  })

  test('an admin session is for admins', async () => {
    const admin = createPerson(service, 'admin', { twoFactorMethods: [{ method: 'totp' }] })
    const world = await startWorld(service, admin)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: true })
    await guidedFlow.verifier.submit(await freshTotp(service, admin))
    expect(world.known().session).toMatchObject({ isAdmin: true })
    const other = await startWorld(service, createTotpPerson(service))
    await expect(other.begin({ kind: 'log-in', admin: true })).rejects.toMatchObject({
      problem: { kind: 'invalid-input', field: 'admin' },
    })
  })

  test('ending the session brings the API key back', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    await world.twoFactor.endSession()
    await world.twoFactor.refresh()
    expect(world.known().session).toBeNull()
    expect(service.journal().at(-1)).toMatchObject({ session: null })
  })
})

describe('remove', () => {
  test('one of two, verified by the other', async () => {
    const person = createTotpSmsPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'remove', methodId: methodId(person, 'sms'), thenAdd: null })
    expect(world.step('warn').about).toBe('remove')
    guidedFlow.proceed('')
    guidedFlow.verifier.choose(choiceOf(person, 'totp'))
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(world.step('done').outcome).toEqual({ kind: 'removed', off: false })
    expect(world.known().methods).toMatchObject([{ kind: 'totp' }])
  })

  test('one of two while the account’s record can’t be read: only with the words, as it may be a legacy one', async () => {
    const person = createPerson(service, 'legacy', {
      twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: OWN_NUMBER }],
    })
    const world = await startWorld(service, person, {
      fetch: (...request) =>
        String(request[0]).endsWith('/users/current/')
          ? Promise.resolve(new Response('{"error":"forbidden","msg":"no"}', { status: 403 }))
          : fetch(...request),
    })
    expect(world.known()).toMatchObject({ status: 'on', methods: [{}, {}] })
    const guidedFlow = await world.begin({ kind: 'remove', methodId: methodId(person, 'sms'), thenAdd: null })
    expect(world.step('warn').about).toBe('remove-maybe-legacy')
    expect(() => guidedFlow.proceed('')).toThrow()
    guidedFlow.proceed(turnOffWords)
    expect(world.flow().step.kind).toBe('verify')
  })

  test('the last one: only with the words, and then 2FA is off and its secret an orphan', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow: first } = await enrollFirst(service, world, person)
    await first.gate.finish(declineWords)
    const [method] = world.known().methods
    const guidedFlow = await world.begin({ kind: 'remove', methodId: method?.id ?? 0, thenAdd: null })
    expect(world.step('warn').about).toBe('remove-last')
    expect(() => guidedFlow.proceed('yes')).toThrow()
    guidedFlow.proceed(turnOffWords)
    guidedFlow.verifier.choose('backup-code')
    await guidedFlow.verifier.submitStored()
    expect(world.step('done').outcome).toEqual({ kind: 'removed', off: true })
    expect(world.known().status).toBe('off')
    expect(world.vault.totpList.listed.value).toMatchObject([{ state: 'orphan' }])
    expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 0 }])
  })
})

test('new backup codes: the old set goes when the new one is kept', async () => {
  const person = createTotpPerson(service)
  const world = await startWorld(service, person)
  const guidedFlow = await world.begin({ kind: 'regenerate' })
  guidedFlow.proceed('')
  await guidedFlow.verifier.submit(await freshTotp(service, person))
  const codes = guidedFlow.gate.codes()
  expect(codes).toHaveLength(10)
  expect(codes).not.toContain(backupCode(person))
  await guidedFlow.gate.finish(declineWords)
  expect(world.step('done').outcome).toEqual({ kind: 'codes-replaced', upgraded: false, declined: true })
})

describe('a legacy account', () => {
  test('is upgraded by new codes, verified by SMS to the number on file, without any id', async () => {
    const person = createPerson(service, 'legacy')
    const world = await startWorld(service, person)
    expect(world.known()).toMatchObject({ status: 'legacy', methods: [], improvements: ['upgrade-legacy'] })
    const guidedFlow = await world.begin({ kind: 'regenerate' })
    expect(world.step('warn').about).toBe('upgrade-legacy')
    guidedFlow.proceed('')
    expect(world.step('verify').chosen).toBe('legacy-sms')
    await guidedFlow.verifier.send()
    await guidedFlow.verifier.submit(person.lastCode('sms'))
    await guidedFlow.gate.finish(declineWords)
    expect(world.step('done').outcome).toMatchObject({ kind: 'codes-replaced', upgraded: true })
    expect(world.known()).toMatchObject({
      status: 'enabled',
      methods: [{ kind: 'sms' }],
      backupCodesLeft: 10,
    })
    expect(world.requests()).not.toContainEqual(expect.stringMatching(/tfa\/(test|test-submit|resend)\//))
  })

  test('with a method is legacy all the same, and its number on file verifies, too', async () => {
    const person = createPerson(service, 'legacy', { twoFactorMethods: [{ method: 'totp' }] })
    const world = await startWorld(service, person)
    expect(world.known()).toMatchObject({ status: 'legacy', methods: [{ kind: 'totp' }] })
    expect(world.known().improvements).not.toContain('upgrade-legacy')
    await expect(world.begin({ kind: 'remove', methodId: null, thenAdd: null })).rejects.toThrow()
    const login = await world.begin({ kind: 'log-in', admin: false })
    login.verifier.choose('legacy-sms')
    await login.verifier.send()
    await login.verifier.submit(person.lastCode('sms'))
    expect(world.step('done').outcome).toMatchObject({ kind: 'logged-in' })
  })

  test('a login leads to the upgrade; it can be switched off', async () => {
    const person = createPerson(service, 'legacy')
    const world = await startWorld(service, person)
    const login = await world.begin({ kind: 'log-in', admin: false })
    await login.verifier.send()
    await login.verifier.submit(person.lastCode('sms'))
    expect(world.flow().suggestions).toEqual([{ kind: 'regenerate' }])
    const guidedFlow = await world.begin({ kind: 'remove', methodId: null, thenAdd: null })
    guidedFlow.proceed(turnOffWords)
    guidedFlow.verifier.choose('email')
    await guidedFlow.verifier.send()
    await guidedFlow.verifier.submit(person.lastCode('email'))
    expect(world.step('done').outcome).toEqual({ kind: 'removed', off: true })
  })
})

test('label and primary are changed, and the account shows it', async () => {
  const person = createTotpSmsPerson(service)
  const world = await startWorld(service, person)
  const id = methodId(person, 'sms')
  await world.twoFactor.updateMethod(id, { label: 'Pocket', isPrimary: true })
  expect(world.known().methods[0]).toMatchObject({ id, label: 'Pocket', isPrimary: true })
})

describe('sending again', () => {
  test('SMS keeps its secret, e-mail gets a new one, and neither is sent within half a minute', async () => {
    const person = createTotpSmsPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    await guidedFlow.verifier.send()
    expect(world.step('verify').resendAt).not.toBeNull()
    await world.pass(31)
    await guidedFlow.verifier.send()
    expect(world.requests().slice(-2)).toEqual(['POST tfa/sms/', 'POST tfa/sms/resend/'])
    await guidedFlow.verifier.submit(person.lastCode('sms'))
    expect(world.step('done').outcome.kind).toBe('logged-in')
  })
})
