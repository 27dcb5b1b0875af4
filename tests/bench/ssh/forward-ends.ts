// Both ends of a forwarded connection. Prints the port of the far end; then, for each order on stdin
// (`{ port, direction, megabytes }`), how many seconds the bytes took through the forward at that port.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const order = z.object({ port: z.number(), direction: z.enum(['down', 'up']), megabytes: z.number() })
const piece = Buffer.alloc(64 * 1024, 'x')

/** What the far end does is said in the first line: `down 512` makes it send. */
const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (first: Buffer) => {
    const head = first.indexOf('\n') + 1
    const [direction, megabytes] = first.toString('latin1', 0, head).split(' ')
    const bytes = Number(megabytes) * 1_000_000
    if (direction === 'down') void send(socket, bytes)
    else void receive(socket, head + bytes - first.length).then(() => socket.end('k'))
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

async function send(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= piece.length)
    if (!socket.write(left < piece.length ? piece.subarray(0, left) : piece)) await once(socket, 'drain')
}

function receive(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes
    socket.on('data', (more: Buffer) => {
      left -= more.length
      if (left <= 0) resolve()
    })
  })
}

for await (const line of createInterface(process.stdin)) {
  const { port, direction, megabytes } = order.parse(JSON.parse(line))
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  await once(socket, 'connect')
  const begun = performance.now()
  const done = receive(socket, direction === 'down' ? megabytes * 1_000_000 : 1)
  socket.write(`${direction} ${megabytes}\n`)
  if (direction === 'up') await send(socket, megabytes * 1_000_000)
  await done
  console.log((performance.now() - begun) / 1_000)
  socket.destroy()
}
