import { ORPCError } from '@orpc/client'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offers/offer.ts'
import { similarSearch } from '#shared/offers/similar-search.ts'

interface World {
  requestOf: () => Promise<{ readonly query: OfferQuery } | null>
  readonly block: ReturnType<typeof vi.fn<(mark: unknown) => Promise<void>>>
  readonly push: ReturnType<typeof vi.fn<(to: unknown) => Promise<void>>>
}
const world = vi.hoisted((): World => ({
  requestOf: () => Promise.resolve(null),
  block: vi.fn<(mark: unknown) => Promise<void>>(() => Promise.resolve()),
  push: vi.fn<(to: unknown) => Promise<void>>(() => Promise.resolve()),
}))
vi.mock('#ipc/client.ts', () => ({
  client: {
    renting: { retries: { requestOf: () => world.requestOf() } },
    offers: { block: (mark: unknown) => world.block(mark) },
  },
}))
vi.mock('vue-router', () => ({ useRouter: () => ({ push: world.push }) }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
const { useNextMachine } =
  await import('../../../../../src-renderer/features/instances/machine/use-next-machine.ts')

const record = { id: 7, machine_id: 4711, gpu_name: 'RTX 4090', num_gpus: 2 }
const instance = { id: 7, record } as unknown as ListedInstance
const to = (query: OfferQuery) => ({ path: '/offers', query: { search: JSON.stringify(query) } })
const fails = (problem: Problem) => () =>
  Promise.reject(new ORPCError('PROBLEM', { data: problem, defined: true }))

beforeEach(() => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
  world.block.mockClear()
  world.push.mockClear()
})

test('the search that it was rented by is made again, without the machine that it was on', async () => {
  const query = { ...defaultOfferQuery, limit: 5 }
  world.requestOf = () => Promise.resolve({ query })
  const next = useNextMachine()
  expect(await next.prepare(instance)).toBe(true)
  expect(world.block).not.toHaveBeenCalled()
  await next.find()
  expect(world.block).toHaveBeenCalledWith({ kind: 'machine', id: 4711, title: '2 × RTX 4090' })
  expect(world.push).toHaveBeenCalledWith(to(query))
})

test('with a locked keychain, or where nobody knows it, machines like it are searched for', async () => {
  for (const requestOf of [
    fails({ kind: 'keychain-locked', detail: '' }),
    () => Promise.resolve(null),
  ] as const) {
    world.requestOf = requestOf
    const next = useNextMachine()
    expect(await next.prepare(instance)).toBe(true)
    await next.find()
    expect(world.push).toHaveBeenLastCalledWith(to(similarSearch(record)))
  }
})

test('what else stands in the way is told, and nothing is destroyed', async () => {
  world.requestOf = fails({ kind: 'ended' })
  expect(await useNextMachine().prepare(instance)).toBe(false)
})

test('of a machine that isn’t named nothing is blocked, and what is only destroyed leads nowhere', async () => {
  world.requestOf = () => Promise.resolve(null)
  const next = useNextMachine()
  await next.prepare({ id: 7, record: { id: 7 } } as unknown as ListedInstance)
  await next.find()
  expect(world.block).not.toHaveBeenCalled()
  expect(world.push).toHaveBeenCalledTimes(1)
  await next.prepare(instance)
  next.forget()
  await next.find()
  expect(world.block).not.toHaveBeenCalled()
  expect(world.push).toHaveBeenCalledTimes(1)
})
