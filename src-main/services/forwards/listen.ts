import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Client } from 'ssh2'
import type { ForwardEntrance, ForwardProblem, ForwardPlan } from '../../domain/forwards/forward.ts'

/** Where a forward listens on this computer. */
export function addressOf({ reach }: ForwardEntrance): string {
  switch (reach) {
    case 'loopback':
      return '127.0.0.1'
    case 'network':
      return '0.0.0.0'
  }
}

/** Rejects with what the system says. */
export async function startListening(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port, exclusive: true })
  await once(server, 'listening')
}

/** The system's name of what went wrong (`EADDRINUSE`). */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

/** So many stand at once on one forward; further ones wait in the system's queue or are refused by it. */
export const mostConnections = 512

/** Ends the start of a forward, with what the user is told. */
export class ForwardFailed extends Error {
  readonly problem: ForwardProblem
  constructor(problem: ForwardProblem, options?: ErrorOptions) {
    super(problem.kind, options)
    this.name = 'ForwardFailed'
    this.problem = problem
  }
}

/** Bytes that wait in a socket before its channel is paused: with Node's 64 KiB it is at every other packet. */
const highWaterMark = 512 * 1024

/** Half-open, so that who has said all can still hear the answer, as through any network. */
export function createForwardServer(onConnection: (socket: Socket) => void): Server {
  const server = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark }, onConnection)
  server.maxConnections = mostConnections
  return server
}

/** Listens on this computer. @throws ForwardFailed */
export async function listen(
  entrance: ForwardEntrance,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const { port } = entrance
  const host = addressOf(entrance)
  const server = createForwardServer(onConnection)
  try {
    await startListening(server, host, port)
  } catch (error) {
    throw new ForwardFailed(await problemOf(error, host, port), { cause: error })
  }
  return server
}

async function problemOf(error: unknown, host: string, port: number): Promise<ForwardProblem> {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return { kind: 'port-in-use', port, free: await nextFreePort(host, port) }
    case 'EACCES':
      return { kind: 'port-not-allowed', port }
    default:
      return { kind: 'cannot-listen', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** How far above a port that is in use a free one is looked for. */
const nearby = 100

/** The first port above that nobody listens on, on this computer; `null` when there is none near. */
async function nextFreePort(
  host: string,
  above: number,
  taken: ReadonlySet<number> = new Set(),
): Promise<number | null> {
  for (let port = above + 1; port <= Math.min(above + nearby, 65_535); port += 1) {
    if (!taken.has(port) && (await isFree(host, port))) return port
  }
  return null
}

/**
 * The plan, on the next free port where its own is in use or another plan's. On an instance nobody knows what
 * is free.
 */
export async function withFreePort(plan: ForwardPlan, others: readonly ForwardPlan[]): Promise<ForwardPlan> {
  if (plan.kind === 'remote') return plan
  const taken = new Set(others.filter(({ kind }) => kind !== 'remote').map(({ entrance }) => entrance.port))
  const port = await nextFreePort(addressOf(plan.entrance), plan.entrance.port - 1, taken)
  return port === null ? plan : { ...plan, entrance: { ...plan.entrance, port } }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await startListening(server, host, port)
    return true
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES') return false
    throw error
  } finally {
    server.close()
  }
}

/** Where a browser of this computer reaches a forward. */
export interface BrowserEntrance {
  readonly address: string
  /** Whether names that lead to loopback lead there, too, and nowhere else on this computer. */
  readonly takesNames: boolean
}

/** Where connections come into a forward. */
export interface ForwardListener {
  /** Where a browser of this computer comes in; `null` for what leads to no single place of the instance. */
  readonly browsers: BrowserEntrance | null
  /** From now on they go through this connection. @throws ForwardFailed */
  readonly attach: (client: Client, signal: AbortSignal) => Promise<void>
  /** The connection is lost: what goes through it breaks off. The listener stays taken where it can. */
  readonly detach: () => void
  readonly close: () => void
}
