import { describe, expect, test } from 'vitest'
import { findFreePort } from '../../simulator/free-port.ts'
import { nothingListed } from '#domain/instances/instance.ts'
import { echo, exchange, serve, startWorld } from './world.ts'
import { waitFor } from '../../support/wait-for.ts'

async function openEcho() {
  const world = await startWorld()
  const port = await findFreePort()
  const { port: there } = await serve(echo)
  const plan = {
    kind: 'local',
    entrance: { port, reach: 'loopback' },
    to: { host: '127.0.0.1', port: there },
  } as const
  return { world, port, plan, id: await world.open(plan) }
}

describe('forwards on disk', () => {
  test('come back on with the next start, unless they were off', async () => {
    const { world, port, id } = await openEcho()
    const off = { kind: 'dynamic', entrance: { port: await findFreePort(), reach: 'loopback' } } as const
    const { id: second } = await world.forwards.add({ instanceId: 1, plan: off, takeFree: false })
    await world.until(second, 'open')
    await world.forwards.stop(second)
    world.restart()
    await world.until(id, 'open')
    expect((await exchange(port, Buffer.from('hello'))).toString()).toBe('hello')
    expect(world.shown(second)).toMatchObject({ plan: off, state: { kind: 'stopped' } })
  })

  test('end with their instance, and only when the service has said that it is gone', async () => {
    const { world, id } = await openEcho()
    const stop = new AbortController()
    const following = world.forwards.follow(stop.signal)
    world.snapshot.set({ ...nothingListed, fetchedAt: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(world.shown(id).state.kind).toBe('open')
    world.snapshot.set({ ...nothingListed, instances: [], fetchedAt: 2 })
    await waitFor(() => expect(world.forwards.state.value).toEqual([]))
    expect(world.file.value).toEqual([])
    await waitFor(() => expect(world.proxy.open()).toBe(0))
    stop.abort()
    await following
  })

  test('become what they are changed to, on another port and to another place', async () => {
    const { world, plan, port, id } = await openEcho()
    const { port: elsewhere } = await serve((socket) => socket.end('another place'))
    const next = await findFreePort()
    const changed = {
      ...plan,
      entrance: { ...plan.entrance, port: next },
      to: { ...plan.to, port: elsewhere },
    }
    await world.forwards.change(id, changed)
    await world.until(id, 'open')
    expect((await exchange(next, Buffer.from(''))).toString()).toBe('another place')
    await expect(exchange(port, Buffer.from('hello'))).rejects.toThrow()
    expect(world.file.value).toMatchObject([{ id, plan: changed, isOn: true }])

    const { id: second } = await world.forwards.add({ instanceId: 1, plan, takeFree: false })
    await expect(world.forwards.change(second, changed)).rejects.toMatchObject({
      problem: { kind: 'invalid-input', field: 'plan.entrance.port' },
    })
  })

  test('are refused where another one listens already, and gone once removed', async () => {
    const { world, plan, id } = await openEcho()
    await expect(
      world.forwards.add({ instanceId: 2, plan: { ...plan, kind: 'dynamic' }, takeFree: false }),
    ).rejects.toMatchObject({ problem: { kind: 'invalid-input', field: 'plan.entrance.port' } })
    await world.forwards.remove(id)
    expect(world.file.value).toEqual([])
    await expect(world.forwards.start(id)).rejects.toMatchObject({ problem: { kind: 'invalid-input' } })
  })
})
