import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Forward, ForwardPlan, KeptForward } from '#domain/forwards/forward.ts'
import { nothingListed, type InstancesSnapshot } from '#domain/instances/instance.ts'
import { Latest } from '#domain/base/latest.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { createConnections, type Connections } from '#services/ssh/connection/connections.ts'
import { Forwards } from '#services/forwards/forwards.ts'
import { PortWatch } from '#services/forwards/port-watch.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import type { SshServer, SshServerOptions } from '../../ssh-servers/server.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { startProxy } from '../ssh/proxy.ts'
import { startSshd, user } from '../ssh/sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')

/** Instance 1 with a real sshd behind a proxy, and the forwards of one account to it. */
export async function startWorld({
  sshdConfig = [],
  startOther,
  platform = 'linux',
}: {
  /** As `process.platform` has it. */
  readonly platform?: string
  readonly sshdConfig?: readonly string[]
  /** Another server, which stands in for the sshd. */
  readonly startOther?: (options: SshServerOptions) => Promise<SshServer>
} = {}) {
  const sshd = await startSshd({ authorizedKeys: [publicKey.line], config: sshdConfig })
  const other = await startOther?.({ authorizedKeys: [publicKey.line] })
  const proxy = await startProxy(other?.address ?? sshd.address)
  const folder = await mkdtemp(join(tmpdir(), 'slipway-forwards-'))
  const file = memoryFile<readonly KeptForward[]>([])
  const snapshot = new Latest<InstancesSnapshot>(nothingListed)
  const opened: string[] = []
  const log = memoryLog()
  let ids = 0

  let connections: Connections
  let ports: PortWatch
  let hasTerminal = true

  function run() {
    connections = createConnections({
      findTarget: () => Promise.resolve({ kind: 'address', address: proxy.address }),
      user: () => user,
      identities: () =>
        Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
      knownHostsFile: join(folder, 'known_hosts'),
      clock: systemClock,
      random: () => 0.5,
      log,
    })
    ports = new PortWatch({
      connections,
      hasTerminal: () => hasTerminal,
      clock: systemClock,
      randomId: () => `look-${(ids += 1)}`,
      log,
    })
    const forwards = new Forwards({
      connections,
      file,
      snapshot,
      openPort: async (url) => {
        opened.push(url)
        return 'opened'
      },
      platform,
      isJupyter: (instanceId, port) => ports.isJupyter(instanceId, port),
      clock: systemClock,
      randomId: () => `forward-${(ids += 1)}`,
      log,
    })
    return forwards
  }

  let forwards = run()
  onTestFinished(async () => {
    forwards.dispose()
    ports.dispose()
    await rm(folder, { recursive: true })
  })

  /** Waits until the forward is in a state of this kind. */
  async function until<K extends Forward['state']['kind']>(
    id: string,
    kind: K,
  ): Promise<Extract<Forward['state'], { kind: K }>> {
    for await (const all of forwards.state.watch(AbortSignal.timeout(60_000))) {
      const state = all.find((one) => one.id === id)?.state
      if (state !== undefined && isOfKind(state, kind)) return state
    }
    throw new Error(`never ${kind}: ${JSON.stringify(forwards.state.value)}`)
  }

  async function trust(id: string): Promise<void> {
    for await (const state of connections.state(1).watch(AbortSignal.timeout(60_000))) {
      if (state.kind !== 'unknown-host') continue
      connections.answerHostKey(1, true, state.offered.fingerprint)
      break
    }
    await until(id, 'open')
  }

  return {
    proxy,
    sshd,
    log,
    opened,
    file,
    snapshot,
    until,
    trust,
    get forwards() {
      return forwards
    },
    get ports() {
      return ports
    },
    get connections() {
      return connections
    },
    /** The last terminal is closed, or one is open again. */
    setTerminal: (isOpen: boolean): void => void (hasTerminal = isOpen),
    /** Adds one, and trusts the host; resolves when it is open. */
    open: async (plan: ForwardPlan): Promise<string> => {
      const { id } = await forwards.add({ instanceId: 1, plan, takeFree: false })
      await trust(id)
      return id
    },
    shown: (id: string): Forward => {
      const found = forwards.state.value.find((one) => one.id === id)
      if (found === undefined) throw new Error(`no forward ${id}`)
      return found
    },
    /** Ends Slipway and starts it again with the same disk. */
    restart: (): void => {
      forwards.dispose()
      forwards = run()
      forwards.resume()
    },
  }
}

function isOfKind<K extends Forward['state']['kind']>(
  state: Forward['state'],
  kind: K,
): state is Extract<Forward['state'], { kind: K }> {
  return state.kind === kind
}

export const echo = (socket: Socket): void => void socket.pipe(socket)

/** Resolves when it is closed, in peace or not. */
export function closed(socket: Socket): Promise<void> {
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

/** A server of this test's own, on a free port unless one is named. */
export async function serve(
  onConnection: (socket: Socket) => void,
  wanted = 0,
): Promise<SshAddress & { close: () => void }> {
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection)
  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(close)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { host: '127.0.0.1', port: address.port, close }
}

/** Sends all of it, says that this was all, and hears what comes back until the other side has ended. */
export async function exchange(port: number, sent: Buffer): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.end(sent)
  await once(socket, 'close')
  return Buffer.concat(pieces)
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
