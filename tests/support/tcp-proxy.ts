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
  /** Bytes that have got through so far, of both directions. */
  readonly passed: () => number
  /** Nothing gets through any more, once so many bytes more have, and nobody is told. */
  readonly fallSilent: (afterBytes?: number) => void
  readonly isSilent: () => boolean
  /** New connections get through again; those that fell silent stay so. */
  readonly heal: () => void
  /** All get through again, with what was on its way, however much of it. */
  readonly goOn: () => void
  /** Breaks off every connection, as a restart on the way does. */
  readonly cut: () => void
  /** Turns over one bit of the next piece that the server sends, and falls silent. */
  readonly corrupt: () => void
  /** Gives every piece that the server sends to whoever sits on the way, to change in place. */
  readonly tamper: (change: (piece: Buffer) => void) => void
  readonly close: () => void
}

/** @param delayMs in each direction */
export async function startTcpProxy(to: TcpPlace, delayMs = 0): Promise<TcpProxy> {
  const clients = new Set<Socket>()
  /** Both ends of each connection. */
  const sockets = new Set<Socket>()
  let passed = 0
  let silentFrom = Infinity
  let isSilent = false
  let isToCorrupt = false
  let tamper: ((piece: Buffer) => void) | null = null

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
    for (const socket of [client, upstream]) {
      socket.on('close', end).on('error', end)
      if (isSilent) socket.pause()
    }
    pass(client, upstream)
    pass(upstream, client)
  })

  /** Sends each piece when its time has come, in order; as many as a long way holds. */
  function pass(from: Socket, into: Socket): void {
    const inTime = (send: () => void): void => {
      if (delayMs === 0) send()
      else setTimeout(send, delayMs)
    }
    from.on('data', (piece: Buffer) => {
      if (isToCorrupt && clients.has(into)) {
        isToCorrupt = false
        silence()
        const middle = piece.length >> 1
        piece.writeUInt8(piece.readUInt8(middle) ^ 1, middle)
      }
      if (clients.has(into)) tamper?.(piece)
      passed += piece.length
      if (passed >= silentFrom) silence()
      inTime(() => into.write(piece))
    })
    from.on('end', () => inTime(() => into.end()))
  }

  /** What nobody reads waits where it is, and at last at its sender. */
  function silence(): void {
    isSilent = true
    silentFrom = Infinity
    for (const socket of sockets) socket.pause()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cut = (): void => {
    for (const client of clients) client.destroy()
  }
  return {
    address: { host: '127.0.0.1', port: address.port },
    open: () => clients.size,
    passed: () => passed,
    fallSilent: (afterBytes = 0) => {
      if (afterBytes === 0) silence()
      else silentFrom = passed + afterBytes
    },
    isSilent: () => isSilent,
    heal: () => {
      isSilent = false
    },
    goOn: () => {
      isSilent = false
      silentFrom = Infinity
      for (const socket of sockets) socket.resume()
    },
    cut,
    corrupt: () => {
      isToCorrupt = true
    },
    tamper: (change) => {
      tamper = change
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
