import { once } from 'node:events'
import { connect } from 'node:net'

/** The first line that a server says; rejects when nobody listens there. */
export async function greetingOf(host: string, port: number): Promise<string> {
  const socket = connect(port, host)
  try {
    const [data]: unknown[] = await once(socket, 'data')
    return String(data)
  } finally {
    socket.destroy()
  }
}
