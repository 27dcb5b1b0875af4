import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import type { Clock } from '#domain/base/clock.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  type Person,
  totp,
} from '../simulator/two-factor-person.ts'
import { expectTold, isPassingTrouble, type Trouble, troubles } from '../whole/troubles.ts'
import { expectNothingLost } from './nothing-lost.ts'
import { choiceOf, enrolling, methodId } from './procedures.ts'
import { emptyDisk, startWorld, type World } from './world.ts'

// Every endpoint of 2FA, with every fault of the simulator; the others are in tests/integration/whole.

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

interface Endpoint {
  readonly method: string
  /** Below `/api/v0/tfa/`. */
  readonly path: string
  readonly repeatable?: true
  readonly person: () => Person
  /** Up to the last press; answers with what that does. */
  readonly prepare: (world: World, person: Person) => Promise<() => Promise<void>>
  /** A 503 of 2FA says that nothing was done (service API 7), so that it is asked again in sight. */
  readonly asksAgain?: true
  /** What is so at the service once it has done its work. */
  readonly isDone?: (person: Person) => Promise<boolean>
}

const isOn = async (person: Person): Promise<boolean> => (await person.status()).tfa_enabled
const logIn = (world: World) => world.begin({ kind: 'log-in', admin: false })
const adding = (world: World) => world.begin({ kind: 'add', method: 'totp' })

const endpoints: Readonly<Record<string, Endpoint>> = {
  status: {
    method: 'GET',
    path: 'status/',
    repeatable: true,
    person: () => createTotpPerson(service),
    prepare: (world) => Promise.resolve(() => world.twoFactor.refresh()),
  },
  'a login': {
    method: 'POST',
    path: '',
    asksAgain: true,
    person: () => createTotpPerson(service),
    prepare: async (world, person) => {
      const guidedFlow = await logIn(world)
      const code = await freshTotp(service, person)
      return () => guidedFlow.verifier.submit(code)
    },
  },
  'a removal': {
    method: 'DELETE',
    path: '',
    asksAgain: true,
    person: () => createTotpPerson(service),
    prepare: async (world, person) => {
      const target = methodId(person, 'totp')
      const guidedFlow = await world.begin({ kind: 'remove', methodId: target, thenAdd: null })
      guidedFlow.proceed('turn off')
      const code = await freshTotp(service, person)
      return () => guidedFlow.verifier.submit(code)
    },
    isDone: async (person) => !(await isOn(person)),
  },
  'a code by e-mail': {
    method: 'POST',
    path: 'email/',
    asksAgain: true,
    person: () => createTotpPerson(service),
    prepare: async (world) => {
      const guidedFlow = await logIn(world)
      guidedFlow.verifier.choose('email')
      return () => guidedFlow.verifier.send()
    },
  },
  'a code by SMS': {
    method: 'POST',
    path: 'sms/',
    asksAgain: true,
    person: () => createTotpSmsPerson(service),
    prepare: async (world, person) => {
      const guidedFlow = await logIn(world)
      guidedFlow.verifier.choose(choiceOf(person, 'sms'))
      return () => guidedFlow.verifier.send()
    },
  },
  'the same code once more': {
    method: 'POST',
    path: 'sms/resend/',
    asksAgain: true,
    person: () => createTotpSmsPerson(service),
    prepare: async (world, person) => {
      const guidedFlow = await logIn(world)
      guidedFlow.verifier.choose(choiceOf(person, 'sms'))
      await guidedFlow.verifier.send()
      await world.pass(120)
      return () => guidedFlow.verifier.send()
    },
  },
  'permission, asked for': {
    method: 'POST',
    path: 'authorize-new-method/',
    asksAgain: true,
    person: () => createPerson(service),
    prepare: async (world) => {
      const guidedFlow = await adding(world)
      return () => guidedFlow.verifier.send()
    },
  },
  'permission, proved': {
    method: 'PUT',
    path: 'authorize-new-method/',
    asksAgain: true,
    person: () => createPerson(service),
    prepare: async (world, person) => {
      const guidedFlow = await adding(world)
      await guidedFlow.verifier.send()
      return () => guidedFlow.verifier.submit(person.lastCode('email'))
    },
    isDone: async (person) => (await person.status()).new_method_authorized,
  },
  'a new secret': {
    method: 'POST',
    path: 'totp-setup/',
    person: () => createPerson(service),
    prepare: async (world, person) => {
      const guidedFlow = await adding(world)
      await guidedFlow.verifier.send()
      return () => guidedFlow.verifier.submit(person.lastCode('email'))
    },
  },
  'a new method': {
    method: 'POST',
    path: 'confirm-new/',
    asksAgain: true,
    person: () => createPerson(service),
    prepare: async (world, person) => {
      const { guidedFlow, secret } = await enrolling(world, person)
      return () => guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
    },
    isDone: isOn,
  },
  'a change of a method': {
    method: 'PUT',
    path: 'update/',
    person: () => createTotpPerson(service),
    prepare: (world, person) =>
      Promise.resolve(() => world.twoFactor.updateMethod(methodId(person, 'totp'), { label: 'Changed' })),
    isDone: async (person) => (await person.status()).methods[0]?.['label'] === 'Changed',
  },
  'new backup codes': {
    method: 'PUT',
    path: 'regen-backup-codes/',
    asksAgain: true,
    person: () => createTotpPerson(service),
    prepare: async (world, person) => {
      const guidedFlow = await world.begin({ kind: 'regenerate' })
      guidedFlow.proceed('')
      const code = await freshTotp(service, person)
      return () => guidedFlow.verifier.submit(code)
    },
  },
}

