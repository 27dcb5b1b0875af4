import { createServer, type Server, type Socket } from 'node:net'
import type { ForwardEntrance, ForwardProblem } from '../../domain/forwards/forward.ts'
import { addressOf, codeOf, startListening } from './bind.ts'
import { nextFreePort } from './free-port.ts'

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

/** Half-open, so that who has said all can still hear the answer, as through any network. */
export function createForwardServer(onConnection: (socket: Socket) => void): Server {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection)
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
