import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, search } from './caller.ts'

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({ offers: 400 })
})
afterAll(() => simulator.close())

it('gives the same offers for the same seed, and others for another', async () => {
  const twin = await startSimulator({ offers: 400 })
  const stranger = await startSimulator({ offers: 400, seed: 2 })
  try {
    const models = async (each: Simulator): Promise<unknown> =>
      (await search(each)).map(({ id, gpu_name, dph_base }) => [id, gpu_name, dph_base])
    expect(await models(twin)).toEqual(await models(simulator))
    expect(await models(stranger)).not.toEqual(await models(simulator))
    expect(twin.key).toBe(simulator.key)
  } finally {
    await twin.close()
    await stranger.close()
  }
})

it.each([
  [{ gpu_name: { eq: 'RTX 4090' } }, (offer: Offer) => offer['gpu_name'] === 'RTX 4090'],
  [{ gpu_name: { neq: 'RTX 4090' } }, (offer: Offer) => offer['gpu_name'] !== 'RTX 4090'],
  [{ num_gpus: { in: [1, 8] } }, (offer: Offer) => [1, 8].includes(Number(offer['num_gpus']))],
  [{ num_gpus: { notin: [1, 8] } }, (offer: Offer) => ![1, 8].includes(Number(offer['num_gpus']))],
  [{ num_gpus: { gt: 1, lt: 8 } }, (offer: Offer) => [2, 4].includes(Number(offer['num_gpus']))],
  [{ num_gpus: { gte: 2, lte: 4 } }, (offer: Offer) => [2, 4].includes(Number(offer['num_gpus']))],
  [
    { verified: { eq: true }, direct_port_count: { gte: 1 } },
    (offer: Offer) => offer['verified'] === true && Number(offer['direct_port_count']) >= 1,
  ],
])('finds by %j exactly the offers that fit', async (filters, fits) => {
  const everything = await search(simulator)
  const found = await search(simulator, { ...filters, type: 'on-demand' })
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(everything.length)
  expect(found.map(({ id }) => id)).toEqual(everything.filter(fits).map(({ id }) => id))
})

it('leaves out offers that have no value to compare', async () => {
  const everything = await search(simulator)
  const withoutScore = everything.filter((offer) => offer['reliability'] === null)
  expect(withoutScore.length).toBeGreaterThan(0)
  expect(await search(simulator, { reliability: { gte: 0 } })).toHaveLength(
    everything.length - withoutScore.length,
  )
  expect(await search(simulator, { reliability: { neq: 5 } })).toHaveLength(
    everything.length - withoutScore.length,
  )
})

it('orders by several fields, nulls last, and limits', async () => {
  const found = await search(simulator, {
    order: [
      ['num_gpus', 'desc'],
      ['dph_total', 'asc'],
    ],
    limit: 50,
  })
  expect(found).toHaveLength(50)
  const sorted = [...found].sort(
    (a, b) =>
      Number(b['num_gpus']) - Number(a['num_gpus']) || Number(a['dph_total']) - Number(b['dph_total']),
  )
  expect(found).toEqual(sorted)
  const byScore = await search(simulator, { order: [['dlperf', 'desc']] })
  expect(byScore.at(-1)?.['dlperf']).toBeNull()
})

it('takes a rented offer off the market until the instance is destroyed', async () => {
  const { id, offerId } = await rent(simulator)
  const market = { id: { eq: offerId }, rentable: { eq: true } }
  expect(await search(simulator, market)).toEqual([])
  expect(await search(simulator, { id: { eq: offerId } })).toMatchObject([{ rentable: false, rented: true }])

  const again = await call(simulator, 'PUT', `/api/v0/asks/${String(offerId)}/`, { body: { image: 'a' } })
  expect(again).toMatchObject({ status: 400, body: { error: 'no_such_ask' } })
  expect(await call(simulator, 'PUT', '/api/v0/asks/3/', { body: { image: 'a' } })).toMatchObject({
    status: 404,
    body: { error: 'no_such_ask' },
  })

  await call(simulator, 'DELETE', `/api/v0/instances/${String(id)}/`)
  expect(await search(simulator, market)).toHaveLength(1)
})

it('rents an offer once when two ask at the same time', async () => {
  const [offer] = await search(simulator, { rentable: { eq: true }, limit: 1 })
  const path = `/api/v0/asks/${String(offer?.id)}/`
  const answers = await Promise.all([1, 2].map(() => call(simulator, 'PUT', path, { body: { image: 'a' } })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

it('serves 10,000 offers in one search, with odd values among them', async () => {
  const large = await startSimulator({ offers: 10_000 })
  try {
    const offers = await search(large)
    expect(offers).toHaveLength(10_000)
    expect(new Set(offers.map(({ id }) => id)).size).toBe(10_000)
    expect(offers.some((offer) => String(offer['geolocation']).includes('<img'))).toBe(true)
    expect(offers.some((offer) => !('cpu_name' in offer))).toBe(true)
  } finally {
    await large.close()
  }
})

type Offer = Readonly<Record<string, unknown>>
