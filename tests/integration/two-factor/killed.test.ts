import { afterAll, beforeAll, expect, test } from 'vitest'
import { declineWords } from '#domain/two-factor/flow.ts'
import type { FixtureName } from '../../simulator/accounts.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createPerson, moveToFreshStep, totp, type Person } from '../simulator/two-factor-person.ts'
import { killable } from './killed.ts'
import { expectNothingLost, verifyBySent } from './nothing-lost.ts'
import { enrollFirst, enrolling } from './procedures.ts'
import { type Disk, emptyDisk, startWorld, type World } from './world.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

let numbers = 0
/** The service takes each only so often. */
const freshNumber = (): string => `+1415555${String((numbers += 1)).padStart(4, '0')}`

/** Something that the service shows once, and how it is come to. */
interface Scene {
  readonly fixture?: FixtureName
  /** What is done before the run that is killed. */
  readonly before?: (person: Person, disk: Disk) => Promise<void>
  /** Up to the last press; it answers with what that does. */
  readonly prepare: (world: World, person: Person) => Promise<() => Promise<void>>
  /** The one request that may not be sent twice. */
  readonly request: readonly [method: string, path: string]
}

const scenes: Readonly<Record<string, Scene>> = {
  'confirm-new of an authenticator': {
    prepare: async (world, person) => {
      const { guidedFlow, secret } = await enrolling(world, person)
      return () => guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
    },
    request: ['POST', 'confirm-new/'],
  },
  'confirm-new of a phone number': {
    prepare: async (world, person) => {
      const guidedFlow = await world.begin({ kind: 'add', method: 'sms' })
      await verifyBySent(guidedFlow, person, 'email')
      guidedFlow.sender.setNumber(freshNumber())
      await guidedFlow.sender.send()
      return () => guidedFlow.enrollment.confirm(person.lastCode('sms'), 'Phone', false)
    },
    request: ['POST', 'confirm-new/'],
  },
  'new codes': {
    before: async (person, disk) => {
      const world = await startWorld(service, person, { disk })
      const { guidedFlow } = await enrollFirst(service, world, person)
      await guidedFlow.gate.finish(declineWords)
      await world.pass(75)
    },
    prepare: async (world) => {
      const guidedFlow = await world.begin({ kind: 'regenerate' })
      guidedFlow.proceed('')
      await moveToFreshStep(service)
      return () => guidedFlow.verifier.submitStored()
    },
    request: ['PUT', 'regen-backup-codes/'],
  },
  'the upgrade of a legacy account': {
    fixture: 'legacy',
    prepare: async (world, person) => {
      const guidedFlow = await world.begin({ kind: 'regenerate' })
      guidedFlow.proceed('')
      await guidedFlow.verifier.send()
      return () => guidedFlow.verifier.submit(person.lastCode('sms'))
    },
    request: ['PUT', 'regen-backup-codes/'],
  },
}

test.each(Object.entries(scenes))(
  'killed at every step around %s: no code is lost, nothing is sent twice, and what is said to be done works',
  async (_, scene) => {
    const steps = await run(scene, null)
    expect(steps).toBeGreaterThan(5)
    for (let killAt = 0; killAt <= steps; killAt += 1) await run(scene, killAt)
  },
)

/** Answers with the number of steps at which it can be killed. */
async function run(
  { fixture = 'default', before, prepare, request: [method, path] }: Scene,
  killAt: number | null,
): Promise<number> {
  const person = createPerson(service, fixture)
  const disk = emptyDisk()
  await before?.(person, disk)
  const machine = killable(disk)
  const world = await startWorld(service, person, { disk: machine.disk, fetch: machine.fetch })
  const act = await prepare(world, person)
  const from = service.journal().length
  const stepsBefore = machine.steps()
  if (killAt !== null) machine.killAt(killAt)
  // Also the wait for somebody to save what is on the screen may be cut short.
  await Promise.race([act(), machine.killed])
  if (killAt === null) return machine.steps() - stepsBefore

  const again = await startWorld(service, person, { disk })
  await again.pass(75)
  await again.twoFactor.refresh()
  const sent = service
    .journal()
    .slice(from)
    .filter((each) => each.method === method && each.path === `/api/v0/tfa/${path}`)
  expect(sent.length).toBeLessThanOrEqual(1)
  await expectNothingLost(service, again, person)
  return killAt
}
