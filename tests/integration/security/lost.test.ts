import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declineWords } from '../../../src-main/domain/security-flow.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  freshTotp,
  moveToFreshStep,
  totp,
  type Person,
} from '../simulator/tfa-person.ts'
import { killable } from './killed.ts'
import { backupCode, enrolFirst, enrolling, methodId } from './procedures.ts'
import { emptyDisk, startWorld, until, type World } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

/** How often the account's holder sent this, over all runs. */
const sent = (method: string, path: string, from: number): number =>
  service
    .journal()
    .slice(from)
    .filter((each) => each.method === method && each.path === `/api/v0/tfa/${path}`).length

/** A code of the vault's entry or set is taken by the service: nothing was lost. */
async function logInByStored(world: World, choice: string): Promise<void> {
  const procedure = await world.begin({ kind: 'log-in', admin: false })
  procedure.verifier.choose(choice)
  // In the middle of a step, so that nothing waits for the next one.
  await moveToFreshStep(service)
  await procedure.verifier.submitStored()
  expect(world.step('done').outcome.kind).toBe('logged-in')
}

/** What must be so after the restart, wherever the first run was killed. */
async function expectNothingLost(world: World): Promise<void> {
  await world.pass(75)
  await moveToFreshStep(service)
  await world.security.refresh()
  const known = world.known()
  const unfinished = known.unfinished.map(({ kind }) => kind)
  if (known.status === 'off') {
    // The secret, if it was made, is in sight and not said to work.
    expect(world.vault.totpList.listed.value.filter(({ state }) => state === 'active')).toEqual([])
    return
  }
  const [method] = known.methods
  expect(method?.entryId).not.toBeNull()
  await logInByStored(world, `method:${method?.id}`)
  if (unfinished.includes('codes-lost') || unfinished.includes('codes-uncertain')) return
  expect(unfinished).toContain('codes-unsaved')
  await logInByStored(world, 'backup-code')
}

describe('killed around confirm-new', () => {
  /** From the entering of the first code to the codes on the screen. */
  async function run(killAt: number | null): Promise<{ readonly steps: number }> {
    const person = createPerson(service)
    const disk = emptyDisk()
    const machine = killable(disk)
    const from = service.journal().length
    const world = await startWorld(service, person, { disk: machine.disk, fetch: machine.fetch })
    const { procedure, secret } = await enrolling(world, person)
    const before = machine.steps()
    if (killAt !== null) machine.killAt(killAt)
    const confirming = procedure.enrolment.confirm(totp(service, secret), 'Desk', false)
    await Promise.race([confirming, machine.killed])
    if (killAt === null) return { steps: machine.steps() - before }
    // Also the wait for somebody to save what is on the screen may be cut short.
    await expectNothingLost(await startWorld(service, person, { disk }))
    expect(sent('POST', 'confirm-new/', from)).toBeLessThanOrEqual(1)
    return { steps: killAt }
  }

  test('at every step: no code is lost, and nothing is sent a second time', async () => {
    const { steps } = await run(null)
    expect(steps).toBeGreaterThan(8)
    for (let killAt = 0; killAt <= steps; killAt += 1) await run(killAt)
  })
})

