import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import type { OfferQuery } from '#domain/offers/offer.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { skippingTimeOf } from '../../support/skipping-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain, type Client } from '../whole/main-program.ts'
import { rentRequestFor } from '../whole/requests.ts'

const minuteMs = 60_000

/** All of main on the simulator's time, what the desktop was told, and the looks that the service got. */
async function startWatched() {
  const service = await startSimulator({ offers: 60, bootSeconds: [0, 0] })
  onTestFinished(() => service.close())
  const userData = join(await temporaryFolder(), 'data')
  const { clock, fetch } = skippingTimeOf(service.clock)
  const told: string[] = []
  const keychain = fakeBackend()
  const start = () =>
    startMain({
      ...{ userData, keychain, clock, random: () => 0, fetch },
      notifications:
        () =>
        ({ title }) =>
          void told.push(title),
    })
  const looks = () => service.journal().filter(({ path }) => path === '/api/v0/bundles/')
  return { service, clock, told, start, looks }
}

/** The search for one offer alone. */
const queryFor = (id: number): OfferQuery => ({
  ...{ filters: { id: { eq: id }, rentable: { eq: true } }, type: 'on-demand', limit: 10 },
  order: [['dlperf_per_dphtotal', 'desc']],
})

async function anyOffer(client: Client): Promise<number> {
  const { records: offers } = await fromParts(
    await client.offers.search({ ...queryFor(0), filters: { rentable: { eq: true } } }),
  )
  return offers[0]?.id ?? 0
}

test('an offer that falls to the price is told once, over failures and a restart; its prices are there afterwards', async () => {
  const { service, clock, told, start, looks } = await startWatched()
  const first = await start()
  const { client } = await first.connect(service)
  const offerId = await anyOffer(client)
  service.offers.change(offerId, { dph_total: 0.9 })
  const { id: searchId } = await client.offers.saveSearch({ id: null, name: 'One', query: queryFor(offerId) })
  await client.offers.watches.set({ searchId, tellUsd: 0.5 })
  const before = looks().length
  await clock.pass(10 * minuteMs)
  expect(looks().length - before).toBeGreaterThanOrEqual(9)
  expect(looks().length - before).toBeLessThanOrEqual(11)
  expect(told).toEqual([])

  service.offers.change(offerId, { dph_total: 0.45 })
  service.faults.add({ kind: '500', path: '/api/v0/bundles/', times: 1 })
  await clock.pass(3 * minuteMs)
  expect(told).toEqual(['1 offer at or below $0.50/h'])
  // A failure isn't tried again at once: a look is one request.
  const times = looks()
    .slice(before)
    .map(({ at }) => at)
  for (const [index, at] of times.entries())
    if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThan(59.9)

  await first.app.dispose()
  await service.clock.advance(3 * 3600)
  const second = await start()
  const page = second.window()
  onTestFinished(async () => {
    page.close()
    await clock.quickly(second.app.dispose())
  })
  await clock.pass(5 * minuteMs)
  expect(told).toHaveLength(1)
  const points = await firstOf((_, options) =>
    page.client.offers.watches.watchCourse({ searchId, span: 'day' }, options),
  )
  expect(points.length).toBeGreaterThan(14)
  expect(points.at(-1)).toMatchObject({ offers: 1, lowestUsd: 0.45, medianUsd: 0.45 })
  const gaps = points.filter(
    ({ at }, index) => index > 0 && at - (points[index - 1]?.at ?? 0) > 30 * minuteMs,
  )
  expect(gaps).toHaveLength(1)

  // Gone, and back.
  service.offers.change(offerId, { rentable: false })
  await clock.pass(7 * minuteMs)
  service.offers.change(offerId, { rentable: true })
  await clock.pass(2 * minuteMs)
  expect(told).toHaveLength(2)
  const [watched] = await firstOf(page.client.offers.watches.watch)
  expect(watched?.news).toEqual({ offers: 1, lowestUsd: 0.45, tellUsd: 0.5 })
})

