import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { orderText, type OrderedGuard } from '#services/guards/on-instance/script-order.ts'
import type { FaultOrder } from '../../simulator/faults/faults.ts'
import { startSimulator, type Simulator } from '../../simulator/simulator.ts'
import { waitFor } from '../../support/wait-for.ts'
import { call, rent } from '../simulator/caller.ts'
import { instanceWith, tools, watchersIn } from './guard-script.ts'
import { answering, listening, untrusted, wayFor, type Way } from './guard-ways.ts'

// Conditions × tools × failures: the rows below are the table, and each of their cells is an instance of its own.

/** What a guard of each condition waits for, so that it's due in so many seconds. */
const conditions = {
  time: (seconds) => ({ condition: { kind: 'at', at: later(seconds) }, dueAt: later(seconds) }),
  hours: (seconds) => ({ condition: { kind: 'after', hours: seconds / 3600 }, dueAt: later(seconds) }),
  cost: (seconds) => ({ condition: { kind: 'cost', usd: 1 }, dueAt: later(seconds) }),
  idle: (seconds) => ({ condition: { kind: 'idle', minutes: seconds / 60 }, dueAt: null }),
  process: (_, id) => ({ condition: { kind: 'process', name: jobOf(id) }, dueAt: null }),
} as const satisfies Readonly<
  Record<string, (seconds: number, id: number) => Pick<OrderedGuard, 'condition' | 'dueAt'>>
>
type Condition = keyof typeof conditions
const allConditions = Object.keys(conditions) as Condition[]
const jobOf = (id: number): string => `job-of-${id}`
const later = (seconds: number): number => Date.now() + seconds * 1000

/** A cell takes 24 s, a warning, and one look at least; a look takes its turn among those of all others. */
const patience = { intervalMs: 1_000, timeoutMs: 100_000 }

interface Failure {
  /** Of the first request that is to change the instance. */
  readonly fault?: FaultOrder
  /** The key that Slipway sends, in place of the instance's own. */
  readonly key?: () => string
  /** Once it's armed, and before it's due. */
  readonly before?: (way: Way) => Promise<unknown>
  /** Once it has asked in vain: `answer` is what it then says that it got. */
  readonly meanwhile?: { readonly answer: number; readonly then: (way: Way) => Promise<unknown> }
  /** Of the journal: how the service replied to each request that was to change the instance. */
  readonly replies: string
  /** What the instance then says of its rule, and how many deeds it says it did. */
  readonly told: string
  readonly instance: 'acted' | 'runs'
}

const done = { told: 'done 200, 1 deed', instance: 'acted' } as const
const wasStrangerAsked: string[] = []

const failures: Readonly<Record<string, Failure>> = {
  none: { replies: '200', ...done },
  'the service is down for a while': {
    before: ({ off }) => off(),
    meanwhile: { answer: 0, then: ({ on }) => on() },
    ...{ replies: '200', ...done },
  },
  'the connection is reset': { fault: { kind: 'reset-before' }, replies: 'none 200', ...done },
  'the reply is lost': {
    fault: { kind: 'reset-after' },
    // A second stop changes nothing; with what was destroyed its key has gone.
    ...{ replies: 'none 200 | none 401', told: 'done 200, 1 deed | acting 401, 0 deeds', instance: 'acted' },
  },
  'an error (500)': { fault: { kind: '500' }, replies: '500 200', ...done },
  'an error with a page (502)': { fault: { kind: '502-html' }, replies: '502 200', ...done },
  'asked too often (429)': { fault: { kind: '429' }, replies: '429 200', ...done },
  'a redirect': {
    before: ({ replaceBy }) => replaceBy(redirectToStranger),
    meanwhile: { answer: 302, then: ({ on }) => on() },
    ...{ replies: '200', ...done },
  },
  'refused once (403)': {
    fault: { kind: 'refused', status: 403, error: 'forbidden' },
    ...{ replies: '403 200', ...done },
  },
  'the key is revoked while it waits': {
    before: ({ key }) => Promise.resolve(service.keys.revoke(key)),
    ...{ replies: '401', told: 'acting 401, 0 deeds', instance: 'runs' },
  },
  'somebody else destroys it': {
    // Its key goes with it.
    before: ({ id }) => call(service, 'DELETE', `/api/v0/instances/${id}/`),
    ...{ replies: 'DELETE 200 by default 401', told: 'acting 401, 0 deeds', instance: 'acted' },
  },
  'the key of another instance': {
    key: () => otherKey,
    ...{ replies: '403', told: 'acting 403, 0 deeds', instance: 'runs' },
  },
}

