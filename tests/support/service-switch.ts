import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Simulator } from '../simulator/simulator.ts'

/** Stands before the service, whose instances go on when it is off. */
export interface ServiceSwitch {
  /** The service as it is reached through this. */
  readonly service: Simulator
  /** From now on nothing listens there, and what was open is broken off. */
  readonly off: () => Promise<void>
  readonly on: () => Promise<void>
}

export async function startServiceSwitch(service: Simulator): Promise<ServiceSwitch> {
  const { hostname: host, port } = new URL(service.baseUrl)
  const sockets = new Set<Socket>()
  let server: Server | null = null

  async function listen(at: number): Promise<number> {
    server = createServer((client) => {
      const upstream = connect({ host, port: Number(port) })
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(one)
        one.on('error', () => other.destroy()).on('close', () => (other.destroy(), sockets.delete(one)))
        one.pipe(other)
      }
    })
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the switch has no port')
    return address.port
  }

  const own = await listen(0)
  return {
    service: { ...service, baseUrl: `http://127.0.0.1:${own}` },
    off: async () => {
      if (server === null) return
      const closed = once(server, 'close')
      server.close()
      server = null
      for (const socket of sockets) socket.destroy()
      await closed
    },
    on: async () => {
      await listen(own)
    },
  }
}
