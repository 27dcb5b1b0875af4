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

async function rentRunning(): Promise<{ tenant: Tenant; id: number; total: number; storage: number }> {
  const tenant = newAccount(simulator)
  const { id } = await rent(tenant, { disk: 500 })
  await simulator.clock.advance(HOUR)
  const { dph_total: total, storage_total_cost: storage, actual_status: status } = await show(tenant, id)
  expect(status).toBe('running')
  return { tenant, id, total: Number(total), storage: Number(storage) }
}

/** What the account is charged in ten hours. */
async function chargedInTenHours(tenant: Tenant): Promise<number> {
  const before = await creditOf(tenant)
  await simulator.clock.advance(10 * HOUR)
  return before - (await creditOf(tenant))
}

const path = (id: number): string => `/api/v0/instances/${String(id)}/`

it('charges computing and disk while an instance runs', async () => {
  const { tenant, total, storage } = await rentRunning()
  expect(total).toBeGreaterThan(storage)
  expect(await chargedInTenHours(tenant)).toBeCloseTo(10 * total, 2)
})

it('charges only the disk while it boots, counted to the second though the clock moved further at once', async () => {
  const tenant = newAccount(simulator)
  const before = await creditOf(tenant)
  const { id } = await rent(tenant, { disk: 500 })
  await simulator.clock.advance(3 * HOUR)
  const { dph_total: total, storage_total_cost: storage } = await show(tenant, id)
  expect(before - (await creditOf(tenant))).toBeCloseTo(2 * Number(total) + Number(storage), 2)
})

it('charges only the disk once it is stopped', async () => {
  const { tenant, id, storage } = await rentRunning()
  await call(tenant, 'PUT', path(id), { body: { state: 'stopped' } })
  expect(await chargedInTenHours(tenant)).toBeCloseTo(10 * storage, 2)
})

it.each(['exited', 'unknown', 'offline'])('charges only the disk while it is %s', async (status) => {
  const { tenant, id, storage } = await rentRunning()
  await simulator.instances.setFate(id, status)
  expect((await show(tenant, id))['dph_total']).toBe(storage)
  expect(await chargedInTenHours(tenant)).toBeCloseTo(10 * storage, 2)
})

it('charges nothing once it is destroyed, and gives nothing back', async () => {
  const { tenant, id } = await rentRunning()
  const before = await creditOf(tenant)
  await call(tenant, 'DELETE', path(id))
  expect(await creditOf(tenant)).toBeCloseTo(before, 2)
  expect(await chargedInTenHours(tenant)).toBe(0)
})

it('charges nothing for instances that are only listed', async () => {
  expect(await chargedInTenHours(newAccount(simulator, { instances: 3 }))).toBe(0)
})
