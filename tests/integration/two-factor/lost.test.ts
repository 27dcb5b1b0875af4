import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { declineWords, type FlowGoal } from '#domain/two-factor/flow.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  moveToFreshStep,
  otherThan,
  totp,
  type Person,
} from '../simulator/two-factor-person.ts'
import {
  backupCode,
  choiceOf,
  enrollFirst,
  enrolling,
  logInByStored,
  methodId,
  refusal,
  verifying,
} from './procedures.ts'
import { memoryIndex } from '../../unit/vault/memory-index.ts'
import { emptyDisk, startWorld, until, type World } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterEach(() => service.faults.clear())
afterAll(() => service.close())

describe('a reply that never came', () => {
  test('confirm-new: the account shows that it was done, and new codes are the next thing', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow, secret } = await enrolling(world, person)
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/confirm-new/' })
    await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
    expect(world.step('stopped').why).toMatchObject({ kind: 'reply-lost', what: 'confirm', happened: true })
    expect(world.flow().suggestions).toEqual([{ kind: 'regenerate' }])
    expect(world.known().unfinished).toMatchObject([{ kind: 'codes-lost' }])
    expect(world.known().methods[0]?.entryId).not.toBeNull()
    await world.pass(75)
    const renewing = await world.begin({ kind: 'regenerate' })
    renewing.proceed('')
    await moveToFreshStep(service)
    await renewing.verifier.submitStored()
    await renewing.gate.finish(declineWords)
    await until(() => world.known().unfinished.length === 0)
  })

  test('confirm-new, and once more: the method is that of the second secret, whatever is asked in between', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow, secret } = await enrolling(world, person)
    service.faults.add({ kind: 'reset-before', path: '/api/v0/tfa/confirm-new/' })
    await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
    expect(world.step('stopped').why).toMatchObject({ what: 'confirm', happened: false })
    expect(world.known().unfinished).toMatchObject([{ kind: 'confirm-lost' }])
    const again = await world.begin({ kind: 'add', method: 'totp' })
    const shown = await again.enrollment.secret()
    await again.enrollment.confirm(totp(service, shown.secret), 'Desk', false)
    await again.gate.finish(declineWords)
    await world.twoFactor.refresh()
    await logInByStored(service, world, `method:${world.known().methods[0]?.id}`)
    // The first is settled by itself.
    await world.pass(32)
    await until(() => world.vault.totpList.listed.value.some(({ state }) => state === 'orphan'))
    await until(() => world.known().unfinished.length === 0)
  })

  test('regenerate: a count that rose to 10 shows that the old codes are void', async () => {
    const person = createTotpPerson(service)
    await person.ask('POST', '', { backup_code: backupCode(person) })
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'regenerate' })
    guidedFlow.proceed('')
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/regen-backup-codes/' })
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(world.step('stopped').why).toMatchObject({ what: 'regenerate', happened: true })
    expect(world.known().unfinished).toMatchObject([{ kind: 'codes-uncertain', replaced: true }])
    const [left] = world.known().unfinished
    await world.twoFactor.dismissUnfinished(left?.id ?? '')
    await until(() => world.known().unfinished.length === 0)
  })

  test('regenerate: codes that cannot be kept are settled at once, and told', async () => {
    const person = createTotpPerson(service)
    await person.ask('POST', '', { backup_code: backupCode(person) })
    const index = memoryIndex()
    const disk = { ...emptyDisk(), index: { ...index, write: () => Promise.reject(new Error('a fault')) } }
    const world = await startWorld(service, person, { disk })
    const guidedFlow = await world.begin({ kind: 'regenerate' })
    guidedFlow.proceed('')
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(world.flow().refusal).toMatchObject({ problem: { kind: 'unexpected' } })
    expect(world.known().unfinished).toMatchObject([{ kind: 'codes-uncertain', replaced: true }])
    expect(disk.pendingSteps.value.open).toEqual([])
  })

  test('removal: what the account shows decides', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({
      kind: 'remove',
      methodId: methodId(person, 'totp'),
      thenAdd: null,
    })
    guidedFlow.proceed('turn off')
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/' })
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(world.step('done').outcome).toEqual({ kind: 'removed', off: true })
  })

  test('a backup code is “maybe used” until the count tells', async () => {
    const person: Person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow: first } = await enrollFirst(service, world, person)
    await first.gate.finish(declineWords)
    const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
    guidedFlow.verifier.choose('backup-code')
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/' })
    await guidedFlow.verifier.submitStored()
    expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 9, maybeUsed: 1, used: 0 }])
    expect(world.flow().refusal).toMatchObject({ problem: { kind: 'unreachable' } })
    await world.twoFactor.refresh()
    expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 9, maybeUsed: 0, used: 1 }])
  })
})

