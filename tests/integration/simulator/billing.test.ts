import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { chargeOf, costSoFar, diskPrice } from '#domain/money/money.ts'
import { perHourCost } from '#domain/money/total-cost.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, search, show } from './caller.ts'
import { newAccount } from './template-caller.ts'

/** It stands, and is moved by hand: a few seconds of a dear offer are more than what is compared here. */
const standingMs = Date.now()

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 50, bootSeconds: [1800, 1800], machineNow: () => standingMs })
})
afterAll(() => simulator.close())

const HOUR = 3600

type Tenant = ReturnType<typeof newAccount>

async function creditOf(tenant: Tenant): Promise<number> {
  const { body } = await call(tenant, 'GET', '/api/v0/users/current/')
  return z.object({ credit: z.number() }).parse(body).credit
}

async function rentRunning(): Promise<{ tenant: Tenant; id: number }> {
  const tenant = newAccount(simulator)
  const { id } = await rent(tenant, { disk: 500 })
  await simulator.clock.advance(HOUR)
  expect((await show(tenant, id)).actual_status).toBe('running')
  return { tenant, id }
}

/** What the account is charged in ten hours. */
async function chargedInTenHours(tenant: Tenant): Promise<number> {
  const before = await creditOf(tenant)
  await simulator.clock.advance(10 * HOUR)
  return before - (await creditOf(tenant))
}

/** As a client knows it that sees it for the first time. */
const stateOf = (record: Awaited<ReturnType<typeof show>>) => ({
  status: record.actual_status,
  record,
  history: [{ status: record.actual_status, at: simulator.clock.now() }],
})

const path = (id: number): string => `/api/v0/instances/${String(id)}/`

it('charges in full while it boots, counted to the second though the clock moved further at once', async () => {
  const tenant = newAccount(simulator)
  const before = await creditOf(tenant)
  const { id } = await rent(tenant, { disk: 500 })
  await simulator.clock.advance(3 * HOUR)
  const { dph_total: total } = await show(tenant, id)
  expect(before - (await creditOf(tenant))).toBeCloseTo(3 * Number(total), 2)
})

describe('what the window shows is what the account loses', () => {
  it.each([null, 'loading', 'running', 'stopped', 'exited', 'unknown', 'offline'])(
    'as charged now: %s',
    async (status) => {
      const { tenant, id } = await rentRunning()
      await simulator.instances.setFate(id, status)
      const record = await show(tenant, id)
      const { perHourUsd } = chargeOf(stateOf(record))
      expect(perHourUsd).toBeGreaterThan(0)
      expect(await chargedInTenHours(tenant)).toBeCloseTo(10 * Number(perHourUsd), 2)
    },
  )

  it('as cost so far, its boot included', async () => {
    const tenant = newAccount(simulator)
    const before = await creditOf(tenant)
    const { id } = await rent(tenant, { disk: 500 })
    await simulator.clock.advance(20 * HOUR)
    const record = await show(tenant, id)
    const cost = costSoFar(stateOf(record), simulator.clock.now())
    expect(before - (await creditOf(tenant))).toBeCloseTo(Number(cost?.usd), 2)
  })

  it('as the price of an offer with its disk, and of the disk alone', async () => {
    const tenant = newAccount(simulator)
    const [offer] = await search(tenant, { rentable: { eq: true }, limit: 1 })
    if (offer === undefined) throw new Error('no offer')
    const before = await creditOf(tenant)
    await call(tenant, 'PUT', `/api/v0/asks/${String(offer.id)}/`, { body: { image: 'ubuntu', disk: 500 } })
    await simulator.clock.advance(10 * HOUR)
    const running = before - (await creditOf(tenant))
    expect(running).toBeCloseTo(10 * Number(perHourCost(offer, 500)?.usd), 2)
    const { instances } = z
      .object({ instances: z.array(z.object({ id: z.number() })) })
      .parse((await call(tenant, 'GET', '/api/v0/instances/')).body)
    await call(tenant, 'PUT', path(Number(instances[0]?.id)), { body: { state: 'stopped' } })
    expect(await chargedInTenHours(tenant)).toBeCloseTo(10 * Number(diskPrice(offer, 500)?.perHourUsd), 2)
  })
})

it('charges nothing for instances that are only listed', async () => {
  expect(await chargedInTenHours(newAccount(simulator, { instances: 3 }))).toBe(0)
})
