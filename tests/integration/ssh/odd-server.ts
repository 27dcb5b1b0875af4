import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { makeEd25519KeyPair } from '../../../src-main/ssh/key-pair.ts'
import type { SshAddress } from '../../../src-main/domain/ssh.ts'

export interface OddServer {
  readonly address: SshAddress
}

/** A server in this process that lets anybody in, for what a real sshd never does. `shell` gets each shell. */
export async function startOddServer(
  shell: (channel: ServerChannel, connection: Connection) => void,
): Promise<OddServer> {
  const connections = new Set<Connection>()
  const server = new ssh2.Server({ hostKeys: [makeEd25519KeyPair('odd').privateKey] }, (connection) => {
    connections.add(connection)
    // The client breaks off when it has seen enough.
    connection.on('error', () => undefined)
    connection.on('authentication', (context) => context.accept())
    connection.on('ready', () => {
      connection.on('session', (acceptSession) => {
        const session = acceptSession()
        session.on('pty', (acceptPty) => acceptPty())
        session.on('shell', (acceptShell) => shell(acceptShell(), connection))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const connection of connections) connection.end()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { address: { host: '127.0.0.1', port: address.port } }
}