describe('a code whose reply was lost', () => {
  test('of an authenticator is not sent a second time, in another procedure either', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const first = await world.begin({ kind: 'regenerate' })
    first.proceed('')
    const code = await freshTotp(service, person)
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/regen-backup-codes/' })
    await first.verifier.submit(code)
    expect(world.step('stopped').why).toMatchObject({ what: 'regenerate' })
    const again = await world.begin({ kind: 'regenerate' })
    again.proceed('')
    world.mark()
    await again.verifier.submit(code)
    expect(world.flow().refusal).toEqual({ kind: 'same-code' })
    expect(world.requests()).toEqual([])
    await again.verifier.submit(await freshTotp(service, person))
    expect(world.step('save-codes').reason).toBe('regenerate')
  })

  test.each(['sms', 'email'] as const)(
    'by %s is sent a second time only when the user says so',
    async (channel) => {
      const person = createTotpSmsPerson(service)
      const { world, guidedFlow } = await verifying(service, person)
      guidedFlow.verifier.choose(channel === 'sms' ? choiceOf(person, 'sms') : 'email')
      await guidedFlow.verifier.send()
      const code = person.lastCode(channel)
      // One that was answered is no question: it's wrong, and counts as that.
      await guidedFlow.verifier.submit(otherThan(code))
      await guidedFlow.verifier.submit(otherThan(code))
      expect(refusal(world)).toBe('2fa_login_failed')
      service.faults.add({ kind: 'reset-before', method: 'POST', path: '/api/v0/tfa/' })
      await guidedFlow.verifier.submit(code)
      expect(world.flow().refusal).toMatchObject({ problem: { kind: 'unreachable' } })
      world.mark()
      await guidedFlow.verifier.submit(code)
      expect(world.flow().refusal).toEqual({ kind: 'maybe-used-code' })
      expect(world.requests()).toEqual([])
      await guidedFlow.verifier.submit(code, true)
      expect(world.step('done').outcome).toMatchObject({ kind: 'logged-in' })
    },
  )

  test('by sms is still asked for after a try whose request the service didn’t understand', async () => {
    const person = createTotpSmsPerson(service)
    const { world, guidedFlow } = await verifying(service, person)
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    await guidedFlow.verifier.send()
    const code = person.lastCode('sms')
    service.faults.add(
      { kind: 'reset-before', method: 'POST', path: '/api/v0/tfa/' },
      { kind: 'refused', method: 'POST', path: '/api/v0/tfa/', error: 'bad_request' },
    )
    await guidedFlow.verifier.submit(code)
    await guidedFlow.verifier.submit(code, true)
    expect(refusal(world)).toBe('bad_request')
    expect(world.flow().refusal).toMatchObject({ isAfterLoss: true })
    world.mark()
    await guidedFlow.verifier.submit(code)
    expect(world.flow().refusal).toEqual({ kind: 'maybe-used-code' })
    expect(world.requests()).toEqual([])
    // A verdict on the code is one: it may be tried as any other.
    service.faults.add({ kind: 'refused', method: 'POST', path: '/api/v0/tfa/', error: '2fa_login_failed' })
    await guidedFlow.verifier.submit(code, true)
    await guidedFlow.verifier.submit(code)
    expect(world.step('done').outcome).toMatchObject({ kind: 'logged-in' })
  })

  test('by sms is still asked for after a try that never got there', async () => {
    const person = createTotpSmsPerson(service)
    let isOffline = false
    const { world, guidedFlow } = await verifying(service, person, {
      fetch: (...request) =>
        isOffline
          ? Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))
          : fetch(...request),
    })
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    await guidedFlow.verifier.send()
    const code = person.lastCode('sms')
    service.faults.add({ kind: 'reset-before', method: 'POST', path: '/api/v0/tfa/' })
    await guidedFlow.verifier.submit(code)
    isOffline = true
    await guidedFlow.verifier.submit(code, true)
    expect(world.flow().refusal).toMatchObject({ problem: { kind: 'unreachable', cause: 'refused' } })
    isOffline = false
    world.mark()
    await guidedFlow.verifier.submit(code)
    expect(world.flow().refusal).toEqual({ kind: 'maybe-used-code' })
    expect(world.requests()).toEqual([])
  })
})

