import { once } from 'node:events'
import { connect } from 'node:net'
import ssh2, { type AuthContext, type Connection } from 'ssh2'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { findFreePort } from '../simulator/free-port.ts'

export interface LoginServer {
  readonly address: { readonly host: string; readonly port: number }
  /** Methods that were tried, in order. */
  readonly tried: readonly string[]
  /** Passwords that arrived. */
  readonly said: readonly string[]
  /** Ends the connections; others may be made. */
  readonly drop: () => void
  readonly close: () => void
}

/** Lets in, refuses, or asks. */
export type Authenticate = (context: AuthContext, connection: Connection) => void

/**
 * A server in this process that logs in as the test says, leads on to other addresses as a jump host does, and opens
 * shells that say hello.
 */
export async function startLoginServer(authenticate: Authenticate): Promise<LoginServer> {
  const connections = new Set<Connection>()
  const tried: string[] = []
  const said: string[] = []
  const server = new ssh2.Server(
    { hostKeys: [makeEd25519KeyPair('login server').privateKey] },
    (connection) => {
      connections.add(connection)
      // The client breaks off when it has seen enough.
      connection.on('error', () => undefined)
      connection.on('authentication', (context) => {
        tried.push(context.method)
        if (context.method === 'password') said.push(context.password)
        authenticate(context, connection)
      })
      connection.on('tcpip', (accept, refuse, { destIP, destPort }) => {
        const socket = connect(destPort, destIP)
        socket.on('error', () => undefined)
        socket.once('connect', () => {
          const channel = accept()
          channel.on('error', () => socket.destroy())
          channel.pipe(socket).pipe(channel)
        })
        socket.once('error', refuse)
      })
      connection.on('session', (acceptSession) => {
        const session = acceptSession()
        session.on('pty', (acceptPty) => acceptPty())
        session.on('shell', (acceptShell) => void acceptShell().write('hello'))
      })
    },
  )
  server.listen(await findFreePort(), '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const drop = (): void => {
    for (const connection of connections) connection.end()
    connections.clear()
  }
  return {
    address: { host: '127.0.0.1', port: address.port },
    tried,
    said,
    drop,
    close: () => {
      drop()
      server.close()
    },
  }
}

/** Whether a key has signed. Who only asks whether it would be taken is told that it is. */
export function hasSigned(context: AuthContext): boolean {
  if (context.method !== 'publickey') return false
  if (context.signature === undefined || context.blob === undefined) {
    context.accept()
    return false
  }
  const key = ssh2.utils.parseKey(context.key.data)
  if (key instanceof Error) throw key
  return key.verify(context.blob, context.signature, context.hashAlgo)
}
