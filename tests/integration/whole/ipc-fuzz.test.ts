import { readdir } from 'node:fs/promises'
import { EventEmitter } from 'node:events'
import type { ORPCError } from '@orpc/client'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { acceptPorts } from '../../../src-main/desktop/pages/ports.ts'
import { callAt, contractCalls } from '../../support/contract-calls.ts'
import { hardeningSeed } from '../../support/hardening.ts'
import { heldBytes } from '../../support/heap.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { mainPort } from '../../support/message-channel.ts'
import { type Scene, startScene } from './fault-scene.ts'

// What a page that somebody else has got hold of could send: 10,000 messages and ports by chance. Each is refused or
// served, and main goes on as if nothing had been.

let scene: Scene
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
beforeAll(async () => {
  scene = await startScene({ instances: 3 })
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterAll(async () => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
  await scene.close()
})

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype]
const shapes = (): string => JSON.stringify(prototypes.map((one) => Reflect.ownKeys(one).map(String)))
const before = shapes()
beforeEach(() => {
  unhandled.length = 0
})
afterEach(async () => {
  // Main answers, as it did before.
  const { client, close } = scene.page()
  expect(await client.settings.about()).toMatchObject({ platform: 'test' })
  close()
  expect(shapes()).toBe(before)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(unhandled).toEqual([])
})

/** Names that mean something to JavaScript, to oRPC or to main. */
const names = fc.constantFrom(
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'polluted',
    'toString',
    'then',
    'json',
    'meta',
    'maps',
    'kind',
  ],
  ...['id', 'instanceId', 'terminalId', 'flowId', 'path', 'code', 'words', 'i', 't', 'p', 'u', 'b', 'h', 'm'],
)
const texts = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '..',
    '\u0000',
    'NaN',
    '{"__proto__":{"polluted":1}}',
    '\ud800',
    'calls',
    'terminal',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constant('x'.repeat(100_000)),
)
const leaves = fc.oneof(
  texts,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, 4_000_000_000, -1),
)
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaves,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 4 })
      // Own properties, `__proto__` as well.
      .map((entries): unknown =>
        JSON.parse(
          `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`,
        ),
      ),
  ),
}))

/** Every call of the contract, but signing out, after which there would be nothing left to ask. */
const calls = contractCalls
  .map(({ path }) => ({ path }))
  .filter(({ path }) => path.join('.') !== 'accounts.signOut')

