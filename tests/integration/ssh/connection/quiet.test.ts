import { describe, expect, test, vi } from 'vitest'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { Target } from '#services/ssh/connection/route.ts'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { id, identities, openConnections } from './open-connections.ts'

describe('the connection to an instance, for one who is quiet', () => {
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

  test('shows what a quiet attempt has begun to one who joins it: after its failure was dismissed, and for one who regains', async () => {
    let readKeys = (): Promise<Identities> => Promise.resolve(identities)
    const { sshd, connections, state, until, trust, signal } = await openConnections(() => readKeys())
    const asking = connections.acquire(id, signal)
    await trust()
    ;(await asking).release()
    /** A quiet attempt that is about to log in, and what lets it go on. */
    const beginQuietly = async () => {
      const { promise, resolve } = Promise.withResolvers<Identities>()
      const reading = vi.fn(() => promise)
      readKeys = reading
      const quiet = connections.acquire(id, signal, 'quiet')
      quiet.catch(() => undefined)
      await waitFor(() => expect(reading).toHaveBeenCalled())
      return { quiet, goOn: () => resolve(identities) }
    }

    await sshd.machine.replaceHostKey()
    await expect(connections.acquire(id, signal)).rejects.toThrow()
    expect(state.value.kind).toBe('host-key-changed')
    const hidden = await beginQuietly()
    expect(state.value.kind).toBe('host-key-changed')
    await connections.forgetHostKey(id)
    expect(state.value.kind).toBe('idle')
    const joined = connections.acquire(id, signal)
    expect(state.value.kind).toBe('connecting')
    hidden.goOn()
    await trust()
    for (const lease of await Promise.all([hidden.quiet, joined])) lease.release()
    await until('idle')

    // Nobody joins: that it stands is seen all the same.
    readKeys = () => Promise.resolve(identities)
    await sshd.machine.down()
    await expect(connections.acquire(id, signal)).rejects.toThrow()
    await sshd.machine.up()
    const alone = await beginQuietly()
    connections.dismiss(id)
    alone.goOn()
    const lease = await alone.quiet
    expect(state.value.kind).toBe('open')
    lease.release()
    await until('idle')

    readKeys = () => Promise.resolve(identities)
    await sshd.machine.replaceHostKey()
    await expect(connections.acquire(id, signal)).rejects.toThrow()
    await connections.forgetHostKey(id)
    await sshd.machine.down()
    await expect(connections.acquire(id, signal)).rejects.toThrow()
    await sshd.machine.up()
    const lost = await beginQuietly()
    expect(state.value.kind).toBe('failed')
    const regained = connections.regain(id, signal)
    expect(state.value.kind).toBe('connecting')
    lost.goOn()
    await trust()
    for (const lease of await Promise.all([lost.quiet, regained])) lease.release()
    await until('idle')
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

  test('is tried once more, where it is now, for one who joined a quiet attempt that failed where the list has it', async () => {
    const { connections, findTarget, trust, signal } = await openConnections()
    const listed = Promise.withResolvers<Target>()
    findTarget.mockImplementationOnce(() => listed.promise)
    const quiet = expect(connections.acquire(id, signal, 'quiet')).rejects.toMatchObject({
      failure: { problem: { kind: 'refused' } },
    })
    const asking = connections.acquire(id, signal)
    listed.resolve({ kind: 'address', address: { host: '127.0.0.1', port: 1 } })
    await quiet
    await trust()
    ;(await asking).release()
    expect(findTarget.mock.calls.map(([, asOf]) => asOf)).toEqual(['listed', 'current'])
  })
})
