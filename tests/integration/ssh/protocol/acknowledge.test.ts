import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2, { Client, type Connection } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { acknowledge, acknowledgeWhileOpening } from '#services/ssh/protocol/acknowledge.ts'
import { loginEarly } from '#services/ssh/protocol/early-login.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { privateKey } = makeEd25519KeyPair('host')

interface Met {
  readonly client: Client
  readonly host: Connection
  /** How many messages the host was told to ignore. */
  readonly ignored: () => number
  /** How many of its own requests were answered. */
  readonly answers: () => number
}

/** Logs in to a host that lets everybody in, and does with it what the test wants at each end of the login. */
async function meet(onHost: (host: Connection) => void = () => undefined): Promise<Met> {
  let [ignored, answers] = [0, 0]
  const server = new ssh2.Server({
    hostKeys: [privateKey],
    debug: (line) => {
      if (line.includes('Received IGNORE')) ignored += 1
      if (line.includes('Received REQUEST_FAILURE')) answers += 1
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const met = Promise.withResolvers<Connection>()
  server.on('connection', (host) => {
    host.on('error', () => undefined)
    host.on('authentication', (asked) => {
      onHost(host)
      asked.accept()
    })
    met.resolve(host)
  })
  const client = new Client()
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  client.connect({ host: '127.0.0.1', port, username: 'root', privateKey, authHandler: ['publickey'] })
  expect(loginEarly(client)).toBe(true)
  expect(acknowledgeWhileOpening(client)).toBe(true)
  await once(client, 'ready')
  return { client, host: await met.promise, ignored: () => ignored, answers: () => answers }
}

/** A sign of life, which a client answers. */
function ping(host: Connection): void {
  const protocol: unknown = Reflect.get(host, '_protocol')
  const send: unknown = Reflect.get(Object(protocol), 'ping')
  if (typeof send !== 'function') throw new Error('ssh2 has changed inside')
  Reflect.apply(send, protocol, [])
}

test('what a host says before its answer to a login is acknowledged once, however often it says it', async () => {
  const { host, ignored, answers } = await meet((each) => {
    const protocol: unknown = Reflect.get(each, '_protocol')
    const accept: unknown = Reflect.get(Object(protocol), 'serviceAccept')
    if (typeof accept !== 'function') throw new Error('ssh2 has changed inside')
    for (let time = 0; time < 5; time += 1) Reflect.apply(accept, protocol, ['ssh-userauth'])
  })
  // All that was said before its answer has come by then.
  ping(host)
  await waitFor(() => expect(answers()).toBe(1))
  expect(ignored()).toBe(1)
})

test('nothing is said while the host’s new keys are there and its host key is still looked at', async () => {
  const { client, ignored } = await meet()
  await waitFor(() => expect(ignored()).toBe(1))
  const protocol: unknown = Reflect.get(client, '_protocol')
  const writer: unknown = Reflect.get(Object(Reflect.get(Object(protocol), '_packetRW')), 'write')
  const start: unknown = Reflect.get(Object(writer), 'allocStart')
  Reflect.set(Object(writer), 'allocStart', 0)
  acknowledge(protocol)
  Reflect.set(Object(writer), 'allocStart', start)
  acknowledge(protocol)
  await waitFor(() => expect(ignored()).toBe(2))
})

test('what a host says before it opens a channel is acknowledged, no more than four times', async () => {
  const { client, host, ignored } = await meet()
  await waitFor(() => expect(ignored()).toBe(1))
  host.on('session', () => {
    for (let time = 0; time < 6; time += 1) ping(host)
  })
  // Nothing answers the wish for a channel before those.
  client.exec('true', () => undefined)
  await waitFor(() => expect(ignored()).toBe(1 + 4))
})

test('where no channel is waited for, nothing is said', async () => {
  const { client, host, ignored, answers } = await meet()
  await waitFor(() => expect(ignored()).toBe(1))
  ping(host)
  await waitFor(() => expect(answers()).toBe(1))
  expect(ignored()).toBe(1)
  acknowledge(Reflect.get(client, '_protocol'))
  await waitFor(() => expect(ignored()).toBe(2))
})

test('nothing is said while keys are changed', async () => {
  const { client, ignored } = await meet()
  await waitFor(() => expect(ignored()).toBe(1))
  const protocol: unknown = Reflect.get(client, '_protocol')
  const rekey: unknown = Reflect.get(Object(protocol), 'rekey')
  if (typeof rekey !== 'function') throw new Error('ssh2 has changed inside')
  const changed = once(client, 'handshake')
  Reflect.apply(rekey, protocol, [])
  acknowledge(protocol)
  await changed
  acknowledge(protocol)
  await waitFor(() => expect(ignored()).toBe(2))
})
