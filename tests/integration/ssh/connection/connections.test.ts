import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ssh2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { createConnections, type ConnectionsOptions } from '#services/ssh/connection/connections.ts'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
const id = 7

/** Connections to one real machine through a proxy; the first question is answered with yes. */
async function openConnections(readKeys = () => Promise.resolve<Identities>(identities)) {
  const sshd = await startSshd({ authorizedKeys: [publicKey.line] })
  const proxy = await startProxy(sshd.address)
  const folder = await mkdtemp(join(tmpdir(), 'slipway-connections-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  const findTarget = vi.fn<ConnectionsOptions['findTarget']>(() =>
    Promise.resolve({ kind: 'address', address: proxy.address }),
  )
  const connections = createConnections({
    findTarget,
    user: () => user,
    identities: readKeys,
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
  })
  const state = connections.state(id)
  async function until(kind: ConnectionState['kind']): Promise<ConnectionState> {
    for await (const now of state.watch(end.signal)) if (now.kind === kind) return now
    throw new Error(`never ${kind}`)
  }
  async function trust(): Promise<void> {
    const asked = await until('unknown-host')
    if (asked.kind === 'unknown-host') connections.answerHostKey(id, true, asked.offered.fingerprint)
  }
  return { sshd, proxy, connections, findTarget, state, until, trust, signal: end.signal }
}

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

  test('asks nothing for one who is quiet: the attempt ends, is shown nowhere, and trusts nothing', async () => {
    const { proxy, connections, state, signal } = await openConnections()
    const seen: string[] = []
    const follow = async (): Promise<void> => {
      for await (const { kind } of state.watch(signal)) seen.push(kind)
    }
    void follow()
    for (const _ of [1, 2])
      await expect(connections.acquire(id, signal, 'quiet')).rejects.toMatchObject({
        failure: { kind: 'failed', problem: { kind: 'unasked' } },
        isPassing: false,
      })
    expect(state.value).toEqual({ kind: 'idle' })
    expect(seen.filter((kind) => kind !== 'idle' && kind !== 'connecting')).toEqual([])
    await waitFor(() => expect(proxy.open()).toBe(0))
  })

  test('asks for one who may ask, also where a quiet one waits, and is then made for both', async () => {
    const { proxy, connections, until, trust, signal } = await openConnections()
    const quiet = connections.acquire(id, signal, 'quiet')
    const asking = connections.acquire(id, signal)
    await trust()
    const [one, other] = await Promise.all([quiet, asking])
    other.release()
    expect(proxy.open()).toBe(1)
    one.release()
    await until('idle')
    // The host key is known now.
    const again = await connections.acquire(id, signal, 'quiet')
    again.release()
    await until('idle')
  })

  test('keeps in sight how it failed, also a key that changed, while a quiet one tries in vain', async () => {
    const { sshd, connections, state, until, trust, signal } = await openConnections()
    const asking = connections.acquire(id, signal)
    await trust()
    ;(await asking).release()
    await sshd.machine.replaceHostKey()
    await expect(connections.acquire(id, signal)).rejects.toThrow()
    const shown = state.value
    expect(shown.kind).toBe('host-key-changed')
    const seen: ConnectionState[] = []
    const follow = async (): Promise<void> => {
      for await (const now of state.watch(signal)) seen.push(now)
    }
    void follow()
    await expect(connections.acquire(id, signal, 'quiet')).rejects.toThrow()
    expect(seen.every((one) => one === shown)).toBe(true)
    await connections.forgetHostKey(id)
    await until('idle')
    const again = connections.acquire(id, signal)
    await trust()
    ;(await again).release()
    await sshd.machine.down()
    await expect(connections.acquire(id, signal)).rejects.toThrow()
    expect(state.value.kind).toBe('failed')
    await sshd.machine.up()
    const quiet = await connections.acquire(id, signal, 'quiet')
    expect(state.value.kind).toBe('open')
    quiet.release()
  })

  test('stops asking when the last of those who may ask leaves, and the quiet one that waited is told', async () => {
    const { connections, until, signal } = await openConnections()
    const leave = new AbortController()
    const asking = connections.acquire(id, leave.signal)
    await until('unknown-host')
    const quiet = connections.acquire(id, signal, 'quiet')
    leave.abort(new Error('left'))
    await expect(asking).rejects.toThrow('left')
    await expect(quiet).rejects.toMatchObject({ failure: { problem: { kind: 'unasked' } } })
    await until('idle')
  })

  test('looks up where it is for one who may ask, and by the list for one who is quiet', async () => {
    const { connections, findTarget, trust, signal } = await openConnections()
    await expect(connections.acquire(id, signal, 'quiet')).rejects.toThrow()
    expect(findTarget.mock.lastCall).toEqual([id, 'listed'])
    const asking = connections.acquire(id, signal)
    await trust()
    ;(await asking).release()
    expect(findTarget.mock.lastCall).toEqual([id, 'current'])
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
