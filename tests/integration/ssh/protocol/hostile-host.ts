import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from 'ssh2'
import { onTestFinished } from 'vitest'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startOddServer, type OddServerOptions } from '../odd-server.ts'

const { privateKey } = makeEd25519KeyPair('test')

/** A connection of Slipway's to an odd server, which is trusted, and the server's side of it. */
export async function connectToOdd(options: OddServerOptions) {
  const accepted: Connection[] = []
  const { address } = await startOddServer({
    ...options,
    onConnection: (connection) => {
      accepted.push(connection)
      options.onConnection?.(connection)
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'slipway-protocol-'))
  const end = new AbortController()
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address }),
    user: () => 'anybody',
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
  })
  const trust = async (): Promise<void> => {
    for await (const state of connections.state(1).watch(end.signal))
      if (state.kind === 'unknown-host') connections.answerHostKey(1, true, state.offered.fingerprint)
  }
  void trust().catch(() => undefined)
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  const connection = await connections.acquire(1, end.signal)
  onTestFinished(() => connection.release())
  const [server] = accepted
  if (server === undefined) throw new Error('nobody connected')
  return { ...connection, connections, server, accepted, signal: end.signal }
}