const noteStranger: RequestListener = (request, response) => {
  wasStrangerAsked.push(`${request.method} ${request.url}`)
  response.end()
}
/** Nobody follows it there with the key. */
const redirectToStranger: RequestListener = (_, response) => {
  response.writeHead(302, { location: stranger }).end()
}

let service: Simulator
let stranger: string
let otherKey: string

beforeAll(async () => {
  // They begin, and none is up: only the service's part in them counts.
  service = await startSimulator({ offers: 400, bootSeconds: [100_000, 0] })
  const server = createServer(noteStranger)
  stranger = await listening(server)
  otherKey = (await rent(service)).instanceKey
  return async () => {
    server.close()
    await service.close()
  }
})

/** What a rule of this computer asks of instance `id` in so many seconds. */
function orderFor(
  condition: Condition,
  {
    id,
    address,
    key,
    action,
    seconds = 8,
  }: {
    readonly id: number
    readonly address: string
    readonly key: string
    readonly action: 'stop' | 'destroy'
    readonly seconds?: number
  },
): string {
  const guard = { id: 'rule', action, notBefore: null, ...conditions[condition](seconds, id) }
  const to = { owner: 'laptop', instanceId: id, serviceAddress: address, key, now: Date.now() }
  // A process that has ended is given a minute.
  return orderText({ ...to, guards: [guard] }).replace(/ process \d+ /, ` process ${seconds} `)
}

interface CellOptions {
  readonly tool: (typeof tools)[number]
  readonly condition: Condition
  readonly name: string
  readonly action: 'stop' | 'destroy'
  readonly rented: Awaited<ReturnType<typeof rent>>
}
type Cell = Awaited<ReturnType<typeof begin>>

/** Arms a rule, and lets happen what is to happen to it. */
async function begin({ tool, condition, name, action, rented }: CellOptions) {
  const failure = failures[name] as Failure
  const { id, instanceKey } = rented
  const instance = await instanceWith('dash', tool)
  const way = await wayFor(service, id, instanceKey)
  const path = `/api/v0/instances/${id}/`
  const method = action === 'stop' ? 'PUT' : 'DELETE'
  if (failure.fault) service.faults.add({ ...failure.fault, method, path })
  const key = failure.key?.() ?? instanceKey
  // What happens before it's due needs time, too.
  const seconds = failure.before === undefined ? 8 : 24
  const order = orderFor(condition, { id, address: way.service.baseUrl, key, action, seconds })
  const job = condition === 'process' ? spawn('/bin/sleep', ['600'], { argv0: jobOf(id) }) : null
  onTestFinished(() => void job?.kill())
  const waits = condition === 'process' ? 'process' : ''
  const armed = { armed: true, rules: [{ waits }] }
  // So many look less often, or they take all there is of the processors.
  const seldom = { SLIPWAY_TICK: '3' }
  expect(await instance.run('arm', order, seldom), `${condition}, ${name}`).toMatchObject(armed)
  job?.kill()
  await failure.before?.(way)
  const read = async (): Promise<string> => {
    const { rules, acted } = await instance.toldState()
    const [rule] = rules
    const deeds = acted.length === 1 ? '1 deed' : `${acted.length} deeds`
    const told = `${rule?.phase} ${rule?.answer}, ${deeds}`
    return `${repliesTo(method, path)}; ${told}; ${(await hasActed(id)) ? 'acted' : 'runs'}`
  }
  const { meanwhile } = failure
  const goOn = async (): Promise<void> => {
    if (meanwhile === undefined) return
    const inVain = { phase: 'acting', answer: meanwhile.answer }
    await waitFor(async () => {
      const rule = await instance.rule()
      expect(rule).toMatchObject(inVain)
      expect(rule?.tries).toBeGreaterThan(0)
    }, patience)
    await meanwhile.then(way)
  }
  const expected = expectedOf(failure, action)
  const settled = goOn().then(() =>
    waitFor(async () => {
      // The journal is cheaper to ask than the instance.
      expect(expected).toContain(`${repliesTo(method, path)};`)
      expect(await read()).toBe(expected)
    }, patience),
  )
  // It's awaited once all have begun.
  settled.catch(() => undefined)
  return { name: `${name}, ${condition}`, expected, read, settled }
}

function expectedOf({ replies, told, instance }: Failure, action: 'stop' | 'destroy'): string {
  const of = (text: string): string => text.split(' | ').at(action === 'stop' ? 0 : -1) ?? ''
  return `${of(replies)}; ${of(told)}; ${instance}`
}

