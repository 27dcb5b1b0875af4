import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Where a request is held: on its way to the service, or its reply on the way back. */
export type HeldAt = 'request' | 'reply'

/** A request that is held. */
export interface Held {
  /** It goes on. */
  readonly release: () => void
}

/** Stands between the window and the service, passes everything on, and holds what it is told to hold. */
export interface HoldingProxy {
  readonly baseUrl: string
  /** Resolves when the next such request has come that far. What is not released never goes on. */
  readonly hold: (method: string, path: string, at: HeldAt) => Promise<Held>
  readonly close: () => Promise<void>
}

interface Order {
  readonly method: string
  readonly path: string
  readonly at: HeldAt
  readonly reached: (held: Held) => void
}

export async function startHoldingProxy(serviceUrl: string): Promise<HoldingProxy> {
  const orders: Order[] = []

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming
    const body = await buffer(incoming)
    const index = orders.findIndex((order) => order.method === method && order.path === url)
    const order = index === -1 ? undefined : orders.splice(index, 1)[0]
    if (order?.at === 'request') await stopAt(order)
    const reply = await send(new URL(url ?? '/', serviceUrl), method, headers, body)
    const content = await buffer(reply)
    if (order?.at === 'reply') await stopAt(order)
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    outgoing.end(content)
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  return {
    baseUrl: `http://127.0.0.1:${String(address.port)}`,
    hold: (method, path, at) => new Promise((reached) => orders.push({ method, path, at, reached })),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const stopAt = ({ reached }: Order): Promise<void> =>
  new Promise((release) => reached({ release: () => release() }))

function send(
  url: URL,
  method: string | undefined,
  headers: IncomingMessage['headers'],
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    forward(url, { method, headers }, resolve).once('error', reject).end(body)
  })
}
