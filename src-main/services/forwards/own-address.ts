import type { Server, Socket } from 'node:net'
import type { ForwardEntrance } from '../../domain/forwards/forward.ts'
import { addressOf, type BrowserEntrance, codeOf, createForwardServer, startListening } from './listen.ts'

/**
 * The loopback address of one instance's forwards, for what can't be opened by a name of its own (`forwardHostName`).
 * Browsers keep cookies by host and not by port: at one address for all, a page of one instance would get the cookies of
 * another's.
 *
 * From 127.16.0.0 to 127.254.255.255: what lies below is used by systems themselves (127.0.0.53, 127.0.1.1), and the last
 * address is the network's broadcast. Instances whose ids are apart by a multiple of 15,663,104 share one.
 */
export function ownAddress(instanceId: number): string {
  const place = instanceId % (239 * 256 * 256)
  return [127, 16 + Math.floor(place / 65_536), Math.floor(place / 256) % 256, place % 256].join('.')
}

/**
 * Opens a forward to browsers, on the same port: at the instance's own address, where this computer has that (Linux and
 * Windows have all that begin with 127, macOS has 127.0.0.1 alone), and at ::1, which they try first for a name in
 * `.localhost`. Where the own address can't be had, browsers come to 127.0.0.1, as other programs do.
 *
 * @returns what to close with the forward
 */
export async function openToBrowsers(
  { port, reach }: ForwardEntrance,
  instanceId: number,
  accept: (socket: Socket) => void,
): Promise<{ readonly entrance: BrowserEntrance; readonly servers: readonly Server[] }> {
  const own = ownAddress(instanceId)
  const servers: Server[] = []
  const open = async (host: string, wanted: number): Promise<void> => {
    const server = createForwardServer(accept)
    await startListening(server, host, wanted)
    servers.push(server)
  }
  let address = own
  try {
    // What listens on all addresses of this computer listens on this one already, if there is such a one.
    await open(own, reach === 'network' ? 0 : port)
    if (reach === 'network') servers.pop()?.close()
  } catch {
    address = addressOf({ port, reach: 'loopback' })
  }
  let takesNames = true
  try {
    await open('::1', port)
  } catch (error) {
    // Another program's: a name would lead there. Without IPv6 it leads to 127.0.0.1 alone.
    takesNames = codeOf(error) === 'EADDRNOTAVAIL' || codeOf(error) === 'EAFNOSUPPORT'
  }
  return { entrance: { address, takesNames }, servers }
}
