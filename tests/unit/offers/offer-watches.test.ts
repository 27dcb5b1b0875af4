import { expect, onTestFinished, test, vi } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { emptyOfferLists, type OfferLists } from '#domain/offers/offer-lists.ts'
import { mostWatches } from '#domain/offers/offer-watch.ts'
import { defaultOfferQuery, type Offer, type OfferQuery } from '#domain/offers/offer.ts'
import { mostPerLook } from '#services/offers/look.ts'
import { OfferWatches, offerWatchesFile } from '#services/offers/offer-watches.ts'
import { PriceCourse, type CourseLine } from '#services/offers/price-course.ts'
import { PriceCourses } from '#services/offers/price-courses.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'

const minuteMs = 60_000

/** Ten saved searches, and a service whose answers and failures a test sets. `run()` again is a restart. */
function watchWorld() {
  const clock = new FakeClock()
  const searches = Array.from({ length: mostWatches + 1 }, (_, index) => ({
    id: `s${index}`,
    name: `Search ${index}`,
    query: { ...defaultOfferQuery, filters: { num_gpus: { eq: index + 1 } } },
  }))
  const lists = { latest: new Latest<OfferLists>({ ...emptyOfferLists, searches }) }
  const file = memoryFile(offerWatchesFile.fallback)
  const courses = new Map<string, CourseLine[]>()
  const service = { offers: [] as Offer[], problem: null as Problem | null, answers: true }
  const asked: { readonly at: number; readonly query: OfferQuery }[] = []
  const told: string[] = []
  let ids = 0

  function run() {
    const end = new AbortController()
    const watches = new OfferWatches({
      ...{ file, lists, clock, random: () => 0, randomId: () => `id-${(ids += 1)}`, log: memoryLog() },
      find: async (query) => {
        asked.push({ at: clock.now(), query })
        if (service.problem !== null) throw new ProblemError(service.problem)
        return { records: service.offers, unreadable: [] }
      },
      mayLook: () => service.answers,
      courses: new PriceCourses({
        open: (id) => {
          const entries = courses.get(id) ?? []
          courses.set(id, entries)
          return new PriceCourse({ journal: memoryJournal(entries), log: memoryLog() })
        },
        deleteOthers: async (kept) => {
          for (const id of [...courses.keys()]) if (!kept.includes(id)) courses.delete(id)
        },
        log: memoryLog(),
      }),
      notify: ({ title, path }) => void told.push(`${title} ${path}`),
    })
    const following = watches.follow(end.signal)
    const quit = async (): Promise<void> => {
      end.abort()
      await following
    }
    onTestFinished(quit)
    return { watches, quit }
  }
  return { clock, lists, file, courses, service, asked, told, run }
}

