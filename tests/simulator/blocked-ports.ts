import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** How a port is blocked: nobody is there, or somebody takes connections and says nothing. */
export type Blockade = 'refused' | 'silent'

/** Ports of 127.0.0.1 that are blocked, on order. */
export interface BlockedPorts {
  has(port: number): boolean
  /** Nobody else may listen on it. `null` frees it. */
  set(port: number, how: Blockade | null): Promise<void>
  clear(): Promise<void>
}

export function createBlockedPorts(): BlockedPorts {
  const blocked = new Map<number, SilentServer | null>()

  async function free(port: number): Promise<void> {
    await blocked.get(port)?.close()
    blocked.delete(port)
  }

  return {
    has: (port) => blocked.has(port),
    async set(port, how) {
      await free(port)
      if (how !== null) blocked.set(port, how === 'silent' ? await startSilentServer(port) : null)
    },
    async clear() {
      await Promise.all([...blocked.keys()].map(free))
    },
  }
}

interface SilentServer {
  close(): Promise<void>
}

async function startSilentServer(port: number): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    // Whoever gives up may reset the connection.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
