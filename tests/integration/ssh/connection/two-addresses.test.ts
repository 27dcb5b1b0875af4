import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import { settle } from '../../../support/fake-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'
import {
  authorizedKeys,
  id,
  longHeadStart,
  nowhere,
  openInstance,
  startBoth,
  startGreeter,
  startSilence,
} from './two-addresses.ts'

describe('an instance with two addresses', () => {
  test('is reached at the direct one, and the other is left alone', async () => {
    const { direct, proxy } = await startBoth()
    const places = { direct: direct.address, proxy: proxy.address }
    const { connect, tried, asked } = await openInstance(places, { clock: longHeadStart })
    const { state } = await connect()
    expect(state).toMatchObject({ kind: 'open', address: direct.address })
    expect(proxy.passed()).toBe(0)
    expect(new Set(tried)).toEqual(new Set(['direct']))
    expect(asked).toHaveLength(1)
  })

  test('is reached at the proxy at once where the direct one refuses, and there first from then on', async () => {
    const { proxy } = await startBoth()
    const places = { direct: await nowhere(), proxy: proxy.address }
    const { connect, tried, addresses } = await openInstance(places)
    const first = await connect()
    expect(first.state).toMatchObject({ kind: 'open', address: places.proxy })
    expect(tried.at(0)).toBe('direct')
    expect(addresses()).toEqual([places.proxy])
    await first.release()
    tried.length = 0
    const second = await connect()
    expect(second.state).toMatchObject({ kind: 'open', address: places.proxy })
    expect(tried).not.toContain('direct')
  })

  test('is reached at the proxy within two seconds where the direct one is silent, which is told nothing and closed', async () => {
    const { proxy } = await startBoth()
    const silence = await startSilence()
    const { connect } = await openInstance({ direct: silence.address, proxy: proxy.address })
    const { state, ms } = await connect()
    expect(state).toMatchObject({ kind: 'open', address: proxy.address })
    expect(ms).toBeGreaterThan(1_000)
    await waitFor(() => expect(silence.open()).toBe(0))
    expect(silence.heard()).toBe(0)
  })

  test('is reached at the direct one where the proxy is blocked', async () => {
    const { direct } = await startBoth()
    const places = { direct: direct.address, proxy: await nowhere() }
    const { state } = await (await openInstance(places)).connect()
    expect(state).toMatchObject({ kind: 'open', address: places.direct })
  })

  test('that refuses at both fails with one error that names both', async () => {
    const places = { direct: await nowhere(), proxy: await nowhere() }
    const { state } = await (await openInstance(places)).connect()
    expect(state).toMatchObject({
      kind: 'failed',
      problem: {
        kind: 'both-addresses',
        tries: [
          { address: places.direct, problem: { kind: 'refused' } },
          { address: places.proxy, problem: { kind: 'refused' } },
        ],
      },
    })
  })

  test('that takes the connection at one and ends it without a word of SSH is reached at the other', async () => {
    const { proxy } = await startBoth()
    const web = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    )
    web.listen(0, '127.0.0.1')
    await once(web, 'listening')
    onTestFinished(() => void web.close())
    const at = web.address()
    if (at === null || typeof at === 'string') throw new Error('no port')
    const places = { direct: { host: '127.0.0.1', port: at.port }, proxy: proxy.address }
    const { state } = await (await openInstance(places)).connect()
    expect(state).toMatchObject({ kind: 'open', address: places.proxy })
  })

  test('is tried at the chosen one only', async () => {
    const { proxy } = await startBoth()
    const places = { direct: await nowhere(), proxy: proxy.address }
    const { state } = await (await openInstance(places, { choice: 'direct' })).connect()
    expect(state).toMatchObject({ kind: 'failed', problem: { kind: 'refused' }, address: places.direct })
    expect(proxy.passed()).toBe(0)
  })

  test('is tried at no other one on reconnect either, where the service no longer names the chosen one', async () => {
    const { direct, proxy } = await startBoth()
    const places: { direct: SshAddress | null; proxy: SshAddress } = {
      direct: direct.address,
      proxy: proxy.address,
    }
    const { connect } = await openInstance(places, { choice: 'direct' })
    await (await connect()).release()
    places.direct = null
    expect((await connect()).state).toMatchObject({
      kind: 'failed',
      problem: { kind: 'no-address', chosen: 'direct' },
    })
    expect(proxy.passed()).toBe(0)
  })

  test('shows a key that is revoked at the other address only: it is refused at the chosen one, without any list', async () => {
    const { direct, proxy } = await startBoth()
    const places = { direct: direct.address, proxy: proxy.address }
    const trusted = await openInstance(places, { choice: 'proxy' })
    await (await trusted.connect()).release()
    const known = `@revoked ${await readFile(trusted.knownHostsFile, 'utf8')}`
    const { state } = await (
      await openInstance(places, { choice: 'direct', isListed: false, known })
    ).connect()
    expect(state).toMatchObject({ kind: 'host-key-changed', address: places.direct, revoked: true })
  })

  test('is reached through a jump host at whichever address answers from there', async () => {
    const { proxy } = await startBoth()
    const hop = await startSshd({ authorizedKeys })
    const places = { direct: await nowhere(), proxy: proxy.address }
    const refused = await (await openInstance(places, { jump: hop.address })).connect()
    expect(refused.state).toMatchObject({ kind: 'open', address: places.proxy })

    const silence = await startSilence()
    const silent = await (
      await openInstance({ direct: silence.address, proxy: proxy.address }, { jump: hop.address })
    ).connect()
    expect(silent.state).toMatchObject({ kind: 'open', address: proxy.address })
    await waitFor(() => expect(silence.open()).toBe(0))
    expect(silence.heard()).toBe(0)

    const neither = { direct: await nowhere(), proxy: await nowhere() }
    expect((await (await openInstance(neither, { jump: hop.address })).connect()).state).toMatchObject({
      kind: 'failed',
      problem: {
        kind: 'both-addresses',
        tries: [{ problem: { kind: 'no-way-on' } }, { problem: { kind: 'no-way-on' } }],
      },
    })
  })

  test('is reached at the other address over the same connection to the jump host, which is asked about once', async () => {
    const { proxy } = await startBoth()
    const hop = await startSshd({ authorizedKeys })
    const toHop = await startProxy(hop.address)
    const { address: direct, clock } = await startGreeter('ends')
    const { connect, hopLogins } = await openInstance(
      { direct, proxy: proxy.address },
      { clock, jump: toHop.address },
    )
    const { state } = await connect()
    expect(state).toMatchObject({ kind: 'open', address: proxy.address })
    expect(hopLogins()).toBe(1)
  })

  test('is trusted once for both addresses, and another key at the other one is an alarm', async () => {
    const { direct, proxy } = await startBoth()
    const places = { direct: direct.address, proxy: proxy.address }
    const { connect, asked } = await openInstance(places)
    const first = await connect()
    await first.release()
    direct.close()
    const second = await connect()
    expect(second.state).toMatchObject({ kind: 'open', address: places.proxy })
    expect(asked).toHaveLength(1)

    const impostor = await startSshd({ authorizedKeys })
    const differing = { direct: impostor.address, proxy: proxy.address }
    const other = await openInstance(differing, { clock: longHeadStart })
    const trusted = await other.connect()
    expect(trusted.state).toMatchObject({ kind: 'open', address: differing.direct })
    await trusted.release()
    await impostor.machine.down()
    const alarm = await other.connect()
    expect(alarm.state).toMatchObject({
      kind: 'host-key-changed',
      address: differing.proxy,
      ofInstance: { lastAddress: differing.direct, keyOf: null },
    })
    expect(other.asked).toHaveLength(1)
  })

  test.each([
    ['says no more', 'silent', 'unanswered'],
    ['ends the connection', 'ends', 'link-lost'],
    ['has no algorithm in common', 'foreign', 'no-common-algorithm'],
    ['sends what is no SSH', 'garbage', 'link-lost'],
    ['takes its leave', 'leaves', 'link-lost'],
    ['says that the login is done', 'claims', 'link-lost'],
  ] as const)('that greets at the direct one and then %s is reached at the other', async (_, then, kind) => {
    const { proxy } = await startBoth()
    const { address: direct, clock } = await startGreeter(then)
    const { connect, addresses } = await openInstance({ direct, proxy: proxy.address }, { clock })
    expect((await connect()).state).toMatchObject({ kind: 'open', address: proxy.address })
    expect(addresses()).toEqual([proxy.address])

    const neither = await openInstance({ direct, proxy: await nowhere() }, { clock })
    expect((await neither.connect()).state).toMatchObject({
      kind: 'failed',
      problem: {
        kind: 'both-addresses',
        tries: [{ address: direct, problem: { kind } }, { problem: { kind: 'refused' } }],
      },
    })
  })

  test('is not tried at the other one where the login at the first fails, which is not remembered as reached', async () => {
    const sshd = await startSshd({ authorizedKeys: [] })
    const proxy = await startProxy(sshd.address)
    const places = { direct: sshd.address, proxy: proxy.address }
    const { connect, asked, addresses } = await openInstance(places, { clock: longHeadStart })
    const { state } = await connect()
    expect(state).toMatchObject({
      kind: 'failed',
      address: places.direct,
      problem: { kind: 'authentication-failed' },
    })
    expect(asked).toHaveLength(1)
    expect(addresses()).toEqual([])
    expect(proxy.passed()).toBe(0)
  })

  test('is asked about once where the login fails, and connected to again', async () => {
    const sshd = await startSshd({ authorizedKeys: [] })
    const proxy = await startProxy(sshd.address)
    const { connect, asked } = await openInstance({ direct: await nowhere(), proxy: proxy.address })
    await connect()
    await connect()
    expect(asked).toHaveLength(1)
  })

  test('each have their own user and jump host by the configuration, and are tried one after the other then', async () => {
    const { proxy } = await startBoth()
    const hop = await startSshd({ authorizedKeys })
    const places = { direct: await nowhere(), proxy: proxy.address }
    const through = parseJumpHosts(`${user}@${hop.address.host}:${hop.address.port}`) ?? []
    const { connect, tried } = await openInstance(places, {
      configOf: ({ port }) =>
        port === places.direct.port ? { user: 'nobody' } : { via: { kind: 'jump', hosts: through }, user },
    })
    expect((await connect()).state).toMatchObject({
      ...{ kind: 'open', address: places.proxy, user },
      through: `${user}@${hop.address.host}:${hop.address.port}`,
    })
    expect(tried.indexOf('hop')).toBeGreaterThan(tried.indexOf('direct'))
  })

  test('given up while the winner waits to be taken is connected to nowhere', async () => {
    const { direct, proxy } = await startBoth()
    const keychain = Promise.withResolvers<undefined>()
    const { connections, state, end } = await openInstance(
      { direct: direct.address, proxy: proxy.address },
      { keysAfter: keychain.promise },
    )
    const acquired = connections.acquire(id, end)
    acquired.catch(() => undefined) // looked at below
    await waitFor(() => expect(direct.passed()).toBeGreaterThan(0))
    connections.stopTrying(id)
    await expect(acquired).rejects.toMatchObject({ failure: { problem: { kind: 'stopped' } } })
    await waitFor(() => expect(direct.open()).toBe(0))
    keychain.resolve(undefined)
    await settle()
    expect([direct.open(), proxy.open()]).toEqual([0, 0])
    expect(state.value.kind).toBe('failed')
  })
})