test('a look is one request, for the cheapest offers, once a minute at most', async () => {
  const { clock, asked, run } = watchWorld()
  const { watches } = run()
  await watches.set({ searchId: 's0', tellUsd: null })
  await clock.advance(10 * minuteMs)
  expect(asked.length).toBeGreaterThanOrEqual(9)
  for (const [index, { at, query }] of asked.entries()) {
    expect(query).toMatchObject({ order: [['dph_total', 'asc']], limit: mostPerLook })
    if (index > 0) expect(at - (asked[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(minuteMs)
  }
})

test('the course has each look that is shown, also while the disk takes long for what was told', async () => {
  const { clock, lists, file, service, run } = watchWorld()
  service.offers = [{ id: 1, dph_total: 0.3 }]
  const disk = Promise.withResolvers<undefined>()
  const write = file.write.bind(file)
  vi.spyOn(file, 'write').mockImplementation(async (value) => {
    if (value.some(({ told }) => told.length > 0)) await disk.promise
    await write(value)
  })
  const { watches } = run()
  const end = new AbortController()
  let points = 0
  const watching = (async () => {
    for await (const course of watches.watchCourse('s0', 'day', end.signal)) points = course.length
  })()
  await watches.set({ searchId: 's0', tellUsd: 1 })
  await clock.advance(1_000)
  expect(watches.state.value).toMatchObject([{ news: null }])
  lists.latest.set({ ...lists.latest.value })
  await clock.advance(1_000)
  disk.resolve(undefined)
  await clock.advance(1_000)
  expect(watches.state.value).toMatchObject([{ last: { lowestUsd: 0.3 }, news: { offers: 1 } }])
  expect(points).toBe(1)
  end.abort()
  await watching.catch(() => undefined) // it was ended
})

test('ten searches have their turns in a minute, apart from each other, also after sleep and at the next start', async () => {
  const { clock, asked, run } = watchWorld()
  const { watches, quit } = run()
  for (let index = 0; index < mostWatches; index += 1)
    await watches.set({ searchId: `s${index}`, tellUsd: null })
  await expect(watches.set({ searchId: `s${mostWatches}`, tellUsd: null })).rejects.toMatchObject({
    problem: { fault: { code: 'watches-full' } },
  })
  await clock.advance(5 * minuteMs)
  clock.sleepThrough(8 * 60 * minuteMs)
  const wokeAt = clock.now()
  watches.woke()
  await clock.advance(2 * minuteMs)
  await quit()
  run()
  await clock.advance(2 * minuteMs)

  const times = asked.map(({ at }) => at)
  for (const [index, at] of times.entries())
    if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(6_000)
  const ofEach = Map.groupBy(asked, ({ query }) => JSON.stringify(query.filters))
  expect(ofEach.size).toBe(mostWatches)
  for (const looks of ofEach.values())
    for (const [index, { at }] of looks.entries())
      if (index > 0) expect(at - (looks[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(minuteMs)
  // The network may need some time to be back.
  expect(Math.min(...times.filter((at) => at > wokeAt - 1))).toBeGreaterThanOrEqual(wokeAt + 10_000)
})

test('a service that asks for a pause gets it, for all searches', async () => {
  const { clock, service, asked, run } = watchWorld()
  const { watches } = run()
  service.problem = { kind: 'rate-limited', retryAfterSeconds: 300, message: '' }
  for (const searchId of ['s0', 's1']) await watches.set({ searchId, tellUsd: null })
  await clock.advance(299_000)
  expect(asked).toHaveLength(1)
  expect(watches.state.value[0]?.problem).toMatchObject({ kind: 'rate-limited' })
  service.problem = null
  await clock.advance(30_000)
  expect(asked).toHaveLength(3)
  expect(watches.state.value.map(({ problem }) => problem)).toEqual([null, null])
})

test('failures back off; while the list of instances isn’t answered, nothing is sent', async () => {
  const { clock, service, asked, run } = watchWorld()
  const { watches } = run()
  service.problem = { kind: 'service-failed', status: 500, message: '' }
  await watches.set({ searchId: 's0', tellUsd: null })
  await clock.advance(60 * minuteMs)
  expect(asked.length).toBeLessThan(9)
  service.problem = null
  service.answers = false
  const before = asked.length
  await clock.advance(60 * minuteMs)
  expect(asked).toHaveLength(before)
  expect(watches.state.value[0]?.nextAt).toBeNull()
  service.answers = true
  await clock.advance(30_000)
  expect(asked.length).toBe(before + 1)
})

test('a search that the service refuses holds up no other', async () => {
  const { clock, service, asked, run } = watchWorld()
  const { watches } = run()
  service.problem = { kind: 'refused', status: 400, code: 'bad_request', message: 'no such field' }
  await watches.set({ searchId: 's0', tellUsd: null })
  await clock.advance(1_000)
  service.problem = null
  await watches.set({ searchId: 's1', tellUsd: null })
  await clock.advance(5 * minuteMs)
  const ofOther = asked.filter(({ query }) => query.filters['num_gpus']?.['eq'] === 2)
  expect(asked.length - ofOther.length).toBe(1)
  expect(ofOther.length).toBeGreaterThanOrEqual(4)
})

test('an offer is told once, with a way to its search, also after a restart, and shown until it was seen', async () => {
  const { clock, service, told, run } = watchWorld()
  const { watches, quit } = run()
  await watches.set({ searchId: 's0', tellUsd: 0.4 })
  service.offers = [{ id: 7, dph_total: 0.5 }]
  await clock.advance(2 * minuteMs)
  expect(told).toEqual([])
  service.offers = [{ id: 7, dph_total: 0.35 }]
  await clock.advance(2 * minuteMs)
  expect(told).toEqual(['1 offer at or below $0.40/h /offers?saved=s0'])
  expect(watches.state.value[0]?.news).toEqual({ offers: 1, lowestUsd: 0.35, tellUsd: 0.4 })
  watches.dismissNews('s0')
  expect(watches.state.value[0]?.news).toBeNull()
  await quit()
  run()
  await clock.advance(5 * minuteMs)
  expect(told).toHaveLength(1)
})

test('a blocked offer is neither told nor counted', async () => {
  const { clock, lists, service, told, run } = watchWorld()
  const { watches } = run()
  lists.latest.set({ ...lists.latest.value, blocked: [{ kind: 'machine', id: 70, title: '', at: 1 }] })
  service.offers = [
    { id: 7, machine_id: 70, dph_total: 0.1 },
    { id: 8, machine_id: 80, dph_total: 0.5 },
  ]
  await watches.set({ searchId: 's0', tellUsd: 0.4 })
  await clock.advance(minuteMs)
  expect(told).toEqual([])
  expect(watches.state.value[0]?.last).toMatchObject({ offers: 1, lowestUsd: 0.5 })
})

test('another search under the same id begins another course; a deleted one isn’t looked at', async () => {
  const { clock, lists, service, asked, courses, run } = watchWorld()
  const { watches, quit } = run()
  service.offers = [{ id: 7, dph_total: 0.5 }]
  await watches.set({ searchId: 's0', tellUsd: null })
  await clock.advance(3 * minuteMs)
  expect([...courses.values()].map(({ length }) => length)).toEqual([4])
  const [first, ...others] = lists.latest.value.searches
  if (first === undefined) throw new Error('There is none')
  const changed = { ...first, query: { ...first.query, filters: {} } }
  lists.latest.set({ ...lists.latest.value, searches: [changed, ...others] })
  await clock.advance(minuteMs)
  expect([...courses.values()].map(({ length }) => length)).toEqual([1])

  lists.latest.set({ ...lists.latest.value, searches: others })
  await clock.advance(1)
  const before = asked.length
  await clock.advance(5 * minuteMs)
  expect(asked).toHaveLength(before)
  expect(watches.state.value).toEqual([])
  // "Undo" brings it back with its course.
  lists.latest.set({ ...lists.latest.value, searches: [changed, ...others] })
  await clock.advance(minuteMs / 2)
  expect(watches.state.value).toHaveLength(1)
  expect([...courses.values()].map(({ length }) => length)).toEqual([2])
  lists.latest.set({ ...lists.latest.value, searches: others })
  await quit()
  run()
  await clock.advance(minuteMs)
  expect(courses.size).toBe(0)
})

test('the median is over what came, and it is said when more was left out', async () => {
  const { clock, service, run } = watchWorld()
  const { watches } = run()
  service.offers = Array.from({ length: mostPerLook }, (_, index) => ({ id: index, dph_total: index + 1 }))
  await watches.set({ searchId: 's0', tellUsd: null })
  await clock.advance(1_000)
  expect(watches.state.value[0]).toMatchObject({ isCut: true, last: { medianUsd: 250.5, lowestUsd: 1 } })

  // A service that sends far more than it was asked for.
  service.offers = Array.from({ length: 300_000 }, (_, index) => ({ id: index, dph_total: index + 1 }))
  await clock.advance(minuteMs)
  expect(watches.state.value[0]).toMatchObject({ isCut: true, problem: null, last: { medianUsd: 250.5 } })
})
