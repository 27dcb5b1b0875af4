import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { effectScope } from 'vue'
import type { FoundOffers } from '#services/offers/open-offers.ts'
import { inParts } from '#contract/parts.ts'
import { defaultOfferQuery, type Offer, type OfferQuery } from '#domain/offers/offer.ts'
import { waitFor } from '../../../../support/wait-for.ts'

type Parts = AsyncIterable<FoundOffers & { readonly total: number }>
const world = vi.hoisted(
  (): {
    search: (query: OfferQuery) => Promise<Parts>
    painted: () => Promise<void>
    /** `null`: not known yet. */
    preferences: { readonly lastOfferQuery: OfferQuery } | null
  } => ({
    search: () => Promise.reject(new Error('nothing is searched for')),
    painted: () => Promise.resolve(),
    preferences: null,
  }),
)
vi.mock('#ipc/client.ts', () => ({
  client: {
    offers: { search: (query: OfferQuery) => world.search(query) },
    settings: { update: () => Promise.resolve() },
  },
}))
vi.mock('#ui/painted.ts', () => ({ painted: () => world.painted(), whenIdle: (run: () => void) => run() }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.mock('#shared/settings/preferences-store.ts', () => ({
  usePreferencesStore: () => ({ preferences: world.preferences }),
}))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { useSearch } = await import('../../../../../src-renderer/features/offers/search/use-search.ts')

const many = offersFrom(1, 1_000)
/** What was shown when the first part was painted: how many offers, of how many, and whether that's all. */
let shown: unknown[] = []
beforeEach(() => {
  shown = []
  world.search = () => Promise.resolve(answered(many))
  world.preferences = null
})

test('the first of many offers are shown before the others have come, with how many there are', async () => {
  const { search, found } = searchWith()
  await search()
  expect(shown).toEqual([[300, 1_000, false]])
  expect(found.value).toMatchObject({ answered: 1_000, isWhole: true, offers: many })
  expect(found.value?.changes.size).toBe(0)
})

test('few offers are shown at once', async () => {
  world.search = () => Promise.resolve(answered(many.slice(0, 300)))
  const { search, found } = searchWith()
  await search()
  expect(shown).toEqual([])
  expect(found.value).toMatchObject({ answered: 300, isWhole: true })
})

test('where the first offers would not stay the first rows, all are waited for', async () => {
  const { search, found } = searchWith({ keepsOrder: false })
  await search()
  expect(shown).toEqual([])
  expect(found.value?.offers).toHaveLength(1_000)
})

test('a refresh shows what has changed once all of it is known', async () => {
  const { search, refresh, found } = searchWith()
  await search()
  shown = []
  const later = offersFrom(2, 1_001)
  world.search = () => Promise.resolve(answered(later))
  await refresh()
  expect(shown).toEqual([])
  expect([...(found.value?.changes ?? [])]).toEqual([
    [1_001, { kind: 'new' }],
    [1, { kind: 'gone' }],
  ])
})

test('an answer that breaks off leaves what was found before, and is a problem', async () => {
  const { search, edit, found, problem } = searchWith()
  await search()
  edit({ limit: '999' })
  const before = found.value
  world.search = () => Promise.resolve(brokenOff())
  shown = []
  await search()
  expect(shown).toEqual([[300, 1_000, false]])
  expect(found.value).toBe(before)
  expect(problem.value).not.toBeNull()
})

test('a newer question leaves the first rows of an answer that was on its way, and then nothing of it', async () => {
  const { search, edit, found } = searchWith()
  const first = Promise.withResolvers<undefined>()
  const seen = Promise.withResolvers<undefined>()
  world.painted = () => {
    seen.resolve(undefined)
    return first.promise
  }
  const older = search()
  await seen.promise
  expect(found.value?.isWhole).toBe(false)
  edit({ limit: '5' })
  const asked = Promise.withResolvers<undefined>()
  const answer = Promise.withResolvers<Parts>()
  world.search = () => {
    asked.resolve(undefined)
    return answer.promise
  }
  const newer = search()
  first.resolve(undefined)
  await asked.promise
  expect(found.value).toMatchObject({ answered: 1_000, isWhole: false })
  answer.resolve(answered(offersFrom(7, 9)))
  await Promise.all([older, newer])
  expect(found.value).toMatchObject({ answered: 3, isWhole: true, offers: offersFrom(7, 9) })
  expect(found.value?.changes.size).toBe(0)
})

test('the first look has asked for the last search when it is begun, and asks once', async () => {
  const asked: OfferQuery[] = []
  const answer = Promise.withResolvers<Parts>()
  world.search = (query) => {
    asked.push(query)
    return answer.promise
  }
  world.preferences = { lastOfferQuery: { ...defaultOfferQuery, limit: 7 } }
  const { beginFirstLook, found } = searchWith()
  await beginFirstLook()
  expect(asked).toMatchObject([{ limit: 7 }])
  await beginFirstLook()
  answer.resolve(answered(many))
  await waitFor(() => expect(found.value?.isWhole).toBe(true))
  await beginFirstLook()
  expect(asked).toHaveLength(1)
})

test('nothing is asked at a first look before the last search is known', async () => {
  const { beginFirstLook, found } = searchWith()
  await beginFirstLook()
  expect(found.value).toBeNull()
})

function searchWith({ keepsOrder = true } = {}): ReturnType<typeof useSearch> {
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const search = scope.run(() => useSearch(() => keepsOrder))
  if (!search) throw new Error('the scope has ended')
  world.painted = () => {
    const now = search.found.value
    shown.push([now?.offers.length, now?.answered, now?.isWhole])
    return Promise.resolve()
  }
  return search
}

function offersFrom(first: number, last: number): Offer[] {
  return Array.from({ length: last - first + 1 }, (_, at) => ({ id: first + at, dph_total: 1 }))
}

function answered(records: readonly Offer[]): Parts {
  return inParts({ records, unreadable: [], at: 5 })
}

async function* brokenOff(): Parts {
  for await (const part of answered(many)) {
    yield part
    throw new Error('broken off')
  }
}
