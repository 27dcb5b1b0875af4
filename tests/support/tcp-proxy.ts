import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Where it listens and where it leads. */
export interface TcpPlace {
  readonly host: string
  readonly port: number
}

/** A way through the network to a server, with what networks do. */
export interface TcpProxy {
  readonly address: TcpPlace
  /** Connections that stand at this moment. */
  readonly open: () => number
  /** From now on nothing gets through, and nobody is told. */
  readonly fallSilent: () => void
  /** New connections get through again; those that fell silent stay so. */
  readonly heal: () => void
  /** Breaks off every connection, as a restart on the way does. */
  readonly cut: () => void
  /** Turns over one bit of the next piece that the server sends, and falls silent. */
  readonly corrupt: () => void
  readonly close: () => void
}

/** @param delayMs in each direction */
export async function startTcpProxy(to: TcpPlace, delayMs = 0): Promise<TcpProxy> {
  const clients = new Set<Socket>()
  /** Both ends of each connection. */
  const sockets = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  let isSilent = false
  let isToCorrupt = false

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...to, noDelay: true, allowHalfOpen: true })
    clients.add(client)
    sockets.add(client).add(upstream)
    const end = (): void => {
      clients.delete(client)
      for (const socket of [client, upstream]) sockets.delete(socket)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end)
    pass(client, upstream)
    pass(upstream, client)
  })

  /** Sends each piece when its time has come, in order; as many as a long way holds. */
  function pass(from: Socket, into: Socket): void {
    from.on('data', (piece: Buffer) => {
      if (isSilent || silent.has(from)) return
      if (isToCorrupt && clients.has(into)) {
        isToCorrupt = false
        isSilent = true
        const middle = piece.length >> 1
        piece.writeUInt8(piece.readUInt8(middle) ^ 1, middle)
      }
      if (delayMs === 0) into.write(piece)
      else setTimeout(() => into.write(piece), delayMs)
    })
    from.on('end', () => {
      if (!isSilent && !silent.has(from)) setTimeout(() => into.end(), delayMs)
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    address: { host: '127.0.0.1', port: address.port },
    open: () => clients.size,
    fallSilent: () => {
      isSilent = true
    },
    heal: () => {
      for (const socket of sockets) silent.add(socket)
      isSilent = false
    },
    cut: () => {
      for (const client of clients) client.destroy()
    },
    corrupt: () => {
      isToCorrupt = true
    },
    close: () => {
      for (const client of clients) client.destroy()
      server.close()
    },
  }
}
