import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { createConnections, type Connections } from '#services/ssh/connection/connections.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { user } from '../../../ssh-servers/server.ts'
import { memoryLog } from '../../../support/memory-log.ts'

/** The instance that {@link connectionsTo} leads to. */
export const instanceId = 1

/** The product's own connections to one server, whose host key is trusted at once; they end with the test. */
export async function connectionsTo(address: SshAddress, privateKey: string): Promise<Connections> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-servers-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort()
    connections.stopTrying(instanceId)
    await rm(folder, { recursive: true })
  })
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address }),
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
  })
  async function trust(): Promise<void> {
    for await (const state of connections.state(instanceId).watch(end.signal))
      if (state.kind === 'unknown-host')
        connections.answerHostKey(instanceId, true, state.offered.fingerprint)
  }
  // Ends by the signal.
  trust().catch(() => undefined)
  return connections
}
