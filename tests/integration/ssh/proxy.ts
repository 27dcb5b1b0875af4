import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { SshAddress } from '../../../src-main/domain/ssh.ts'

/** A way through the network to a server, with what networks do. */
export interface Proxy {
  readonly address: SshAddress
  /** Connections that stand at this moment. */
  readonly open: () => number
  /** From now on nothing gets through, and nobody is told. */
  readonly fallSilent: () => void
  /** Turns over one bit of the next piece that the server sends, and falls silent. */
  readonly corrupt: () => void
}

/** @param delayMs in each direction */
export async function startProxy(to: SshAddress, delayMs = 0): Promise<Proxy> {
  const clients = new Set<Socket>()
  let isSilent = false
  let isToCorrupt = false

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...to, noDelay: true, allowHalfOpen: true })
    clients.add(client)
    const end = (): void => {
      clients.delete(client)
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
      if (isSilent) return
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
      if (!isSilent) setTimeout(() => into.end(), delayMs)
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    address: { host: '127.0.0.1', port: address.port },
    open: () => clients.size,
    fallSilent: () => {
      isSilent = true
    },
    corrupt: () => {
      isToCorrupt = true
    },
  }
}
