import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { instanceHostKeysFile } from '#domain/ssh/instance-host-keys.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { openJsonFile } from '#services/storage/json-file.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { HostKeysByInstance } from '#services/ssh/known-hosts/host-keys-by-instance.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')

/** Connections to instances, whose places the test tells; what is known of host keys lies in files. */
async function openWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-host-keys-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  const places = new Map<number, SshAddress>()
  const knownHostsFile = join(folder, 'known_hosts')
  const log = memoryLog()
  const file = await openJsonFile({
    path: join(folder, 'host-keys.json'),
    schema: instanceHostKeysFile,
    fallback: {},
    clock: systemClock,
    onNotice: () => undefined,
  })
  const connections = createConnections({
    findTarget: (id) => {
      const address = places.get(id)
      return Promise.resolve(address ? { kind: 'address', address } : { kind: 'none', status: null })
    },
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
    knownHostsFile,
    hostKeysByInstance: new HostKeysByInstance({
      file,
      whereIs: (id) => {
        const address = places.get(id)
        return address ? [address] : 'gone'
      },
      now: systemClock.now,
      log,
    }),
    clock: systemClock,
    random: () => 0.5,
    log,
  })

  /** Tries to connect until it stands, asks, or fails. The connection is given back. */
  async function connect(id: number, answer: 'yes' | 'none' = 'none'): Promise<ConnectionState> {
    const giveUp = new AbortController()
    const connecting = connections.acquire(id, AbortSignal.any([end.signal, giveUp.signal]))
    const settled = connecting.then(
      () => connections.state(id).value,
      () => connections.state(id).value,
    )
    const asked = waitFor(() => {
      const { value } = connections.state(id)
      expect(value.kind).toMatch(/unknown-host|open|failed|changed/)
      return value
    })
    await asked
    const state = connections.state(id).value
    if (state.kind === 'unknown-host' && answer === 'yes')
      connections.answerHostKey(id, true, state.offered.fingerprint)
    else if (state.kind === 'unknown-host') giveUp.abort(new Error('left open'))
    const last = await settled
    await connecting.then(
      ({ release }) => release(),
      () => undefined, // it is told by its state
    )
    return state.kind === 'unknown-host' && answer === 'none' ? state : last
  }

  return { places, connect, connections, known: () => readFile(knownHostsFile, 'utf8') }
}

const start = () => startSshd({ authorizedKeys: [publicKey.line] })

test('an instance that shows its key at a new address is not asked about again, and that is told', async () => {
  const { places, connect, known } = await openWorld()
  const sshd = await start()
  places.set(7, sshd.address)
  expect(await connect(7, 'yes')).toMatchObject({ kind: 'open' })
  const relay = await startProxy(sshd.address)
  places.set(7, relay.address)
  expect(await connect(7)).toMatchObject({ kind: 'open', isNewAddress: true })
  expect(await known()).toContain(`[127.0.0.1]:${relay.address.port} `)
  // Told once: from then on the address is known.
  const again = await connect(7)
  expect(again).toMatchObject({ kind: 'open' })
  expect(again).not.toHaveProperty('isNewAddress')
})

test('another key at a new address of the same instance is an alarm, and no first question', async () => {
  const { places, connect, connections } = await openWorld()
  const [honest, hostile] = [await start(), await start()]
  places.set(7, honest.address)
  await connect(7, 'yes')
  places.set(7, hostile.address)
  const alarm = await connect(7)
  expect(alarm).toMatchObject({
    kind: 'host-key-changed',
    address: hostile.address,
    trusted: [],
    ofInstance: { lastAddress: honest.address, keyOf: null },
  })
  // Only who says so is asked about it, as about a host that is new.
  await connections.forgetHostKey(7)
  expect(await connect(7)).toMatchObject({ kind: 'unknown-host', address: hostile.address })
})

test('an instance that answers with the key of another one is an alarm, also where that key is known', async () => {
  const { places, connect } = await openWorld()
  const [one, other] = [await start(), await start()]
  places.set(7, one.address)
  await connect(7, 'yes')
  places.set(8, other.address)
  await connect(8, 'yes')
  places.set(7, other.address)
  expect(await connect(7)).toMatchObject({ kind: 'host-key-changed', ofInstance: { keyOf: 8 } })
})

test('a port that is used again by another instance is explained, and its key takes the place of the former', async () => {
  const { places, connect, known } = await openWorld()
  const sshd = await start()
  places.set(7, sshd.address)
  await connect(7, 'yes')
  const before = await known()
  await sshd.machine.replaceHostKey()
  // As long as the other one is listed there, it may be that one.
  places.set(8, sshd.address)
  expect(await connect(8)).toMatchObject({ kind: 'host-key-changed' })
  places.delete(7)
  expect(await connect(8)).toMatchObject({ kind: 'unknown-host', formerly: { instanceId: 7, fate: 'gone' } })
  expect(await known()).toBe(before)
  expect(await connect(8, 'yes')).toMatchObject({ kind: 'open' })
  expect((await known()).trim().split('\n')).toHaveLength(1)
  expect(await known()).not.toBe(before)
  // The one that is gone would still have to show its own.
  places.set(7, sshd.address)
  expect(await connect(7)).toMatchObject({ kind: 'host-key-changed' })
})

test('a key that the user has forgotten is forgotten for the instance as well', async () => {
  const { places, connect, connections, known } = await openWorld()
  const sshd = await start()
  places.set(7, sshd.address)
  await connect(7, 'yes')
  await sshd.machine.replaceHostKey()
  expect(await connect(7)).toMatchObject({ kind: 'host-key-changed', trusted: [{ line: 1 }] })
  await connections.forgetHostKey(7)
  expect((await known()).trim()).toBe('')
  expect(await connect(7, 'yes')).toMatchObject({ kind: 'open' })
})
