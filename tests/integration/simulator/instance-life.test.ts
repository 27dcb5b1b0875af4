import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, search, show } from './caller.ts'

/** It stands, and is moved by hand: a second more or less decides here. */
const standingMs = Date.now()

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({
    offers: 50,
    instances: 4,
    bootSeconds: [1000, 2000],
    machineNow: () => standingMs,
  })
})
afterAll(() => simulator.close())

const path = (id: number): string => `/api/v0/instances/${String(id)}/`

describe('a boot', () => {
  it('takes real time too', async () => {
    const quick = await startSimulator({ offers: 5, bootSeconds: [0.1, 0.2] })
    try {
      const { id } = await rent(quick)
      await expect.poll(async () => (await show(quick, id)).actual_status).toBe('running')
    } finally {
      await quick.close()
    }
  })

  it('ends as planned for one instance, not for the next', async () => {
    simulator.instances.planNextFate({ actualStatus: 'exited', afterSeconds: 1500 })
    const { id } = await rent(simulator)
    const next = await rent(simulator)
    await simulator.clock.advance(1100)
    expect((await show(simulator, id)).actual_status).toBe('loading')
    await simulator.clock.advance(5000)
    expect((await show(simulator, id)).actual_status).toBe('exited')
    expect((await show(simulator, next.id)).actual_status).toBe('running')
  })

  it('meets a plan without a time when it would have become running', async () => {
    await call(simulator, 'POST', '/_simulator/next-fate', { body: { actual_status: 'loading' } })
    const { id } = await rent(simulator)
    await simulator.clock.advance(100_000)
    expect((await show(simulator, id)).actual_status).toBe('loading')
  })

  it('shows a machine that could not be started as exited, and why', async () => {
    const { id } = await rent(simulator)
    await rm(join(simulator.instances.homeOf(id) ?? '', '../host_key'))
    await simulator.clock.advance(5000)
    const { actual_status: status, status_msg: message } = await show(simulator, id)
    expect(status).toBe('exited')
    expect(message).toContain('sshd does not start')
  })

  it('ends when the instance is stopped', async () => {
    const { id } = await rent(simulator)
    await call(simulator, 'PUT', path(id), { body: { state: 'stopped' } })
    await simulator.clock.advance(10_000)
    expect((await show(simulator, id)).actual_status).toBe('stopped')
  })
})

it('a stopped instance is one that runs again, in all that is said of it, when its fate is to run', async () => {
  const { id } = await rent(simulator)
  await simulator.clock.advance(20)
  await call(simulator, 'PUT', path(id), { body: { state: 'stopped' } })
  await simulator.instances.setFate(id, 'running')
  expect(await show(simulator, id)).toMatchObject({ actual_status: 'running', intended_status: 'running' })
})

it.each(['stopped', 'loading'])(
  'what has exited never runs again, also when it was %s since',
  async (since) => {
    const { id } = await rent(simulator)
    await simulator.instances.setFate(id, 'exited')
    if (since === 'stopped') await call(simulator, 'PUT', path(id), { body: { state: since } })
    else await simulator.instances.setFate(id, since)
    await expect(simulator.instances.setFate(id, 'running')).rejects.toThrow('exited, and never runs again')
    expect(await show(simulator, id)).toMatchObject({ actual_status: since })
  },
)

it('a stop leads to the status that was ordered for it, with or without a word of it in the record', async () => {
  const order = { actual_status: 'exited', lists_state: false }
  expect((await call(simulator, 'POST', '/_simulator/next-stop', { body: order })).status).toBe(200)
  const stopped = async (): Promise<unknown> => {
    const { id } = await rent(simulator)
    await simulator.clock.advance(5000)
    await call(simulator, 'PUT', path(id), { body: { state: 'stopped' } })
    const { actual_status, cur_state, dph_total, storage_total_cost } = await show(simulator, id)
    expect(dph_total).toBe(storage_total_cost)
    return { actual_status, cur_state }
  }
  expect(await stopped()).toEqual({ actual_status: 'exited', cur_state: 'running' })
  simulator.instances.planNextStop({ actualStatus: 'offline' })
  expect(await stopped()).toEqual({ actual_status: 'offline', cur_state: 'stopped' })
  expect(await stopped()).toEqual({ actual_status: 'stopped', cur_state: 'stopped' })
})

it('carries in its record what was ordered and what was rented', async () => {
  const { id, offerId } = await rent(simulator, {
    image: 'pytorch/pytorch',
    disk: 33,
    onstart: 'true',
    env: { A: '1', '-p 80:80': '1' },
  })
  const [offer] = await search(simulator, { id: { eq: offerId } })
  const nowSeconds = simulator.clock.now() / 1000
  const record = await show(simulator, id)
  expect(record).toMatchObject({
    id,
    image_uuid: 'pytorch/pytorch',
    disk_space: 33,
    onstart: 'true',
    extra_env: [
      ['A', '1'],
      ['-p 80:80', '1'],
    ],
    gpu_name: offer?.['gpu_name'],
    machine_id: offer?.['machine_id'],
  })
  expect(Math.abs(Number(record['start_date']) - nowSeconds)).toBeLessThan(10)
  expect(Number(record['dph_total'])).toBeGreaterThan(0)
})

it('carries a token for notebooks that tells nothing of any key', async () => {
  const { id, instanceKey } = await rent(simulator)
  const { jupyter_token: token } = await show(simulator, id)
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  for (const key of [instanceKey, simulator.key]) {
    expect(key).not.toContain(token)
    expect(key).not.toContain(String(token).slice(0, 8))
  }
})

it('lists seeded instances beside the rented ones', async () => {
  const { body } = await call(simulator, 'GET', '/api/v0/instances/')
  const reply = z.object({ instances_found: z.number(), instances: z.array(z.unknown()) })
  const { instances_found: found, instances } = reply.parse(body)
  expect(found).toBe(instances.length)
  expect(instances.slice(0, 4)).toMatchObject([1, 2, 3, 4].map(() => ({ actual_status: 'running' })))
})