describe('a backup code', () => {
  /** A person whose ten codes are in the vault. */
  async function withCodes(): Promise<World> {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { guidedFlow } = await enrollFirst(service, world, person)
    await guidedFlow.gate.finish(declineWords)
    return world
  }

  async function verifyByStoredCode(world: World, goal: FlowGoal): Promise<void> {
    const guidedFlow = await world.begin(goal)
    if (world.flow().step.kind === 'warn') guidedFlow.proceed('turn off')
    guidedFlow.verifier.choose('backup-code')
    await guidedFlow.verifier.submitStored()
  }

  const states = (world: World) =>
    world.vault.backupList.listed.value.map(({ unused, maybeUsed, used }) => ({ unused, maybeUsed, used }))

  test('is good still when the account shows that a lost renewal of the codes was not done', async () => {
    const world = await withCodes()
    await logInByStored(service, world, 'backup-code')
    await world.twoFactor.refresh()
    expect(states(world)).toEqual([{ unused: 9, maybeUsed: 0, used: 1 }])
    service.faults.add({ kind: 'reset-before', path: '/api/v0/tfa/regen-backup-codes/' })
    await verifyByStoredCode(world, { kind: 'regenerate' })
    expect(world.step('stopped').why).toMatchObject({ kind: 'reply-lost', happened: false })
    expect(states(world)).toEqual([{ unused: 9, maybeUsed: 0, used: 1 }])
  })

  test('may be used while the account cannot be asked what became of a removal', async () => {
    const world = await withCodes()
    service.faults.add(
      { kind: 'reset-before', method: 'DELETE', path: '/api/v0/tfa/' },
      { kind: 'reset-before', method: 'GET', path: '/api/v0/tfa/status/', times: 9 },
    )
    await verifyByStoredCode(world, {
      kind: 'remove',
      methodId: world.known().methods[0]?.id ?? null,
      thenAdd: null,
    })
    service.faults.clear()
    expect(world.step('stopped').why).toMatchObject({ kind: 'reply-lost', happened: null })
    expect(states(world)).toEqual([{ unused: 9, maybeUsed: 1, used: 0 }])
    await world.twoFactor.refresh()
    expect(states(world)).toEqual([{ unused: 10, maybeUsed: 0, used: 0 }])
  })
})

test('new codes that come when the account was signed out are kept all the same', async () => {
  const person = createTotpPerson(service)
  let onReply = (): Promise<void> => Promise.resolve()
  const world = await startWorld(service, person, {
    fetch: async (input, init) => {
      const reply = await fetch(input, init)
      if (init?.method === 'PUT') await onReply()
      return reply
    },
  })
  onReply = () => world.signOut()
  const guidedFlow = await world.begin({ kind: 'regenerate' })
  guidedFlow.proceed('')
  await guidedFlow.verifier.submit(await freshTotp(service, person))
  expect(world.twoFactor.state.value.flow).toBeNull()
  const [set] = world.vault.backupList.listed.value
  expect(set).toMatchObject({ account: { userId: expect.any(Number) }, unused: 10, keptIn: 'keychain' })
  const [code = { code: '' }] = await world.vault.backupCodes.codes(set?.id ?? '')
  expect((await person.ask('POST', '', { backup_code: code.code })).status).toBe(200)
})
