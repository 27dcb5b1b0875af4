import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Client } from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ForwardPlan } from '#domain/forwards/forward.ts'
import { createRemoteListener } from '#services/forwards/remote-listener.ts'
import { RemoteListeners } from '#services/forwards/remote-listeners.ts'
import { Tunnels } from '#services/forwards/tunnels.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { startDropbear } from '../../ssh-servers/dropbear.ts'
import { startOddServer } from '../ssh/odd-server.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { closed, echo, exchange, serve, sha256, startWorld } from './world.ts'
import { waitFor } from '../../support/wait-for.ts'

function remote(port: number, to: { host: string; port: number }): ForwardPlan {
  return { kind: 'remote', entrance: { port, reach: 'loopback' }, to: { host: to.host, port: to.port } }
}

// The real sshd of these tests runs on this computer: what it listens on is reached here, too.
describe('a remote forward', () => {
  test('brings connections of the instance to this computer, every byte both ways', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    const id = await world.open(remote(port, await serve(echo)))
    const sent = randomBytes(8 * 1024 * 1024)
    expect(sha256(await exchange(port, sent))).toBe(sha256(sent))
    await waitFor(() =>
      expect(world.shown(id).traffic).toEqual({
        sentBytes: sent.length,
        receivedBytes: sent.length,
        connections: 0,
      }),
    )
    await world.forwards.stop(id)
    await waitFor(() => closed(connect({ port, host: '127.0.0.1' })))
    await waitFor(() => expect(world.proxy.open()).toBe(0))
  })

  test('says when nothing listens on this computer', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    const id = await world.open(remote(port, { host: '127.0.0.1', port: await findFreePort() }))
    await closed(connect({ port, host: '127.0.0.1' }))
    expect(world.shown(id).state).toEqual({ kind: 'open', refusal: 'nothing-listens' })
  })

  test('says when the port is in use there', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    const plan = remote(port, await serve(echo))
    const first = await world.open(plan)
    const { id } = await world.forwards.add({ instanceId: 2, plan, takeFree: false })
    expect(await world.until(id, 'failed')).toEqual({
      kind: 'failed',
      problem: { kind: 'refused-there', port },
    })
    expect(world.shown(first).state.kind).toBe('open')
  })

  test('lets go of its port when it is stopped, while others go on with the connection, and may begin again', async () => {
    const world = await startWorld()
    const [one, other] = [await findFreePort(), await findFreePort()]
    const first = await world.open(remote(one, await serve(echo)))
    const { id: second } = await world.forwards.add({
      instanceId: 1,
      plan: remote(other, await serve(echo)),
      takeFree: false,
    })
    await world.until(second, 'open')
    expect((await exchange(one, Buffer.from('hello'))).toString()).toBe('hello')
    await world.forwards.stop(first)
    await waitFor(() =>
      expect(once(connect({ port: one, host: '127.0.0.1' }), 'connect')).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      }),
    )
    await world.forwards.start(first)
    await world.until(first, 'open')
    expect((await exchange(one, Buffer.from('again'))).toString()).toBe('again')
    expect(world.shown(second).state).toEqual({ kind: 'open', refusal: null })
  })

  test('begins again where the server does not let go of its port (dropbear)', async () => {
    const world = await startWorld({ startOther: startDropbear })
    const [one, other] = [await findFreePort(), await findFreePort()]
    const first = await world.open(remote(one, await serve(echo)))
    const { id: second } = await world.forwards.add({
      instanceId: 1,
      plan: remote(other, await serve(echo)),
      takeFree: false,
    })
    await world.until(second, 'open')
    for (const words of ['again', 'and again']) {
      await world.forwards.stop(first)
      // What still comes is refused.
      await closed(connect({ port: one, host: '127.0.0.1' }))
      await world.forwards.start(first)
      await world.until(first, 'open')
      expect((await exchange(one, Buffer.from(words))).toString()).toBe(words)
    }
    expect(world.proxy.open()).toBe(1)
  })

  test('stands beside another one and a shell-less connection, and comes back after a cut', async () => {
    const world = await startWorld()
    const [one, other] = [await findFreePort(), await findFreePort()]
    const first = await world.open(remote(one, await serve(echo)))
    const { id: second } = await world.forwards.add({
      instanceId: 1,
      plan: remote(other, await serve((socket) => socket.end('the other'))),
      takeFree: false,
    })
    await world.until(second, 'open')
    expect(world.proxy.open()).toBe(1)
    expect((await exchange(other, Buffer.alloc(0))).toString()).toBe('the other')
    world.proxy.cut()
    await world.until(first, 'reconnecting')
    await world.until(first, 'open')
    await world.until(second, 'open')
    expect((await exchange(one, Buffer.from('again'))).toString()).toBe('again')
    expect((await exchange(other, Buffer.alloc(0))).toString()).toBe('the other')
  })
})

test('an instance that leaves the question open keeps no connection once the forward is given up', async () => {
  const { address } = await startOddServer({
    // With somebody who hears the request, ssh2 leaves the answer to them.
    onConnection: (connection) => void connection.on('request', () => undefined),
  })
  const client = new Client()
  onTestFinished(() => void client.destroy())
  client.connect({ ...address, username: 'anybody', hostVerifier: () => true })
  await once(client, 'ready')
  const listener = createRemoteListener(
    { kind: 'remote', entrance: { port: 8080, reach: 'loopback' }, to: { host: '127.0.0.1', port: 1 } },
    {
      tunnels: new Tunnels(),
      listeners: new RemoteListeners(),
      clock: systemClock,
      onOutcome: () => undefined,
    },
  )
  const end = new AbortController()
  const attached = listener.attach(client, end.signal)
  end.abort(new Error('given up'))
  await expect(attached).rejects.toThrow('given up')
})

test('an instance that brings more connections than a forward takes has the rest refused', async () => {
  const world = await startWorld()
  const port = await findFreePort()
  let taken = 0
  const id = await world.open(remote(port, await serve(() => void (taken += 1))))
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  let refused = 0
  // No more at a time than stand in line at an sshd: those beyond are tried again by the system, later and later.
  while (sockets.length < 530) {
    const some = Array.from({ length: 53 }, () => connect({ port, host: '127.0.0.1' }))
    for (const socket of some) void closed(socket).then(() => (refused += 1))
    sockets.push(...some)
    await waitFor(() => expect(taken + refused).toBe(sockets.length), { intervalMs: 5 })
  }
  await waitFor(() => expect(refused).toBe(530 - 512))
  await waitFor(() => expect(world.shown(id).traffic.connections).toBe(512))
  // Told to this computer's side of each a moment after the other.
  await waitFor(() => expect(taken).toBe(512))
})
