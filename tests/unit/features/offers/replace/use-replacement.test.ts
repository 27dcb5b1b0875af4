import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { effectScope, reactive } from 'vue'
import { ProblemError } from '#domain/base/problem.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offers/offer.ts'
import type { KnownRequest } from '#domain/renting/rent-request.ts'
import { settle } from '../../../../support/fake-clock.ts'

interface World {
  requestOf: () => Promise<KnownRequest | null>
  readonly stores: Record<string, Record<string, unknown>>
}
const world = vi.hoisted((): World => ({ requestOf: () => Promise.resolve(null), stores: {} }))
vi.mock('#ipc/client.ts', () => ({
  client: { renting: { retries: { requestOf: () => world.requestOf() } } },
}))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
vi.mock('#shared/instances/instances-store.ts', () => ({
  useInstancesStore: () => world.stores['instances'],
}))
vi.mock('../../../../../src-renderer/features/offers/offers-store.ts', () => ({
  useOffersStore: () => world.stores['offers'],
}))
vi.mock('../../../../../src-renderer/features/offers/rent/rent-store.ts', () => ({
  useRentStore: () => world.stores['rent'],
}))
vi.mock('../../../../../src-renderer/features/offers/rent/environment-store.ts', () => ({
  useEnvironmentStore: () => world.stores['environment'],
}))
vi.mock('../../../../../src-renderer/features/offers/rent/volume-store.ts', () => ({
  useVolumeStore: () => world.stores['volume'],
}))
const { useReplacement } =
  await import('../../../../../src-renderer/features/offers/replace/use-replacement.ts')
const { useRetryStore } = await import('../../../../../src-renderer/features/offers/rent/retry-store.ts')

const dead = {
  id: 7,
  status: 'exited',
  record: { id: 7, gpu_name: 'RTX 4090', image_uuid: 'team/dead:1', disk_space: 24 },
}
const known: KnownRequest = {
  query: { ...defaultOfferQuery, limit: 5 },
  capPerHourUsd: 0.4,
  image: 'team/known:1',
  templateHashId: null,
  diskGb: 12,
  env: [],
  hasScript: false,
  mountPath: null,
}
const typed = {
  rent: {
    template: null,
    image: 'team/draft:1',
    typedDisk: '33',
    ownScript: 'echo draft',
    typedFilters: '{}',
    keepInstanceKey: true,
    keyChoice: false,
  },
  environment: { view: 'rows', rows: [{ id: 1 }], flags: '-e A=1' },
  volume: { kind: 'link', id: '5', sizeGb: '', mountPath: '/mine' },
}

/** What was searched for, the newest last. */
let searched: unknown[]

beforeEach(() => {
  searched = []
  setActivePinia(createPinia())
  world.requestOf = () => Promise.resolve(null)
  const rent = reactive({
    ...structuredClone(typed.rent),
    set disk(text: string) {
      this.typedDisk = text
    },
  })
  const environment = reactive({
    ...structuredClone(typed.environment),
    setRows: (rows: { id: number }[]) => (environment.rows = rows),
    setFlags: (flags: string) => (environment.flags = flags),
  })
  const search: { draft: unknown } = { draft: 'the draft of the search' }
  const offers = reactive({
    ...search,
    found: { query: 'what was searched for' },
    load: (query: OfferQuery) => (offers.draft = query),
    edit: (draft: unknown) => (offers.draft = draft),
    search: async () => {
      searched.push(offers.draft)
    },
  })
  const volume = reactive(structuredClone(typed.volume))
  Object.assign(world.stores, {
    instances: reactive({ instances: [dead] }),
    rent,
    environment,
    offers,
    volume,
  })
  useRetryStore().cap = '0.9'
})

async function open() {
  const scope = effectScope()
  const replacement = scope.run(() => useReplacement(7))
  if (replacement === undefined) throw new Error('The scope has ended')
  await settle()
  return { ...replacement, leave: () => scope.stop() }
}

test('opened before the first list, it waits for the instance’s record', async () => {
  Object.assign(world.stores['instances'] ?? {}, { instances: null })
  await open()
  expect(searched).toEqual([])
  Object.assign(world.stores['instances'] ?? {}, { instances: [dead] })
  await settle()
  expect(searched).toMatchObject([{ filters: { gpu_name: { eq: 'RTX 4090' } } }])
  expect(world.stores['rent']).toMatchObject({ image: 'team/dead:1', typedDisk: '24' })
})

test('what was typed for another rental is there again when it’s left', async () => {
  const { leave } = await open()
  expect(world.stores['rent']).toMatchObject({ image: 'team/dead:1' })
  expect(useRetryStore().cap).toBe('')
  leave()
  await settle()
  expect(world.stores).toMatchObject(typed)
  expect(useRetryStore().cap).toBe('0.9')
  expect(searched.at(-1)).toBe('what was searched for')
  expect(world.stores['offers']).toMatchObject({ draft: 'the draft of the search' })
})

test('a locked keychain is not said to hold nothing, and asking again finds the request', async () => {
  world.requestOf = () => Promise.reject(new ProblemError({ kind: 'keychain-locked', detail: '' }))
  const { loading, isNew, isUnkept, begin, known: request } = await open()
  expect(loading.problem.value).not.toBeNull()
  expect(isUnkept.value).toBe(false)
  expect(isNew.value).toBe(true)
  world.requestOf = () => Promise.resolve(known)
  await begin()
  expect(request.value).toEqual(known)
  expect(isNew.value).toBe(false)
  expect(useRetryStore().cap).toBe('0.4')
})

test('a request that this computer hasn’t kept is said to be so', async () => {
  const { isUnkept } = await open()
  expect(isUnkept.value).toBe(true)
})
