import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { createConnections, type ConnectionsOptions } from '#services/ssh/connection/connections.ts'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
/** What a machine of these tests lets in. */
export const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
export const authorizedKeys = [publicKey.line]
export const id = 7

/** Connections to one real machine through a proxy; the first question is answered with yes. */
export async function openConnections(
  readKeys = () => Promise.resolve<Identities>(identities),
  further: Partial<ConnectionsOptions> = {},
) {
  const sshd = await startSshd({ authorizedKeys })
  const proxy = await startProxy(sshd.address)
  const folder = await mkdtemp(join(tmpdir(), 'slipway-connections-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  const findTarget = vi.fn<ConnectionsOptions['findTarget']>(() =>
    Promise.resolve({ kind: 'address', address: proxy.address }),
  )
  const connections = createConnections({
    findTarget,
    user: () => user,
    identities: readKeys,
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
    ...further,
  })
  const state = connections.state(id)
  async function until(kind: ConnectionState['kind']): Promise<ConnectionState> {
    for await (const now of state.watch(end.signal)) if (now.kind === kind) return now
    throw new Error(`never ${kind}`)
  }
  async function trust(): Promise<void> {
    const asked = await until('unknown-host')
    if (asked.kind === 'unknown-host') connections.answerHostKey(id, true, asked.offered.fingerprint)
  }
  return { sshd, proxy, connections, findTarget, state, until, trust, signal: end.signal }
}
