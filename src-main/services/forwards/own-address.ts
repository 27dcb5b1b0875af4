import type { Server, Socket } from 'node:net'
import type { ForwardEntrance } from '../../domain/forwards/forward.ts'
import { addressOf, startListening, createForwardServer } from './listen.ts'

/**
 * The loopback address of one instance's forwards. Browsers keep cookies by host and not by port: at one address for all,
 * a page of one instance would get the cookies of another's. An address and no name, such as `7.localhost`: Jupyter
 * answers 403 to names, and Safari does not find them.
 *
 * From 127.16.0.0 to 127.254.255.255: what lies below is used by systems themselves (127.0.0.53, 127.0.1.1), and the last
 * address is the network's broadcast. Instances whose ids are apart by a multiple of 15,663,104 share one.
 */
export function ownAddress(instanceId: number): string {
  const place = instanceId % (239 * 256 * 256)
  return [127, 16 + Math.floor(place / 65_536), Math.floor(place / 256) % 256, place % 256].join('.')
}

/** Where a browser of this computer reaches a forward. */
export interface BrowserEntrance {
  readonly host: string
  /** What listens there, besides what the user asked for; `null` when nothing else does. */
  readonly server: Server | null
}

/**
 * Opens the instance's own address to a forward, on the same port, where this computer has that address: Linux and Windows
 * have all that begin with 127, macOS has 127.0.0.1 alone. Where it can't be had, browsers come to 127.0.0.1, as other
 * programs do.
 */
export async function openToBrowsers(
  { port, reach }: ForwardEntrance,
  instanceId: number,
  accept: (socket: Socket) => void,
): Promise<BrowserEntrance> {
  const host = ownAddress(instanceId)
  const server = createForwardServer(accept)
  try {
    // What listens on all addresses of this computer listens on this one already, if there is such a one.
    await startListening(server, host, reach === 'network' ? 0 : port)
  } catch {
    return { host: addressOf({ port, reach: 'loopback' }), server: null }
  }
  if (reach === 'loopback') return { host, server }
  server.close()
  return { host, server: null }
}