test('a service that limits requests gets as many as it allows', async () => {
  const { service, clock, start, looks } = await startWatched()
  const main = await start()
  const { client } = await main.connect(service)
  onTestFinished(() => clock.quickly(main.app.dispose()))
  const { id: searchId } = await client.offers.saveSearch({
    ...{ id: null, name: 'All', query: { ...queryFor(0), filters: {} } },
  })
  await client.offers.watches.set({ searchId, tellUsd: null })
  await clock.pass(2 * minuteMs)
  service.faults.add({ kind: '429', path: '/api/v0/bundles/', retry_after: 600 })
  await clock.pass(minuteMs)
  const limited = looks().length
  await clock.pass(9 * minuteMs)
  expect(looks().length - limited).toBeLessThanOrEqual(1)
  const [watched] = await firstOf(client.offers.watches.watch)
  expect(watched).toMatchObject({ problem: { kind: 'rate-limited', retryAfterSeconds: 600 } })
  await clock.pass(3 * minuteMs)
  expect((await firstOf(client.offers.watches.watch))[0]?.problem).toBeNull()
})

test('it rents as many as agreed, less those that nobody can tell of, over lost replies, failures, limits, and starts in between', async () => {
  const { service, clock, told, start } = await startWatched()
  const query: OfferQuery = { ...queryFor(0), filters: { rentable: { eq: true }, num_gpus: { eq: 1 } } }
  const rentals = () =>
    service.journal().filter(({ method, path }) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
  let main = await start()
  const { client } = await main.connect(service)
  const { id: searchId } = await client.offers.saveSearch({ id: null, name: 'One GPU', query })
  // Nothing is cheap enough yet.
  const { records: offers } = await fromParts(await client.offers.search({ ...query, limit: 100 }))
  const ids = offers.map(({ id }) => id)
  for (const id of ids) service.offers.change(id, { dph_base: 0.9, dph_total: 0.9 })
  await client.offers.watches.set({ searchId, tellUsd: null })
  const { options } = rentRequestFor(0)
  // Two requests fail so that nobody can tell whether they rented anything: they count.
  const plan = { instances: 6, capPerHourUsd: 0.4 }
  const other = { ...query, filters: {} }
  await expect(
    client.renting.autoRent.begin({ searchId, query: other, options, plan }),
  ).rejects.toMatchObject({
    data: { reason: { code: 'search-changed' } },
  })
  await client.renting.autoRent.begin({ searchId, query, options, plan })
  await expect(client.renting.autoRent.begin({ searchId, query, options, plan })).rejects.toMatchObject({
    data: { reason: { code: 'auto-rent-running' } },
  })
  expect(main.app.pendingWork()).toMatchObject({ autoRents: 1 })
  await clock.pass(3 * minuteMs)
  expect(rentals()).toEqual([])

  const troubles = [
    { kind: 'reset-after' },
    { kind: '500' },
    { kind: '429', retry_after: 120 },
    { kind: 'reset-before' },
    { kind: '502-html', after_work: true },
  ] as const
  for (const fault of troubles) service.faults.add({ ...fault, method: 'PUT', path: '/api/v0/asks/*' })
  for (const id of ids.slice(0, 12)) service.offers.change(id, { dph_base: 0.2, dph_total: 0.2 })
  let page = main.window()
  const list = async () =>
    (await firstOf(wholeLists(page.client.instances.watch), ({ instances }) => instances !== null))
      .instances ?? []
  for (let round = 0; round < 6; round += 1) {
    await clock.pass(3.5 * minuteMs)
    page.close()
    await clock.quickly(main.app.dispose())
    main = await start()
    page = main.window()
  }
  await clock.pass(5 * minuteMs)
  onTestFinished(async () => {
    page.close()
    await clock.quickly(main.app.dispose())
  })
  const view = (await firstOf(page.client.renting.autoRent.watch)).at(-1)
  const rented = (await list()).map(({ id }) => id)
  expect(rented).toHaveLength(4)
  expect(view).toMatchObject({ outcome: { kind: 'complete' } })
  expect(view?.instanceIds.toSorted()).toEqual(rented.toSorted())
  expect(told.filter((title) => title.includes('rented automatically'))).toHaveLength(4)
  expect(main.app.pendingWork()).toMatchObject({ autoRents: 0 })
  // Nothing was rented of what is above the price.
  const cheap = ids.slice(0, 12).map((id) => `/api/v0/asks/${id}/`)
  for (const { path } of rentals()) expect(cheap).toContain(path)
  // The instances can be replaced: what they were rented with is known.
  expect(await page.client.renting.retries.requestOf({ instanceId: rented[0] ?? 0 })).toMatchObject({
    capPerHourUsd: 0.4,
  })
  await clock.pass(10 * minuteMs)
  expect(await list()).toHaveLength(4)
})
