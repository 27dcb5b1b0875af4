import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { InstanceHostKeysFile } from '#domain/ssh/instance-host-keys.ts'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import { addressesToTry } from '#domain/ssh/ssh-address.ts'
import type { AddressChoice } from '#domain/ssh/ssh-choice.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { findRoute } from '#services/ssh/connection/route.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { HostKeysByInstance } from '#services/ssh/known-hosts/host-keys-by-instance.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { findFreePort } from '../../../simulator/free-port.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const authorizedKeys = [publicKey.line]
const id = 7

interface Places {
  readonly direct: SshAddress
  readonly proxy: SshAddress
}

/** The app's own connection to an instance with two addresses; every host key that is asked about is trusted. */
async function open(
  places: Places,
  { jump, choice = 'automatic' }: { readonly jump?: SshAddress; readonly choice?: AddressChoice } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-two-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    connections.stopTrying(id)
    await rm(folder, { recursive: true })
  })
  let kept: InstanceHostKeysFile = {}
  const instanceKeys = new HostKeysByInstance({
    file: {
      get value() {
        return kept
      },
      update: (change) => Promise.resolve(void (kept = change(kept))),
    },
    whereIs: () => [places.direct, places.proxy],
    now: systemClock.now,
    log: memoryLog(),
  })
  const hosts = jump && parseJumpHosts(`${user}@${jump.host}:${jump.port}`)
  const connections = createConnections({
    findTarget: () => {
      const [address, fallback] = addressesToTry(places, choice, instanceKeys.addressesOf(id))
      if (address === undefined) throw new Error('no address')
      return Promise.resolve({ kind: 'address', address, ...(fallback && { fallback }) })
    },
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
    findRoute: () =>
      findRoute({
        via: hosts ? { kind: 'jump', hosts } : null,
        ofJumpHost: () => Promise.resolve({ ...noHostConfig, hostName: null, port: null }),
        localUser: user,
      }),
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
    hostKeysByInstance: instanceKeys,
  })
  const asked: ConnectionState[] = []
  const tried: string[] = []
  const state = connections.state(id)

  /** Connects, and says how that ended. */
  async function connect() {
    const began = performance.now()
    const acquired = connections.acquire(id, end.signal)
    acquired.catch(() => undefined) // the state tells
    for await (const now of state.watch(end.signal)) {
      if (now.kind === 'connecting' && now.address !== null && !now.hop) tried.push(nameOf(now.address))
      if (now.kind === 'unknown-host') {
        asked.push(now)
        connections.answerHostKey(id, true, now.offered.fingerprint)
      }
      if (now.kind !== 'open' && now.kind !== 'failed' && now.kind !== 'host-key-changed') continue
      const ms = performance.now() - began
      return { state: now, ms, release: async () => (await acquired).release() }
    }
    throw new Error('never settled')
  }

  const nameOf = (address: SshAddress): string =>
    address.port === places.direct.port ? 'direct' : address.port === places.proxy.port ? 'proxy' : 'hop'
  return { connect, asked, tried, addresses: () => instanceKeys.addressesOf(id), connections }
}

const nowhere = async (): Promise<SshAddress> => ({ host: '127.0.0.1', port: await findFreePort() })

/** Takes connections and says nothing; counts what it is told. */
async function startSilence() {
  const sockets = new Set<Socket>()
  let heard = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', (piece) => (heard += piece.length)).on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    address: { host: '127.0.0.1', port: address.port },
    open: () => sockets.size,
    heard: () => heard,
  }
}

/** One sshd, and a way to it that stands for the service's proxy. */
async function startBoth() {
  const sshd = await startSshd({ authorizedKeys })
  return { sshd, direct: await startProxy(sshd.address), proxy: await startProxy(sshd.address) }
}

