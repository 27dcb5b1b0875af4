import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError } from '#domain/base/problem.ts'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { InstanceRecords, type InstanceRecordsOptions } from '#services/ssh/instance-records.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const id = 7
const seenAt = Date.UTC(2026, 0, 1)

const recordAt = ({ host, port }: SshAddress): InstanceRecord => ({ id, ssh_host: host, ssh_port: port })
const refused = (): Promise<InstanceRecord> =>
  Promise.reject(new ProblemError({ kind: 'unreachable', cause: 'refused', origin: '' }))

/** Connections as the account has them; the service is away until `ask` answers. */
async function openWithoutService(lastSeen: SshAddress) {
  const end = new AbortController()
  onTestFinished(() => end.abort(new Error('the test is over')))
  const ask = vi.fn<InstanceRecordsOptions['ask']>(refused)
  const records = new InstanceRecords({
    ask,
    list: new Latest({
      instances: [{ id, status: 'running', record: recordAt(lastSeen), history: [], pending: null }],
      fetchedAt: seenAt,
      problem: null,
    }),
    clock: systemClock,
  })
  const connections = createConnections({
    findTarget: async () => {
      const { preferred } = sshAddressesOf(await records.find(id))
      return preferred === null ? { kind: 'none', status: null } : { kind: 'address', address: preferred }
    },
    addressAsOf: (instanceId) => records.asOf(instanceId),
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test', privateKey }], agentSocket: null, skipped: [] }),
    knownHostsFile: join(await temporaryFolder(), 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
  })
  async function until(kind: ConnectionState['kind']) {
    for await (const now of connections.state(id).watch(end.signal)) if (now.kind === kind) return now
    throw new Error(`never ${kind}`)
  }
  async function trust(): Promise<void> {
    const asked = await until('unknown-host')
    if (asked.kind === 'unknown-host') connections.answerHostKey(id, true, asked.offered.fingerprint)
  }
  return { ask, connections, until, trust, signal: end.signal }
}

test('without the service an instance is reached where it was last known to be, and asked about as always', async () => {
  const { address, machine } = await startSshd({ authorizedKeys: [publicKey.line] })
  const { connections, until, trust, signal } = await openWithoutService(address)
  const connecting = connections.acquire(id, signal)
  await until('unknown-host')
  expect(connections.list.value).toMatchObject([{ instanceId: id, addressAsOf: seenAt }])
  await trust()
  const lease = await connecting
  expect(connections.list.value).toMatchObject([
    { instanceId: id, state: { kind: 'open', address }, addressAsOf: seenAt },
  ])
  lease.release()

  await machine.replaceHostKey()
  await expect(connections.acquire(id, signal)).rejects.toThrow('host-key-changed')
  expect(connections.list.value).toMatchObject([
    { state: { kind: 'host-key-changed', address }, addressAsOf: seenAt },
  ])
})

test('once the service answers, a connection that is regained goes where it says, or ends where it says no', async () => {
  const former = await startSshd({ authorizedKeys: [publicKey.line] })
  const next = await startSshd({ authorizedKeys: [publicKey.line] })
  const { ask, connections, trust, signal } = await openWithoutService(former.address)
  const connecting = connections.acquire(id, signal)
  await trust()
  const lease = await connecting
  ask.mockResolvedValue(recordAt(next.address))
  lease.breakOff({ code: 'closed' })
  await lease.ended
  const regaining = connections.regain(id, signal)
  await trust()
  const regained = await regaining
  expect(regained.address).toEqual(next.address)
  expect(connections.list.value[0]).not.toHaveProperty('addressAsOf')

  ask.mockRejectedValue(new ProblemError({ kind: 'refused', status: 404, code: '', message: '' }))
  regained.breakOff({ code: 'closed' })
  await regained.ended
  await expect(connections.regain(id, signal)).rejects.toMatchObject({
    failure: { problem: { kind: 'unreachable', detail: { code: 'no-address' } } },
  })
  lease.release()
  regained.release()
})
