import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { InstanceHostKeysFile } from '#domain/ssh/instance-host-keys.ts'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import type { Clock } from '#domain/base/clock.ts'
import { addressesToTry } from '#domain/ssh/ssh-address.ts'
import type { AddressChoice } from '#domain/ssh/ssh-choice.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { noHostConfig, type HostConfig } from '#services/ssh/config/host-config.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { targetOf } from '#services/ssh/instance-records.ts'
import { findRoute } from '#services/ssh/connection/route.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { HostKeysByInstance } from '#services/ssh/known-hosts/host-keys-by-instance.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { findFreePort } from '../../../simulator/free-port.ts'
import { hastyClock } from '../../../support/hasty-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
export const authorizedKeys = [publicKey.line]
export const id = 7

export interface Places {
  /** `null`: the service doesn't name it. */
  readonly direct: SshAddress | null
  readonly proxy: SshAddress
}

export interface Circumstances {
  readonly jump?: SshAddress
  readonly choice?: AddressChoice
  readonly clock?: Clock
  /** What the SSH configuration says of an address. */
  readonly configOf?: (address: SshAddress) => Partial<HostConfig>
  /** Whether the service's list says where it is; otherwise its last word counts. */
  readonly isListed?: boolean
  /** What known_hosts holds. */
  readonly known?: string
  /** Until then the keychain doesn't answer. */
  readonly keysAfter?: Promise<unknown>
}

/** The app's own connection to an instance with two addresses; every host key that is asked about is trusted. */
export async function openInstance(
  places: Places,
  {
    jump,
    choice = 'automatic',
    clock = systemClock,
    configOf,
    isListed = true,
    known = '',
    keysAfter,
  }: Circumstances = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-two-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    connections.stopTrying(id)
    await rm(folder, { recursive: true })
  })
  const knownHostsFile = join(folder, 'known_hosts')
  await writeFile(knownHostsFile, known)
  let kept: InstanceHostKeysFile = {}
  const instanceKeys = new HostKeysByInstance({
    file: {
      get value() {
        return kept
      },
      update: (change) => Promise.resolve(void (kept = change(kept))),
    },
    whereIs: () => (isListed ? [places.direct, places.proxy].filter((address) => address !== null) : null),
    now: systemClock.now,
    log: memoryLog(),
  })
  const hopConfig = { ...noHostConfig, hostName: null, port: null }
  let hopLogins = 0
  const hosts = jump && parseJumpHosts(`${user}@${jump.host}:${jump.port}`)
  const connections = createConnections({
    findTarget: () => {
      const { direct, proxy } = places
      const record = {
        id,
        public_ipaddr: direct?.host,
        ports: { '22/tcp': direct ? [{ HostPort: String(direct.port) }] : [] },
        ssh_host: proxy.host,
        ssh_port: proxy.port,
      }
      return Promise.resolve(targetOf(record, addressesToTry(places, choice, instanceKeys.addressesOf(id))))
    },
    user: () => user,
    identities: async (config) => {
      if (config === hopConfig) hopLogins += 1
      await keysAfter
      return { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
    },
    hostConfig: (_, address) => Promise.resolve({ ...noHostConfig, ...configOf?.(address) }),
    findRoute: (_, { via }) =>
      findRoute({
        via: hosts ? { kind: 'jump', hosts } : via,
        ofJumpHost: () => Promise.resolve(hopConfig),
        localUser: user,
      }),
    knownHostsFile,
    clock,
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
      if (now.kind === 'connecting' && now.address !== null) tried.push(nameOf(now.address))
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
    address.port === places.direct?.port ? 'direct' : address.port === places.proxy.port ? 'proxy' : 'hop'
  const addresses = (): readonly SshAddress[] => instanceKeys.addressesOf(id)
  return {
    ...{ connect, asked, tried, addresses, knownHostsFile, connections, state, end: end.signal },
    /** How often somebody logged in to the jump host. */
    hopLogins: () => hopLogins,
  }
}

/** On a busy computer a server that answers may not do so before the other address is tried, after 1.5 seconds. */
export const longHeadStart: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms === 1_500 ? 60_000 : ms, signal),
}

/** Nobody listens there. */
export const nowhere = async (): Promise<SshAddress> => ({ host: '127.0.0.1', port: await findFreePort() })

/** Takes connections and says nothing; counts what it is told. */
export async function startSilence() {
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

/** Greets as an SSH server does, and then goes on like this. */
export async function startGreeter(then: 'silent' | 'ends' | 'foreign' | 'garbage' | 'leaves' | 'claims') {
  const clock = hastyClock()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      clock.calm()
    })
    socket.write('SSH-2.0-odd\r\n')
    socket.once('data', () => {
      if (then === 'silent') clock.hurry()
      if (then === 'ends') socket.end()
      if (then === 'foreign') socket.write(proposalOf('none-that-is-known'))
      if (then === 'garbage') socket.write(Buffer.alloc(64, 0xff))
      // SSH_MSG_DISCONNECT of a protocol error without words (RFC 4253 section 11.1).
      if (then === 'leaves') socket.end(packetOf(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])))
      // SSH_MSG_USERAUTH_SUCCESS
      if (then === 'claims') socket.write(packetOf(Buffer.from([52])))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { address: { host: '127.0.0.1', port: address.port }, clock }
}

/** SSH_MSG_KEXINIT (RFC 4253 section 7.1) that offers this one algorithm of each kind. */
function proposalOf(algorithm: string): Buffer {
  const name = Buffer.alloc(4 + algorithm.length)
  name.writeUInt32BE(algorithm.length)
  name.write(algorithm, 4)
  const lists = Buffer.concat(Array.from({ length: 10 }, (_, index) => (index < 8 ? name : Buffer.alloc(4))))
  const payload = Buffer.concat([Buffer.from([20]), Buffer.alloc(16), lists, Buffer.alloc(5)])
  return packetOf(payload)
}

/** Before there are keys (RFC 4253 section 6). */
function packetOf(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 8
  const head = Buffer.alloc(5)
  head.writeUInt32BE(payload.length + padding + 1)
  head.writeUInt8(padding, 4)
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

/** One sshd, and a way to it that stands for the service's proxy. */
export async function startBoth() {
  const sshd = await startSshd({ authorizedKeys })
  return { sshd, direct: await startProxy(sshd.address), proxy: await startProxy(sshd.address) }
}