describe('an instance with two addresses', () => {
  test('is reached at the direct one, and the other is left alone', async () => {
    const { direct, proxy } = await startBoth()
    const { connect, tried, asked } = await open({ direct: direct.address, proxy: proxy.address })
    const { state } = await connect()
    expect(state).toMatchObject({ kind: 'open', address: direct.address })
    expect(proxy.passed()).toBe(0)
    expect(new Set(tried)).toEqual(new Set(['direct']))
    expect(asked).toHaveLength(1)
  })

  test('is reached at the proxy at once where the direct one refuses, and there first from then on', async () => {
    const { proxy } = await startBoth()
    const places = { direct: await nowhere(), proxy: proxy.address }
    const { connect, tried, addresses } = await open(places)
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
    const { connect } = await open({ direct: silence.address, proxy: proxy.address })
    const { state, ms } = await connect()
    expect(state).toMatchObject({ kind: 'open', address: proxy.address })
    expect(ms).toBeGreaterThan(1_000)
    await waitFor(() => expect(silence.open()).toBe(0))
    expect(silence.heard()).toBe(0)
  })

  test('is reached at the direct one where the proxy is blocked', async () => {
    const { direct } = await startBoth()
    const places = { direct: direct.address, proxy: await nowhere() }
    const { state } = await (await open(places)).connect()
    expect(state).toMatchObject({ kind: 'open', address: places.direct })
  })

  test('that refuses at both fails with one error that names both', async () => {
    const places = { direct: await nowhere(), proxy: await nowhere() }
    const { state } = await (await open(places)).connect()
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
    const { state } = await (await open(places)).connect()
    expect(state).toMatchObject({ kind: 'open', address: places.proxy })
  })

  test('is tried at the chosen one only', async () => {
    const { proxy } = await startBoth()
    const places = { direct: await nowhere(), proxy: proxy.address }
    const { state } = await (await open(places, { choice: 'direct' })).connect()
    expect(state).toMatchObject({ kind: 'failed', problem: { kind: 'refused' }, address: places.direct })
    expect(proxy.passed()).toBe(0)
  })

  test('is reached through a jump host at whichever address answers from there', async () => {
    const { proxy } = await startBoth()
    const hop = await startSshd({ authorizedKeys })
    const places = { direct: await nowhere(), proxy: proxy.address }
    const refused = await (await open(places, { jump: hop.address })).connect()
    expect(refused.state).toMatchObject({ kind: 'open', address: places.proxy })

    const silence = await startSilence()
    const silent = await (
      await open({ direct: silence.address, proxy: proxy.address }, { jump: hop.address })
    ).connect()
    expect(silent.state).toMatchObject({ kind: 'open', address: proxy.address })
    await waitFor(() => expect(silence.open()).toBe(0))
    expect(silence.heard()).toBe(0)

    const neither = { direct: await nowhere(), proxy: await nowhere() }
    expect((await (await open(neither, { jump: hop.address })).connect()).state).toMatchObject({
      kind: 'failed',
      problem: {
        kind: 'both-addresses',
        tries: [{ problem: { kind: 'no-way-on' } }, { problem: { kind: 'no-way-on' } }],
      },
    })
  })

  test('is trusted once for both addresses, and another key at the other one is an alarm', async () => {
    const { direct, proxy } = await startBoth()
    const places = { direct: direct.address, proxy: proxy.address }
    const { connect, asked } = await open(places)
    const first = await connect()
    await first.release()
    direct.close()
    const second = await connect()
    expect(second.state).toMatchObject({ kind: 'open', address: places.proxy })
    expect(asked).toHaveLength(1)

    const impostor = await startSshd({ authorizedKeys })
    const differing = { direct: impostor.address, proxy: proxy.address }
    const other = await open(differing)
    const trusted = await other.connect()
    expect(trusted.state).toMatchObject({ kind: 'open', address: differing.direct })
    await trusted.release()
    await impostor.machine.down()
    const alarm = await other.connect()
    expect(alarm.state).toMatchObject({
      kind: 'host-key-changed',
      address: differing.proxy,
      otherAddress: differing.direct,
    })
    expect(other.asked).toHaveLength(1)
  })
})
