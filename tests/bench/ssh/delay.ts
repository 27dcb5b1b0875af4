// A way through the network that takes its time: `delay.ts <port> <ms in each direction>`; prints its own port.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

const [port, delayMs] = process.argv.slice(2).map(Number)

const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
  const upstream = connect({ host: '127.0.0.1', port: port ?? 0, noDelay: true, allowHalfOpen: true })
  const end = (): void => {
    client.destroy()
    upstream.destroy()
  }
  for (const socket of [client, upstream]) socket.on('close', end).on('error', end)
  pass(client, upstream)
  pass(upstream, client)
})

/** As wide as one likes: what is on its way is limited by who sends, not by the way. */
function pass(from: Socket, into: Socket): void {
  const underWay: { readonly at: number; readonly piece: Buffer | null }[] = []
  const arrive = (): void => {
    for (let first = underWay[0]; first && first.at <= performance.now(); first = underWay[0]) {
      underWay.shift()
      if (first.piece === null) into.end()
      else into.write(first.piece)
    }
    if (underWay[0]) setTimeout(arrive, Math.max(0, underWay[0].at - performance.now()))
  }
  const send = (piece: Buffer | null): void => {
    underWay.push({ at: performance.now() + (delayMs ?? 0), piece })
    if (underWay.length === 1) setTimeout(arrive, delayMs)
  }
  from.on('data', send)
  from.on('end', () => send(null))
}

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
