import { Client } from 'ssh2'
import { describe, expect, test, vi } from 'vitest'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { user } from '../sshd.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { id, identities, openConnections } from './open-connections.ts'

describe('the connection to an instance', () => {
  test('is made once for all who ask, asks once, and lasts until the last gives it back', async () => {
    const { proxy, connections, state, until, trust, signal } = await openConnections()
    const asking = [1, 2, 3].map(() => connections.acquire(id, signal))
    await trust()
    const [first, second, third] = await Promise.all(asking)
    expect(proxy.open()).toBe(1)
    expect(second?.client).toBe(first?.client)
    await waitFor(() =>
      expect(state.value).toMatchObject({ kind: 'open', user, latencyMs: expect.any(Number) as number }),
    )
    expect(connections.list.value).toEqual([{ instanceId: id, state: state.value }])
    first?.release()
    first?.release() // counts once
    second?.release()
    expect(proxy.open()).toBe(1)
    third?.release()
    await until('idle')
    await waitFor(() => expect(proxy.open()).toBe(0))
  })

  test('is not waited for by one who gives up, and is made for the others', async () => {
    const { connections, trust, until, signal } = await openConnections()
    const giveUp = new AbortController()
    const given = connections.acquire(id, giveUp.signal)
    const kept = connections.acquire(id, signal)
    await until('unknown-host')
    giveUp.abort(new Error('not wanted'))
    await expect(given).rejects.toThrow('not wanted')
    await trust()
    ;(await kept).release()
  })

  test('is given up while it is made when nobody waits any more', async () => {
    const { proxy, connections, until } = await openConnections()
    const giveUp = new AbortController()
    const given = connections.acquire(id, giveUp.signal)
    await until('unknown-host')
    giveUp.abort(new Error('not wanted'))
    await expect(given).rejects.toThrow('not wanted')
    await until('idle')
    await waitFor(() => expect(proxy.open()).toBe(0))
  })

  test('that is cut is made again, once for all who want it back', async () => {
    const { proxy, connections, trust, signal } = await openConnections()
    const first = connections.acquire(id, signal)
    await trust()
    const { ended, release } = await first
    proxy.cut()
    expect(await ended).toMatchObject({ kind: 'link-lost' })
    release()
    const again = await Promise.all([connections.regain(id, signal), connections.regain(id, signal)])
    expect(proxy.open()).toBe(1)
    for (const share of again) share.release()
  })

  test('that died while the computer slept is missed sooner when it wakes', async () => {
    const { proxy, connections, state, trust, signal } = await openConnections()
    const first = connections.acquire(id, signal)
    await trust()
    const { ended } = await first
    await waitFor(() => expect(state.value).toMatchObject({ latencyMs: expect.any(Number) as number }))
    proxy.fallSilent()
    connections.wake()
    expect(await ended).toEqual({ kind: 'link-lost', detail: { code: 'silent', seconds: 6 } })
    proxy.heal()
    ;(await connections.regain(id, signal)).release()
  })

  test('waits longer each time while the machine is away, and is tried at once when asked to', async () => {
    const { sshd, connections, until, trust, signal } = await openConnections()
    const first = connections.acquire(id, signal)
    await trust()
    const { ended } = await first
    await sshd.machine.down()
    await ended
    const regained = connections.regain(id, signal)
    expect(await until('waiting')).toMatchObject({ kind: 'waiting' })
    await sshd.machine.up()
    connections.tryNow(id)
    await regained
    await until('open')
  })

  test('is not tried any more once the user has enough of it, and is when asked to again', async () => {
    const { sshd, connections, until, trust, signal } = await openConnections()
    const first = connections.acquire(id, signal)
    await trust()
    const { ended } = await first
    connections.stopTrying(id) // what stands goes on
    await until('open')
    await sshd.machine.down()
    await ended
    const waiting = [connections.regain(id, signal), connections.regain(id, signal)]
    await until('waiting')
    connections.stopTrying(id)
    for (const regained of waiting)
      await expect(regained).rejects.toMatchObject({ failure: { problem: { kind: 'stopped' } } })
    expect(await until('failed')).toMatchObject({ problem: { kind: 'stopped' } })
    connections.dismiss(id)
    await until('idle')
    await sshd.machine.up()
    ;(await connections.regain(id, signal)).release()
  })

  test('is given up for all at a machine that accepts and says nothing', async () => {
    const { proxy, connections, until, signal } = await openConnections()
    proxy.fallSilent()
    const asked = connections.acquire(id, signal)
    await waitFor(() => expect(proxy.open()).toBe(1))
    connections.stopTrying(id)
    await expect(asked).rejects.toMatchObject({ failure: { problem: { kind: 'stopped' } } })
    await until('failed')
  })

  test('is given up for all while a keychain does not answer', async () => {
    const readKeys = vi.fn(() => new Promise<Identities>(() => undefined))
    const { connections, until, signal } = await openConnections(readKeys)
    const asked = connections.acquire(id, signal)
    await waitFor(() => expect(readKeys).toHaveBeenCalledOnce())
    connections.stopTrying(id)
    await expect(asked).rejects.toMatchObject({ failure: { problem: { kind: 'stopped' } } })
    await until('failed')
  })

  test('asks on when an attempt before, which nobody wants any more, hears from the keychain at last', async () => {
    const keychain = Promise.withResolvers<Identities>()
    const readKeys = vi.fn(() => Promise.resolve<Identities>(identities))
    readKeys.mockReturnValueOnce(keychain.promise)
    const { connections, until, trust, signal } = await openConnections(readKeys)
    const giveUp = new AbortController()
    const given = connections.acquire(id, giveUp.signal)
    await waitFor(() => expect(readKeys).toHaveBeenCalledOnce())
    giveUp.abort(new Error('not wanted'))
    await expect(given).rejects.toThrow('not wanted')
    const wanted = connections.acquire(id, signal)
    await until('unknown-host')
    keychain.resolve(identities)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await trust()
    ;(await wanted).release()
  })

  test('is not tried again once the instance has none any more', async () => {
    const { proxy, connections, findTarget, trust, signal } = await openConnections()
    const first = connections.acquire(id, signal)
    await trust()
    const { ended } = await first
    findTarget.mockResolvedValue({ kind: 'none', status: 'exited' })
    proxy.cut()
    await ended
    await expect(connections.regain(id, signal)).rejects.toMatchObject({
      failure: { kind: 'failed', problem: { kind: 'no-address', status: 'exited' } },
    })
  })

  test('is joined by a guest for as long as others hold it', async () => {
    const { connections, trust, until, signal } = await openConnections()
    expect(connections.join(id)).toBeNull()
    const asking = connections.acquire(id, signal)
    await trust()
    const { client, release } = await asking
    const guest = connections.join(id)
    expect(guest?.client).toBe(client)
    guest?.release()
    expect((await until('open')).kind).toBe('open')
    release()
    await until('idle')
    await guest?.ended
    expect(connections.join(id)).toBeNull()
  })

  test('is measured by a request of ssh2 that it keeps to itself: look at round-trip.ts when this fails', () => {
    const client = new Client()
    expect(Reflect.has(client, '_protocol') && Reflect.has(client, '_callbacks')).toBe(true)
  })
})
