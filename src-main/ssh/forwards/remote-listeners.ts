import type { AcceptConnection, Client, ClientChannel, RejectConnection, TcpConnectionDetails } from 'ssh2'
import type { ForwardEntrance } from '../../domain/forward.ts'
import { ForwardFailed } from './listen.ts'

type OnConnection = (accept: () => ClientChannel, refuse: () => void) => void

/**
 * Ports that instances listen on for this computer (`tcpip-forward`, RFC 4254 section 7.1). ssh2 tells of each
 * connection to whoever listens to the client, so one listener per client hands them out.
 */
export class RemoteListeners {
  readonly #ports = new WeakMap<Client, Map<number, OnConnection>>()

  /** @throws ForwardFailed when the instance does not listen there */
  listen(client: Client, { port, reach }: ForwardEntrance, onConnection: OnConnection): Promise<() => void> {
    const ports = this.#portsOf(client)
    const address = reach === 'loopback' ? 'localhost' : ''
    const refused = (cause?: unknown): ForwardFailed =>
      new ForwardFailed({ kind: 'refused-there', port }, { cause })
    if (ports.has(port)) return Promise.reject(refused())
    ports.set(port, onConnection)
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        ports.delete(port)
        reject(refused(error))
      }
      try {
        client.forwardIn(address, port, (error) => {
          if (error) return fail(error)
          resolve(() => {
            ports.delete(port)
            unlisten(client, address, port)
          })
        })
      } catch (error) {
        // ssh2 throws when the connection has just gone.
        fail(error)
      }
    })
  }

  #portsOf(client: Client): Map<number, OnConnection> {
    const known = this.#ports.get(client)
    if (known) return known
    const ports = new Map<number, OnConnection>()
    this.#ports.set(client, ports)
    client.on(
      'tcp connection',
      (
        { destPort }: TcpConnectionDetails,
        accept: AcceptConnection<ClientChannel>,
        reject: RejectConnection,
      ) => {
        const onConnection = ports.get(destPort)
        if (onConnection) onConnection(accept, reject)
        else reject()
      },
    )
    return ports
  }
}

function unlisten(client: Client, address: string, port: number): void {
  try {
    // Whether it agrees changes nothing here: what still comes is refused.
    client.unforwardIn(address, port, () => undefined)
  } catch (error) {
    // With the connection the port is gone, too.
    if (!(error instanceof Error && error.message === 'Not connected')) throw error
  }
}