const body = fc.record(
  { json: values, meta: fc.oneof(values, fc.array(fc.tuple(fc.nat(30), names))), maps: values },
  { requiredKeys: [] },
)
/** Messages of oRPC's, of which some part is wrong. */
const envelopes = fc.record(
  {
    i: fc.oneof(fc.string({ maxLength: 4 }), values),
    t: fc.oneof(fc.constantFrom(1, 2, 3, 4), values),
    p: fc.oneof(
      values,
      fc.record(
        {
          u: fc.oneof(
            texts,
            fc.constantFrom(...calls).map(({ path }) => `/${path.join('/')}`),
            values,
          ),
          b: fc.oneof(body, values),
          h: fc.oneof(
            fc.dictionary(fc.constantFrom('content-type', 'content-disposition', 'a'), texts),
            values,
          ),
          m: fc.oneof(fc.constantFrom('GET', 'POST', 'DELETE'), values),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
)
const raw = fc.oneof(
  envelopes,
  envelopes.map((message) => JSON.stringify(message)),
  envelopes.map((message) => new TextEncoder().encode(JSON.stringify(message))),
  values,
  values.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }),
)
const options = (count: number) => ({ numRuns: count, seed: hardeningSeed, endOnFailure: true }) as const

test('3,500 messages that are no calls', async () => {
  const eachPort = fc.array(raw, { minLength: 35, maxLength: 35 })
  await fc.assert(
    fc.asyncProperty(eachPort, async (messages) => {
      const { port, close } = scene.page()
      for (const message of messages) port.postMessage(message)
      await turns(3)
      close()
    }),
    options(100),
  )
})

test('5,000 calls with inputs by chance are answered, each', async () => {
  const made = fc.tuple(fc.constantFrom(...calls), fc.oneof(values, fc.dictionary(names, leaves)))
  const eachPage = fc.array(made, { minLength: 50, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(eachPage, async (all) => {
      const { client, close } = scene.page()
      const answered = all.map(async ([one, input]) => {
        const procedure = callAt(client, one)
        try {
          await procedure(input)
        } catch (error) {
          // Refused, as what the contract says; never by what went wrong inside.
          expect(['PROBLEM', 'BAD_REQUEST']).toContain((error as ORPCError<string, unknown>).code)
          expect(error).not.toMatchObject({ data: { kind: 'unexpected' } })
        }
      })
      await scene.clock.quickly(Promise.all(answered))
      close()
    }),
    options(100),
  )
})

test('1,000 messages on ports of terminals, and 500 ports', async () => {
  const kinds = fc.constantFrom('input', 'taken', '__proto__')
  const toTerminal = fc.oneof(
    fc.record({ kind: kinds, data: values, bytes: values }, { requiredKeys: [] }),
    raw,
  )
  const eachPort = fc.tuple(texts, fc.array(toTerminal, { minLength: 10, maxLength: 10 }))
  await fc.assert(
    fc.asyncProperty(eachPort, async ([terminalId, messages]) => {
      const { port1, port2 } = new MessageChannel()
      scene.app.servePort(
        scene.app.accountPages.value.front,
        { kind: 'terminal', terminalId },
        mainPort(port1),
      )
      for (const message of messages) port2.postMessage(message)
      await turns(1)
      port2.close()
    }),
    options(100),
  )
  const ipc = new EventEmitter()
  const mainFrame = { origin: '' }
  const contents = Object.assign(new EventEmitter(), { ipc, mainFrame })
  const accepted: unknown[] = []
  acceptPorts(contents, {
    page: { origin: 'app://slipway', url: 'app://slipway/index.html' },
    isServed: () => true,
    log: memoryLog(),
    onPort: (request) => void accepted.push(request),
  })
  const origins = fc.constantFrom('app://slipway', 'null', '', 'https://example.com')
  const eachRequest = fc.tuple(
    fc.oneof(values, fc.record({ kind: fc.constantFrom('calls', 'terminal'), terminalId: values })),
    origins,
  )
  let askedForCalls = 0
  fc.assert(
    fc.property(eachRequest, ([request, origin]) => {
      if (origin === 'app://slipway' && isForCalls(request)) askedForCalls += 1
      const { port1 } = new MessageChannel()
      const port = Object.assign(new EventEmitter(), mainPort(port1))
      mainFrame.origin = origin
      ipc.emit('slipway:port', { senderFrame: mainFrame, ports: [port] }, request)
      port1.close()
    }),
    options(500),
  )
  // What is right is taken: by chance, a share of all.
  expect(askedForCalls).toBeGreaterThan(10)
  expect(accepted.filter(isForCalls)).toHaveLength(askedForCalls)
  for (const request of accepted)
    expect(request).toEqual(
      expect.objectContaining({ kind: expect.stringMatching(/^(calls|terminal)$/) as string }),
    )
})

const isForCalls = (request: unknown): boolean =>
  typeof request === 'object' && request !== null && 'kind' in request && request.kind === 'calls'

test('nothing is left of it: no memory, no files', async () => {
  const round = async (): Promise<number> => {
    for (let page = 0; page < 40; page += 1) {
      const { port, client, close } = scene.page()
      for (const message of fc.sample(raw, { numRuns: 20, seed: page })) port.postMessage(message)
      for (const one of calls) {
        const call = callAt(client, one)
        call({ __proto__: null, id: page }).catch(() => undefined)
      }
      await turns(5)
      close()
      await turns(5)
    }
    return heldBytes()
  }
  await round()
  const first = await round()
  const second = await round()
  expect(second / first).toBeLessThan(1.1)
  expect(await readdir(scene.homeFolder)).toEqual([])
})

/** Lets messages through their channels, and be worked on. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
