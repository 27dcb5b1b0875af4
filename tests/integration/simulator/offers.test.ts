import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, search } from './caller.ts'

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

it('orders with nulls last', async () => {
  const byScore = await search(simulator, { order: [['dlperf', 'desc']] })
  expect(byScore.at(-1)?.['dlperf']).toBeNull()
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
