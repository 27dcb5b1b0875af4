import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import { formatJumpHosts, parseJumpHosts, type JumpHost } from '#domain/ssh/jump-host.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { findRoute } from '#services/ssh/connection/route.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const stranger = makeEd25519KeyPair('stranger')
const identities: Identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
const authorizedKeys = [publicKey.line]
const id = 7

/** The way through jump hosts at these addresses to an instance. */
async function openRoute(
  to: SshAddress,
  hops: readonly SshAddress[],
  {
    keys = () => identities,
    clock = systemClock,
  }: { readonly keys?: (hop: number | null) => Identities; readonly clock?: Clock } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-jump-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  const knownHostsFile = join(folder, 'known_hosts')
  const hosts = hops.map(({ host, port }): JumpHost => ({ user, host, port }))
  const configs = hosts.map(() => ({ ...noHostConfig, hostName: null, port: null }))
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address: to }),
    user: () => user,
    identities: (config) => {
      const hop = configs.findIndex((each) => each === config)
      return Promise.resolve(keys(hop < 0 ? null : hop))
    },
    findRoute: () => {
      let asked = -1
      return findRoute({
        via: { kind: 'jump', hosts },
        ofJumpHost: () =>
          Promise.resolve(configs[(asked += 1)] ?? { ...noHostConfig, hostName: null, port: null }),
        localUser: 'nobody-here',
      })
    },
    knownHostsFile,
    clock,
    random: () => 0.5,
    log: memoryLog(),
  })
  const state = connections.state(id)
  const asked: ConnectionState[] = []
  /** Says yes to every host key until it is open or has failed. */
  async function settle(): Promise<ConnectionState> {
    for await (const now of state.watch(end.signal)) {
      if (now.kind === 'unknown-host') {
        asked.push(now)
        connections.answerHostKey(id, true, now.offered.fingerprint)
      }
      if (now.kind === 'open' || now.kind === 'failed' || now.kind === 'host-key-changed') return now
    }
    throw new Error('never settled')
  }
  function connect() {
    const acquired = connections.acquire(id, end.signal)
    acquired.catch(() => undefined) // each test looks at it
    return acquired
  }
  return { connections, connect, settle, state, asked, knownHostsFile, signal: end.signal }
}

/** Real time, but whoever waits for seconds waits for ever: silence is never noticed. */
const clockWithoutKeepalive: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms < 1000 ? ms : 2 ** 31 - 1, signal),
}

function say(client: Client, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error)
      let text = ''
      channel.on('data', (piece: Buffer) => (text += piece.toString()))
      channel.stderr.resume()
      channel.on('close', () => resolve(text))
    })
  })
}

