import { createORPCClient, ORPCError } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromParts } from '#contract/parts.ts'
import { bulkSerializer } from '#contract/bulk.ts'
import type { contract } from '#contract/contract.ts'
import type { AccountState } from '#domain/accounts/account.ts'
import { Latest } from '#domain/base/latest.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import type { ServedServices } from '../../../src-main/ipc/router.ts'
import { createServer } from '../../../src-main/ipc/server.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { mainPort } from '../../support/message-channel.ts'

type Client = ContractRouterClient<typeof contract>

/** Main's side and a window's side of one real MessageChannel, with the services that a test names. */
function connect(
  {
    key = {},
    ...accounts
  }: Partial<ServedServices['accounts']> & { readonly key?: Partial<ServedServices['key']> },
  others: { readonly [K in keyof ServedServices]?: Partial<ServedServices[K]> } = {},
) {
  const log = memoryLog()
  const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not part of this test')) })
  const services = new Proxy({} as ServedServices, {
    get: (_, name): unknown => Reflect.get({ accounts, key, ...others }, name) ?? unused,
  })
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  createServer(log, () => services)(null, { kind: 'calls' }, mainPort(port1))
  port2.start()
  const client: Client = createORPCClient(
    new RPCLink({ port: port2, customJsonSerializers: [bulkSerializer] }),
  )
  return { client, log }
}

async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ORPCError)
  expect((error as ORPCError<string, Problem>).code).toBe('PROBLEM')
  return (error as ORPCError<string, Problem>).data
}

describe('a call', () => {
  test('that fails for a foreseen reason tells it', async () => {
    const problem: Problem = { kind: 'rate-limited', retryAfterSeconds: 7, message: 'slow' }
    const { client } = connect({ key: { check: () => Promise.reject(new ProblemError(problem)) } })
    expect(await problemOf(client.accounts.key.check())).toEqual(problem)
  })

  test('that fails unexpectedly crosses as an id; its details are in the log only', async () => {
    const { client, log } = connect({ key: { check: () => Promise.reject(new Error('canary-detail')) } })
    const problem = await problemOf(client.accounts.key.check())
    expect(problem).toEqual({ kind: 'unexpected', id: 'log-1' })
    expect(log.lines.join()).toContain('canary-detail')
  })

  test('that the window leaves is stopped, and is no bug to be logged', async () => {
    const begun = Promise.withResolvers<undefined>()
    let stopped: () => void = () => undefined
    const stop = new Promise<void>((resolve) => (stopped = resolve))
    const { client, log } = connect(
      {},
      {
        offers: {
          search: (_, signal) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener('abort', () => {
                reject(signal.reason as Error)
                stopped()
              })
              begun.resolve(undefined)
            }),
        },
      },
    )
    const leaving = new AbortController()
    const search = client.offers.search(defaultOfferQuery, { signal: leaving.signal })
    await begun.promise
    leaving.abort()
    await expect(search).rejects.toThrow()
    await stop
    await new Promise((resolve) => setImmediate(resolve))
    expect(log.lines).toEqual([])
  })

  test('with input that the contract refuses never reaches the service, and names the field', async () => {
    let reached = false
    const { client } = connect({ connect: () => Promise.resolve(void (reached = true)) })
    const call = client.accounts.connect({
      serviceAddress: 'https://x.example',
      apiKey: '',
      keepIn: 'memory',
    })
    expect(await problemOf(call)).toEqual({
      kind: 'invalid-input',
      field: 'apiKey',
      fault: { code: 'missing' },
    })
    expect(reached).toBe(false)
  })

  test('cannot set an identity file that was not tried', async () => {
    const changes: unknown[] = []
    const update = (change: unknown) => Promise.resolve(void changes.push(change))
    const { client } = connect({}, { settings: { update } })
    await client.settings.update({ sshUser: 'ada', ...{ identityFiles: ['/nowhere'] } })
    expect(changes).toEqual([{ sshUser: 'ada' }])
  })

  test('that gives more than the contract declares loses the rest', async () => {
    const state = new Latest<AccountState>(
      Object.assign({ kind: 'none' as const }, { apiKey: 'canary-of-a-key' }),
    )
    const { client } = connect({ key: { state } })
    const end = new AbortController()
    for await (const value of await client.accounts.key.watch(undefined, { signal: end.signal })) {
      expect(value).toEqual({ kind: 'none' })
      break
    }
    end.abort()
  })
})

test('offers cross as they came, whatever is in them', async () => {
  const found = [
    { id: 1, note: '"\u2028\ud800', none: null, deep: { rack: [4, { date: '2026-11-30' }] } },
    { id: 2 },
  ]
  const list = { records: found, unreadable: [], at: 7 }
  const { client } = connect({}, { offers: { search: () => Promise.resolve(list) } })
  const search = async () => fromParts(await client.offers.search(defaultOfferQuery))
  expect(await search()).toEqual({ ...list, total: 2 })
  // The second time as well: what is remembered of a list is not used up.
  expect(await search()).toEqual({ ...list, total: 2 })
})

test('ten thousand offers cross in parts, the first of which is told before the others', async () => {
  const found = Array.from({ length: 10_000 }, (_, id) => ({ id, note: '"' }))
  const { client } = connect(
    {},
    { offers: { search: () => Promise.resolve({ records: found, unreadable: [], at: 7 }) } },
  )
  const told: unknown[] = []
  const parts = await client.offers.search(defaultOfferQuery)
  const whole = await fromParts(parts, ({ records, total }) =>
    Promise.resolve(void told.push(records, total)),
  )
  expect(told).toEqual([found.slice(0, 300), 10_000])
  expect(whole.records).toEqual(found)
})

test('a watch gives the newest value, and ends in main when the window leaves it', async () => {
  const state = new Latest<AccountState>({ kind: 'none' })
  let ended: () => void = () => undefined
  const end = new Promise<void>((resolve) => (ended = resolve))
  const watched = Object.assign(Object.create(state) as Latest<AccountState>, {
    async *watch(signal?: AbortSignal) {
      yield* state.watch(signal)
      ended()
    },
  })
  const { client } = connect({ key: { state: watched } })
  const leaving = new AbortController()
  const values = await client.accounts.key.watch(undefined, { signal: leaving.signal })
  await values.next()
  leaving.abort()
  await end
})
