import { expect, test, vi } from 'vitest'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import { ForwardedAgent } from '#services/ssh/keys/forwarded-agent.ts'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../proxy.ts'
import { startSshd } from '../sshd.ts'
import { authorizedKeys, id, identities, openConnections } from './open-connections.ts'
import { instanceId as loginsId, openLogins } from './logins.ts'
import { password, user } from '../../../ssh-servers/server.ts'
import { startDropbear } from '../../../ssh-servers/dropbear.ts'
import { startParamiko } from '../../../ssh-servers/paramiko.ts'

/** Connections to a machine, one of which stands. */
async function openShared(...how: Parameters<typeof openConnections>) {
  const opened = await openConnections(...how)
  const asking = opened.connections.acquire(id, opened.signal)
  await opened.trust()
  return { ...opened, shared: await asking }
}

test('a connection apart stands beside the shared one, asks nothing, and shows in no state', async () => {
  const { proxy, connections, state, shared, until, signal } = await openShared()
  const apart = await connections.openApart(id, signal)
  expect(proxy.open()).toBe(2)
  expect(apart?.client).not.toBe(shared.client)
  shared.release()
  await until('idle')
  await waitFor(() => expect(proxy.open()).toBe(1))
  expect(state.value).toEqual({ kind: 'idle' })
  apart?.release()
  await waitFor(() => expect(proxy.open()).toBe(0))
})

test('none is made where no shared one stands', async () => {
  const { proxy, connections, findTarget, signal } = await openConnections()
  expect(await connections.openApart(id, signal)).toBeNull()
  expect(findTarget).not.toHaveBeenCalled()
  expect(proxy.open()).toBe(0)
  expect(connections.list.value).toEqual([])
})

test('there is one at a time on an instance, and another one when it is given back', async () => {
  const { proxy, connections, signal } = await openShared()
  const opening = connections.openApart(id, signal)
  expect(await connections.openApart(id, signal)).toBeNull()
  const apart = await opening
  expect(await connections.openApart(id, signal)).toBeNull()
  expect(proxy.open()).toBe(2)
  apart?.release()
  await waitFor(() => expect(proxy.open()).toBe(1))
  const next = await connections.openApart(id, signal)
  expect(next).not.toBeNull()
  // What was given back before is nobody's any more.
  apart?.release()
  expect(await connections.openApart(id, signal)).toBeNull()
})

test('its end does not take the agent from the shells of the shared one', async () => {
  const agent = new ForwardedAgent('/nowhere', () => true, systemClock)
  const endAll = vi.spyOn(agent, 'endAll')
  const { proxy, connections, shared, signal } = await openShared(undefined, { agentFor: () => agent })
  expect(shared.agent).toBe(agent)
  const apart = await connections.openApart(id, signal)
  expect(apart).not.toBeNull()
  apart?.release()
  await waitFor(() => expect(proxy.open()).toBe(1))
  expect(endAll).not.toHaveBeenCalled()
})

test.each(['is refused', 'is lost'])(
  'one that %s is not tried again before the shared one is made anew',
  async (what) => {
    let keys: Identities = identities
    const readKeys = vi.fn(() => Promise.resolve(keys))
    const { proxy, connections, shared, signal, until } = await openShared(readKeys)
    if (what === 'is refused') {
      keys = { ...identities, keys: [] }
      await expect(connections.openApart(id, signal)).rejects.toThrow()
    } else {
      const apart = await connections.openApart(id, signal)
      apart?.breakOff({ code: 'files-ended' })
      await apart?.ended
    }
    keys = identities
    readKeys.mockClear()
    expect(await connections.openApart(id, signal)).toBeNull()
    expect(readKeys).not.toHaveBeenCalled()
    shared.release()
    await until('idle')
    await waitFor(() => expect(proxy.open()).toBe(0))
    await connections.acquire(id, signal)
    expect(await connections.openApart(id, signal)).not.toBeNull()
  },
)

test('one that was given up by who wanted it may be tried again', async () => {
  const { connections, signal } = await openShared()
  const given = new AbortController()
  const opening = connections.openApart(id, given.signal)
  given.abort(new Error('given up'))
  await expect(opening).rejects.toThrow('given up')
  expect(await connections.openApart(id, signal)).not.toBeNull()
})

test('one with another host key than that of the shared one is not taken, though that is trusted too', async () => {
  const { connections, findTarget, signal, state } = await openShared()
  const other = await startSshd({ authorizedKeys })
  const elsewhere = await startProxy(other.address)
  const there = { kind: 'address', address: elsewhere.address } as const
  const otherId = id + 1
  findTarget.mockResolvedValue(there)
  const asking = connections.acquire(otherId, signal)
  for await (const asked of connections.state(otherId).watch(signal)) {
    if (asked.kind !== 'unknown-host') continue
    connections.answerHostKey(otherId, true, asked.offered.fingerprint)
    break
  }
  ;(await asking).release()
  await waitFor(() => expect(elsewhere.open()).toBe(0))
  const passed = elsewhere.passed()
  expect(await connections.openApart(id, signal)).toBeNull()
  expect(elsewhere.passed()).toBeGreaterThan(passed)
  await waitFor(() => expect(elsewhere.open()).toBe(0))
  expect(state.value.kind).toBe('open')
})

test('none is tried beside one whose host took a password, though that is kept', async () => {
  const { address } = await startParamiko({ authorizedKeys, logins: [['password']] })
  const proxy = await startProxy(address)
  const { connections, acquire, trust, asked, say, signal } = await openLogins({
    address: proxy.address,
    user,
  })
  const acquired = acquire()
  await trust()
  await asked()
  say([password], true)
  await acquired
  expect(await connections.openApart(loginsId, signal)).toBeNull()
  expect(proxy.open()).toBe(1)
})

test('none sends what the host would ask its user for, where the keys do no more', async () => {
  const { address } = await startParamiko({ authorizedKeys, logins: [['publickey'], ['password']] })
  let privateKeys: readonly string[] = identities.keys.map((key) => key.privateKey)
  const { connections, store, acquire, trust, hostKey, signal } = await openLogins({
    ...{ address, user },
    privateKeys: () => privateKeys,
  })
  const acquired = acquire()
  await trust()
  await acquired
  store.kept.set(`${user}@${address.host}:${address.port}`, { password, hostKey: await hostKey() })
  const read = vi.spyOn(store, 'read')
  privateKeys = []
  await expect(connections.openApart(loginsId, signal)).rejects.toMatchObject({
    failure: { problem: { kind: 'authentication-failed', tried: [] } },
  })
  expect(read).not.toHaveBeenCalled()
})

test('none is tried either where only a jump host asked for more than keys', async () => {
  const jump = await startDropbear({ authorizedKeys: [], login: 'password' })
  const hop = { address: jump.address, user, config: noHostConfig }
  const { connections, state, findTarget, signal } = await openConnections(undefined, {
    findRoute: () => Promise.resolve({ hops: [hop], leavesOutCommand: false }),
  })
  const asking = connections.acquire(id, signal)
  for await (const now of state.watch(signal)) {
    if (now.kind === 'unknown-host') connections.answerHostKey(id, true, now.offered.fingerprint)
    if (now.kind === 'open') break
    if (now.kind !== 'login') continue
    const responses = [{ kind: 'text', text: password } as const]
    connections.answerLogin(id, now.question.id, { kind: 'responses', responses, remember: false })
  }
  await asking
  findTarget.mockClear()
  expect(await connections.openApart(id, signal)).toBeNull()
  expect(findTarget).not.toHaveBeenCalled()
})
