import type { AcceptConnection, Client, ClientChannel, RejectConnection, TcpConnectionDetails } from 'ssh2'
import type { ForwardEntrance } from '../../domain/forwards/forward.ts'
import { ForwardFailed } from './listen.ts'

type OnConnection = (accept: () => ClientChannel, refuse: () => void) => void

/** What one connection's instance listens on, or may. */
interface Listening {
  readonly ports: Map<number, OnConnection>
  /** Those that were given up, by address and port: whether the instance has let go of them, once it has said so. */
  readonly givenUp: Map<string, Promise<boolean>>
}

/**
 * Ports that instances listen on for this computer (`tcpip-forward`, RFC 4254 section 7.1). ssh2 tells of each
 * connection to whoever listens to the client, so one listener per client hands them out.
 */
export class RemoteListeners {
  readonly #listening = new WeakMap<Client, Listening>()

  /** @throws ForwardFailed when the instance does not listen there */
  async listen(
    client: Client,
    { port, reach }: ForwardEntrance,
    onConnection: OnConnection,
  ): Promise<() => void> {
    const { ports, givenUp } = this.#listeningOf(client)
    const address = reach === 'loopback' ? 'localhost' : ''
    const name = `${address}:${port}`
    if (ports.has(port)) throw new ForwardFailed({ kind: 'refused-there', port })
    ports.set(port, onConnection)
    try {
      // dropbear listens on until the connection ends, and refuses the port to all, to this connection, too.
      const isFree = (await givenUp.get(name)) ?? true
      if (isFree) await forwardIn(client, address, port)
    } catch (error) {
      ports.delete(port)
      throw new ForwardFailed({ kind: 'refused-there', port }, { cause: error })
    }
    return () => {
      ports.delete(port)
      givenUp.set(name, unforwardIn(client, address, port))
    }
  }

  #listeningOf(client: Client): Listening {
    const known = this.#listening.get(client)
    if (known) return known
    const ports = new Map<number, OnConnection>()
    const listening = { ports, givenUp: new Map<string, Promise<boolean>>() }
    this.#listening.set(client, listening)
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
    return listening
  }
}

/** Rejects when the instance refuses, and when the connection has just gone: then ssh2 throws. */
function forwardIn(client: Client, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    client.forwardIn(address, port, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

/** @returns whether it lets go of the port; what still comes is refused anyway */
function unforwardIn(client: Client, address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      client.unforwardIn(address, port, (error) => resolve(!error))
    } catch (error) {
      // With the connection the port is gone, too.
      if (!(error instanceof Error && error.message === 'Not connected')) throw error
      resolve(true)
    }
  })
}
