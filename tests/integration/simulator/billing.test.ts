import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, show } from './caller.ts'
import { newAccount } from './template-caller.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 50, bootSeconds: [1800, 1800] })
})
afterAll(() => simulator.close())

const HOUR = 3600

type Tenant = ReturnType<typeof newAccount>

async function creditOf(tenant: Tenant): Promise<number> {
  const { body } = await call(tenant, 'GET', '/api/v0/users/current/')
  return z.object({ credit: z.number() }).parse(body).credit
}

/** What the account is charged in ten hours. */
async function chargedInTenHours(tenant: Tenant): Promise<number> {
  const before = await creditOf(tenant)
  await simulator.clock.advance(10 * HOUR)
  return before - (await creditOf(tenant))
}

it('charges only the disk while it boots, counted to the second though the clock moved further at once', async () => {
  const tenant = newAccount(simulator)
  const before = await creditOf(tenant)
  const { id } = await rent(tenant, { disk: 500 })
  await simulator.clock.advance(3 * HOUR)
  const { dph_total: total, storage_total_cost: storage } = await show(tenant, id)
  expect(before - (await creditOf(tenant))).toBeCloseTo(2 * Number(total) + Number(storage), 2)
})

it('charges nothing for instances that are only listed', async () => {
  expect(await chargedInTenHours(newAccount(simulator, { instances: 3 }))).toBe(0)
})
