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
  it('goes from null over loading to running by the clock, and only then has ports', async () => {
    const { id } = await rent(simulator)
    expect(await show(simulator, id)).toMatchObject({ actual_status: null, ports: {} })
    await simulator.clock.advance(1000)
    expect(await show(simulator, id)).toMatchObject({ actual_status: 'loading', ports: {} })
    await simulator.clock.advance(1999)
    expect((await show(simulator, id)).actual_status).toBe('loading')
    await simulator.clock.advance(1)
    const running = await show(simulator, id)
    expect(running).toMatchObject({ actual_status: 'running', ssh_host: '127.0.0.1' })
    expect(running.ports).toEqual({ '22/tcp': [{ HostIp: '127.0.0.1', HostPort: String(running.ssh_port) }] })
  })

  it('takes real time too', async () => {
    const quick = await startSimulator({ offers: 5, bootSeconds: [0.1, 0.2] })
    try {
      const { id } = await rent(quick)
      await expect.poll(async () => (await show(quick, id)).actual_status).toBe('running')
    } finally {
      await quick.close()
    }
  })

  it.each(['exited', 'unknown', 'offline'])(
    'can end in %s instead, when that was planned',
    async (status) => {
      simulator.instances.planNextFate({ actualStatus: status, afterSeconds: 1500 })
      const { id } = await rent(simulator)
      const next = await rent(simulator)
      await simulator.clock.advance(1100)
      expect((await show(simulator, id)).actual_status).toBe('loading')
      await simulator.clock.advance(5000)
      expect((await show(simulator, id)).actual_status).toBe(status)
      expect((await show(simulator, next.id)).actual_status).toBe('running')
    },
  )

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
})

it.each(['exited', 'unknown', 'offline'])('never runs again once it is %s', async (status) => {
  const { id } = await rent(simulator)
  await simulator.instances.setFate(id, status)
  await expect(simulator.instances.setFate(id, 'running')).rejects.toThrow('never runs again')
  await simulator.clock.advance(10_000)
  expect((await show(simulator, id)).actual_status).toBe(status)
})

describe('stopping and destroying', () => {
  it('stops, keeps the record and the files, and charges the disk only', async () => {
    const { id } = await rent(simulator, { disk: 100 })
    await simulator.clock.advance(5000)
    const before = await show(simulator, id)
    expect(await call(simulator, 'PUT', path(id), { body: { state: 'stopped' } })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    const after = await show(simulator, id)
    expect(after).toMatchObject({ actual_status: 'stopped', intended_status: 'stopped', ports: {} })
    expect(after['dph_total']).toBe(after['storage_total_cost'])
    expect(Number(after['dph_total'])).toBeLessThan(Number(before['dph_total']))
  })

  it('is one that runs again, in all that is said of it, when its fate is to run', async () => {
    const { id } = await rent(simulator)
    await simulator.clock.advance(20)
    await call(simulator, 'PUT', path(id), { body: { state: 'stopped' } })
    await simulator.instances.setFate(id, 'running')
    expect(await show(simulator, id)).toMatchObject({ actual_status: 'running', intended_status: 'running' })
  })

  it('ends a boot that is going on when it is stopped', async () => {
    const { id } = await rent(simulator)
    await call(simulator, 'PUT', path(id), { body: { state: 'stopped' } })
    await simulator.clock.advance(10_000)
    expect((await show(simulator, id)).actual_status).toBe('stopped')
  })

  it('destroys in any state, once', async () => {
    const { id } = await rent(simulator)
    expect(await call(simulator, 'DELETE', path(id))).toMatchObject({ status: 200, body: { success: true } })
    expect(await call(simulator, 'GET', path(id))).toMatchObject({
      status: 404,
      body: { error: 'no_such_instance' },
    })
    expect((await call(simulator, 'DELETE', path(id))).status).toBe(404)
    await simulator.clock.advance(10_000)
    expect((await call(simulator, 'GET', path(id))).status).toBe(404)
  })
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

it('lists seeded instances beside the rented ones', async () => {
  const { body } = await call(simulator, 'GET', '/api/v0/instances/')
  const reply = z.object({ instances_found: z.number(), instances: z.array(z.unknown()) })
  const { instances_found: found, instances } = reply.parse(body)
  expect(found).toBe(instances.length)
  expect(instances.slice(0, 4)).toMatchObject([1, 2, 3, 4].map(() => ({ actual_status: 'running' })))
})