describe('killed around regenerate', () => {
  async function run(killAt: number | null): Promise<{ readonly steps: number }> {
    const person = createPerson(service)
    const disk = emptyDisk()
    const first = await startWorld(service, person, { disk })
    const { procedure } = await enrolFirst(service, first, person)
    await procedure.gate.finish(declineWords)
    await first.pass(75)
    const machine = killable(disk)
    const world = await startWorld(service, person, { disk: machine.disk, fetch: machine.fetch })
    const from = service.journal().length
    const renewing = await world.begin({ kind: 'regenerate' })
    renewing.proceed('')
    await moveToFreshStep(service)
    const before = machine.steps()
    if (killAt !== null) machine.killAt(killAt)
    const submitting = renewing.verifier.submitStored()
    await Promise.race([submitting, machine.killed])
    if (killAt === null) return { steps: machine.steps() - before }
    const again = await startWorld(service, person, { disk })
    await again.pass(75)
    await again.security.refresh()
    const { unfinished } = again.known()
    expect(sent('PUT', 'regen-backup-codes/', from)).toBeLessThanOrEqual(1)
    // Either the codes of the vault are good, or the user is told that they may not be.
    if (!unfinished.some(({ kind }) => kind === 'codes-uncertain')) await logInByStored(again, 'backup-code')
    return { steps: killAt }
  }

  test('at every step: no code is lost, and nothing is sent a second time', async () => {
    const { steps } = await run(null)
    expect(steps).toBeGreaterThan(8)
    for (let killAt = 0; killAt <= steps; killAt += 1) await run(killAt)
  })
})

describe('a reply that never came', () => {
  test('confirm-new: the account shows that it was done, and new codes are the next thing', async () => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const { procedure, secret } = await enrolling(world, person)
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/confirm-new/' })
    await procedure.enrolment.confirm(totp(service, secret), 'Desk', false)
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
    const { procedure, secret } = await enrolling(world, person)
    service.faults.add({ kind: 'reset-before', path: '/api/v0/tfa/confirm-new/' })
    await procedure.enrolment.confirm(totp(service, secret), 'Desk', false)
    expect(world.step('stopped').why).toMatchObject({ what: 'confirm', happened: false })
    expect(world.known().unfinished).toMatchObject([{ kind: 'confirm-lost' }])
    const again = await world.begin({ kind: 'add', method: 'totp' })
    const shown = await again.enrolment.secret()
    await again.enrolment.confirm(totp(service, shown.secret), 'Desk', false)
    await again.gate.finish(declineWords)
    await world.security.refresh()
    await logInByStored(world, `method:${world.known().methods[0]?.id}`)
    // The first is settled by itself.
    await world.pass(32)
    await until(() => world.vault.totpList.listed.value.some(({ state }) => state === 'orphan'))
    expect(world.known().unfinished).toEqual([])
  })

  test('regenerate: a count that rose to 10 shows that the old codes are void', async () => {
    const person = createTotpPerson(service)
    await person.ask('POST', '', { backup_code: backupCode(person) })
    const world = await startWorld(service, person)
    const procedure = await world.begin({ kind: 'regenerate' })
    procedure.proceed('')
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/regen-backup-codes/' })
    await procedure.verifier.submit(await freshTotp(service, person))
    expect(world.step('stopped').why).toMatchObject({ what: 'regenerate', happened: true })
    expect(world.known().unfinished).toMatchObject([{ kind: 'codes-uncertain', replaced: true }])
    const [left] = world.known().unfinished
    await world.security.dismissUnfinished(left?.id ?? '')
    await until(() => world.known().unfinished.length === 0)
  })

  test('removal: what the account shows decides', async () => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const procedure = await world.begin({ kind: 'remove', methodId: methodId(person, 'totp'), thenAdd: null })
    procedure.proceed('turn off')
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/' })
    await procedure.verifier.submit(await freshTotp(service, person))
    expect(world.step('done').outcome).toEqual({ kind: 'removed', off: true })
  })

  test('a backup code is “maybe used” until the count tells', async () => {
    const person: Person = createPerson(service)
    const world = await startWorld(service, person)
    const { procedure: first } = await enrolFirst(service, world, person)
    await first.gate.finish(declineWords)
    const procedure = await world.begin({ kind: 'log-in', admin: false })
    procedure.verifier.choose('backup-code')
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/' })
    await procedure.verifier.submitStored()
    expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 9, maybeUsed: 1, used: 0 }])
    expect(world.flow().refusal).toMatchObject({ problem: { kind: 'unreachable' } })
    await world.security.refresh()
    expect(world.vault.backupList.listed.value).toMatchObject([{ unused: 9, maybeUsed: 0, used: 1 }])
  })
})