describe.each(Object.entries(endpoints))('%s', (_, endpoint) => {
  const { method, path, repeatable, asksAgain } = endpoint
  // After a 503 of 2FA it is asked again, because nothing was done: one that lies is out of the API.
  const its = troubles.filter(({ name }) => name !== '503 after')
  test.each(its)('$name', async (trouble) => {
    const person = endpoint.person()
    const disk = emptyDisk()
    const network = hurriedNetwork()
    const { sleep, fetch } = network
    const world = await startWorld(service, person, { disk, sleep, fetch })
    const act = await endpoint.prepare(world, person)
    service.faults.clear()
    const target = { method: method as 'GET', path: `/api/v0/tfa/${path}`, times: 20 }
    service.faults.add({ ...trouble.fault, ...target })
    if (trouble.isStuck === true) network.stuck = { method, path: target.path }
    world.mark()
    const thrown = await through(world, act)
    network.stuck = null
    service.faults.clear()
    const sent = world.requests().filter((each) => each === `${method} tfa/${path}`)

    const told = thrown ?? toldBy(world)
    const isOver = trouble.problem !== null && told === null
    // Nothing went wrong for the user where the account shows that it was done all the same.
    if (isOver) expect(trouble.works && endpoint.isDone !== undefined).toBe(true)
    else expectTold(told, as2fa(trouble), 'save')
    const isAskedAgain = asksAgain && as2fa(trouble).problem?.kind === 'tfa-refused'
    expect(sent.length).toBe(isAskedAgain ? 4 : repeatable && isPassingTrouble(trouble) ? 3 : 1)
    if (endpoint.isDone) expect(await endpoint.isDone(person)).toBe(trouble.works)

    const again = await startWorld(service, person, { disk })
    await again.pass(75)
    await again.twoFactor.refresh()
    expect(again.known()).toMatchObject({
      problem: null,
      status: (await isOn(person)) ? 'enabled' : 'off',
    })
    // A refusal is taken at its word.
    const isLie = trouble.name === 'refused after' || trouble.name === '429 after'
    if (person.twoFactor.methods.length === 0 && !isLie) await expectNothingLost(service, again, person)
  })
})

/** What of it 2FA tells by its own code. */
function as2fa(trouble: Trouble): Trouble {
  if (trouble.name !== '503') return trouble
  return { ...trouble, problem: { kind: 'tfa-refused', code: 'service_unavailable' } }
}

interface HurriedNetwork {
  readonly sleep: Clock['sleep']
  readonly fetch: typeof globalThis.fetch
  /** The requests that nothing comes back for. */
  stuck: { readonly method: string; readonly path: string } | null
}

/** Waiting that takes no time, and a deadline that is over soon for those requests that nothing comes back for. */
function hurriedNetwork(): HurriedNetwork {
  let hurry: () => void = () => undefined
  const network: HurriedNetwork = {
    stuck: null,
    sleep: (ms, signal) => {
      if (ms < 20_000) return systemClock.sleep(ms / 100, signal)
      // The deadline of the request that is sent next: it is set just before.
      const hurried = Promise.withResolvers<undefined>()
      hurry = () => hurried.resolve(undefined)
      return hurried.promise.then(() => systemClock.sleep(200, signal))
    },
    fetch: (input, init) => {
      const { method, path } = network.stuck ?? {}
      if (init?.method === method && new URL(String(input)).pathname === path) hurry()
      return fetch(input, init)
    },
  }
  return network
}

/** Does it, with the time that it waits in sight; answers with the problem that it was refused by. */
async function through(world: World, act: () => Promise<void>): Promise<Problem | null> {
  const end = { isOver: false, problem: null as Problem | null }
  const acting = act()
    .catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      end.problem = error.problem
    })
    .finally(() => (end.isOver = true))
  while (!end.isOver) {
    if (world.twoFactor.state.value.flow?.busy?.kind === 'retrying') await world.pass(31)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await acting
  return end.problem
}

/** What the page tells of the last press. */
function toldBy(world: World): Problem | null {
  const { flow, account } = world.twoFactor.state.value
  if (flow === null) return account.kind === 'known' ? account.problem : null
  if (flow.step.kind === 'stopped') return flow.step.why.problem
  return flow.refusal?.kind === 'problem' ? flow.refusal.problem : null
}