describe('through jump hosts', () => {
  test('one gets to an instance that cannot be reached otherwise, and each host key is asked about by itself', async () => {
    const [one, two, instance] = await Promise.all([1, 2, 3].map(() => startSshd({ authorizedKeys })))
    if (!one || !two || !instance) throw new Error('no machines')
    const { connect, settle, asked, knownHostsFile } = await openRoute(instance.address, [
      one.address,
      two.address,
    ])
    const acquired = connect()
    await settle()
    const { client, release } = await acquired
    expect(asked.map((state) => ('hop' in state ? state.hop : null))).toEqual([
      { place: 1, of: 2 },
      { place: 2, of: 2 },
      null,
    ])
    expect(asked.map((state) => ('address' in state ? state.address : null))).toEqual([
      one.address,
      two.address,
      instance.address,
    ])
    expect((await readFile(knownHostsFile, 'utf8')).trim().split('\n')).toHaveLength(3)
    expect(await say(client, 'echo $HOME')).toBe(`${instance.machine.home}\n`)
    const much = await say(client, 'head -c 3000000 /dev/zero | base64 -w0')
    expect(much).toHaveLength(4_000_000)
    release()
    // Nothing of it stays behind on the way.
    await waitFor(async () => expect(await one.countProcesses()).toBe(1))
  })

  test('a hop that refuses the login is named, and what comes after it sees nothing', async () => {
    const one = await startSshd({ authorizedKeys })
    const two = await startSshd({ authorizedKeys: [stranger.publicKey.line] })
    const instance = await startSshd({ authorizedKeys })
    const proxy = await startProxy(instance.address)
    const { connect, settle } = await openRoute(proxy.address, [one.address, two.address])
    void connect()
    expect(await settle()).toMatchObject({
      kind: 'failed',
      problem: {
        kind: 'at-hop',
        hop: { place: 2, of: 2, address: two.address },
        problem: { kind: 'authentication-failed', tried: ['test key'] },
      },
    })
    expect(proxy.open()).toBe(0)
  })

  test('a hop that leads nowhere is named, by what it says', async () => {
    const silent = await startProxy({ host: '127.0.0.1', port: 1 })
    const forbids = await startSshd({ authorizedKeys, config: ['AllowTcpForwarding no'] })
    const allows = await startSshd({ authorizedKeys })
    const toNothing = await openRoute({ host: '127.0.0.1', port: 1 }, [allows.address])
    void toNothing.connect()
    expect(await toNothing.settle()).toMatchObject({
      problem: {
        kind: 'at-hop',
        hop: { place: 1, of: 1 },
        problem: { kind: 'no-way-on', to: { port: 1 }, detail: 'Connection refused', isForbidden: false },
      },
    })
    const notAllowed = await openRoute(silent.address, [forbids.address])
    void notAllowed.connect()
    expect(await notAllowed.settle()).toMatchObject({
      problem: { kind: 'at-hop', problem: { kind: 'no-way-on', isForbidden: true } },
    })
    const noHop = await openRoute(allows.address, [{ host: '127.0.0.1', port: 1 }])
    void noHop.connect()
    expect(await noHop.settle()).toMatchObject({
      problem: {
        kind: 'at-hop',
        hop: { place: 1, of: 1, address: { port: 1 } },
        problem: { kind: 'refused' },
      },
    })
  })

  test('a hop whose key has changed is refused before anything is sent to it', async () => {
    const one = await startSshd({ authorizedKeys })
    const instance = await startSshd({ authorizedKeys })
    const { connections, connect, settle, knownHostsFile } = await openRoute(instance.address, [one.address])
    const acquired = connect()
    await settle()
    ;(await acquired).release()
    await one.machine.replaceHostKey()
    void connect()
    const changed = await settle()
    expect(changed).toMatchObject({
      kind: 'host-key-changed',
      address: one.address,
      hop: { place: 1, of: 1 },
      trusted: [{ line: 1 }],
    })
    await connections.forgetHostKey(id)
    const again = connect()
    expect(await settle()).toMatchObject({ kind: 'open', address: instance.address })
    ;(await again).release()
    expect((await readFile(knownHostsFile, 'utf8')).trim().split('\n')).toHaveLength(2)
  })

  test('a hop that is cut in the middle is told, and the way is found again', async () => {
    const one = await startSshd({ authorizedKeys })
    const proxy = await startProxy(one.address)
    const instance = await startSshd({ authorizedKeys })
    const { connections, connect, settle, signal } = await openRoute(instance.address, [proxy.address])
    const acquired = connect()
    await settle()
    const { ended, release } = await acquired
    const regained = connections.regain(id, signal)
    await regained
    proxy.cut()
    expect(await ended).toMatchObject({ kind: 'at-hop', problem: { kind: 'link-lost' } })
    const { client } = await connections.regain(id, signal)
    expect(await say(client, 'echo back')).toBe('back\n')
    release()
  })

  test.each([
    ['the instance', 1],
    ['the jump host before it', 0],
  ])('%s dies: that is told without waiting for an answer', async (_, dying) => {
    const hops = await Promise.all([1, 2].map(() => startSshd({ authorizedKeys })))
    const instance = await startSshd({ authorizedKeys })
    const [first, last] = hops
    if (!first || !last) throw new Error('no machines')
    const proxies = [await startProxy(last.address), await startProxy(instance.address)]
    const [toLast, toInstance] = proxies
    if (!toLast || !toInstance) throw new Error('no way')
    const { connect, settle } = await openRoute(toInstance.address, [first.address, toLast.address], {
      clock: clockWithoutKeepalive,
    })
    const acquired = connect()
    await settle()
    const { ended, release } = await acquired
    proxies[dying]?.cut()
    const lost = { kind: 'link-lost', detail: { code: 'closed' } }
    expect(await ended).toMatchObject(
      dying === 1 ? lost : { kind: 'at-hop', hop: { place: 2, of: 2 }, problem: lost },
    )
    release()
  })

  test('each hop has keys of its own, and a locked one is asked for by name', async () => {
    const locked = makeEd25519KeyPair('for the hop')
    const one = await startSshd({ authorizedKeys: [locked.publicKey.line] })
    const instance = await startSshd({ authorizedKeys })
    const ofHop: Identities = {
      keys: [
        {
          name: '/keys/hop',
          publicKey: null,
          open: async (ask) => {
            const answer = await ask(
              { path: '/keys/hop', fingerprint: null, attempt: 1, trouble: null },
              new AbortController().signal,
            )
            return answer?.passphrase === 'right'
              ? { kind: 'open', privateKey: locked.privateKey }
              : { kind: 'unusable', why: { code: 'locked' } }
          },
        },
      ],
      agentSocket: null,
      skipped: [],
    }
    const { connections, connect, settle, state, signal } = await openRoute(instance.address, [one.address], {
      keys: (hop) => (hop === 0 ? ofHop : identities),
    })
    const acquired = connect()
    const settling = settle()
    for await (const now of state.watch(signal)) {
      if (now.kind !== 'passphrase') continue
      expect(now).toMatchObject({ address: one.address, hop: { place: 1, of: 1 } })
      connections.answerPassphrase(id, '/keys/hop', { passphrase: 'right', remember: false })
      break
    }
    expect(await settling).toMatchObject({ kind: 'open', address: instance.address })
    ;(await acquired).release()
  })
})

test('jump hosts are written as ssh reads them', () => {
  const text = 'ops@bastion.example:2222,[::1]:22,inner_host'
  expect(formatJumpHosts(parseJumpHosts(text) ?? [])).toBe(text)
})