/** How the service replied to what was to change an instance. What it accepted came by the key of an instance. */
function repliesTo(method: string, path: string): string {
  const changes = service.journal().filter((one) => one.path === path && one.method !== 'GET')
  const replies = changes.map((one) => {
    const isOwn = one.method === method && (one.key === 'instance' || one.status !== 200)
    return isOwn ? String(one.status ?? 'none') : `${one.method} ${one.status} by ${one.key}`
  })
  // What is refused is asked for again, for as long as one looks.
  return replies.filter((one, at) => one === '200' || one !== replies[at - 1]).join(' ')
}

/** Whether the service has stopped or destroyed it. */
async function hasActed(id: number): Promise<boolean> {
  const { status, body } = await call(service, 'GET', `/api/v0/instances/${id}/`)
  return status === 404 || JSON.stringify(body).includes('"intended_status":"stopped"')
}

describe.each(tools)('%s alone', (tool) => {
  test('acts once by the instance’s own key, whatever fails first, or says why it can’t', async () => {
    const orders: CellOptions[] = []
    for (const name of Object.keys(failures))
      for (const condition of allConditions) {
        // Of two that stand side by side in the table, one stops and one destroys.
        const action = (orders.length + tools.indexOf(tool)) % 2 === 0 ? 'stop' : 'destroy'
        orders.push({ tool, condition, name, action, rented: await rent(service) })
      }
    const cells = new Map<CellOptions, Cell>()
    const left = orders.values()
    const beginNext = async (): Promise<void> => {
      for (const order of left) cells.set(order, await begin(order))
    }
    await Promise.all(Array.from({ length: 8 }, beginNext))
    const inOrder = orders.flatMap((order) => cells.get(order) ?? [])
    // What isn't as it should be is shown beside the others.
    await Promise.allSettled(inOrder.map(({ settled }) => settled))
    const expected = inOrder.map((cell) => `${cell.name}: ${cell.expected}`)
    const table = () => Promise.all(inOrder.map(async (cell) => `${cell.name}: ${await cell.read()}`))
    await waitFor(async () => expect(await table()).toEqual(expected), patience)
    expect(wasStrangerAsked).toEqual([])
  }, 240_000)

  test('is not armed by what is no service, nor without a key', async () => {
    const { id, instanceKey: key } = await rent(service)
    const address = service.baseUrl
    const page: RequestListener = (_, response) => response.end('<html>Log in</html>')
    const nobody: RequestListener = (_, response) => response.writeHead(404).end()
    const places = {
      'no key': { address, key: '', says: 'no-key' },
      'no way to the service': { address: 'http://127.0.0.1:9', key, says: 'no-service' },
      'an untrusted certificate': { address: await untrusted(noteStranger), key, says: 'no-service' },
      'a redirect': { address: await answering(redirectToStranger), key, says: 'no-service' },
      'another service': { address: await answering(nobody), key, says: 'no-service' },
      // It could as well be the service, which may answer all alike.
      'a page for all that is asked': { address: await answering(page), key, says: 'armed, unproven' },
    }
    const told = async (
      { address, key }: { readonly address: string; readonly key: string },
      at: Condition,
    ) => {
      const instance = await instanceWith('dash', tool)
      const order = orderFor(at, { id, address, key, action: 'stop' })
      const { armed, why, proven } = await instance.run('arm', order)
      const watchers = (await watchersIn(instance.folder)).length
      expect(watchers, `${at}: ${why}`).toBe(armed ? 1 : 0)
      return armed ? `armed, ${proven ? 'proven' : 'unproven'}` : why
    }
    for (const [place, { says, ...where }] of Object.entries(places)) {
      const answers = await Promise.all(allConditions.map((condition) => told(where, condition)))
      expect(answers, place).toEqual(allConditions.map(() => says))
    }
    expect(wasStrangerAsked).toEqual([])
    expect(
      service.journal().filter(({ path, method }) => path.includes(`/${id}/`) && method !== 'GET'),
    ).toEqual([])
  })
})

test.each(allConditions)('is not armed without any tool: %s', async (condition) => {
  const { id, instanceKey: key } = await rent(service)
  const instance = await instanceWith('dash', null)
  const order = orderFor(condition, { id, address: service.baseUrl, key, action: 'stop' })
  expect(await instance.run('arm', order)).toMatchObject({ armed: false, why: 'no-tool' })
  expect(await watchersIn(instance.folder)).toEqual([])
})
