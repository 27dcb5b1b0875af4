import { once } from 'node:events'
import { Socket } from 'node:net'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'
import type { SshAddress } from '../../src-main/domain/ssh.ts'
import { makeEd25519KeyPair } from '../../src-main/ssh/key-pair.ts'

interface Listed {
  readonly name: string
  readonly mode: number
  readonly size?: number
}

export interface HostileServerOptions {
  /** What every folder lists. */
  readonly list?: () => readonly Listed[]
  /** Whether a listing never ends. */
  readonly endless?: boolean
  /** What every file holds. */
  readonly content?: Buffer
  /** Sent in place of any SFTP. */
  readonly garbage?: Buffer
  readonly onSftp?: (sftp: SFTPWrapper) => void
}

export interface HostileServer {
  readonly address: SshAddress
  readonly close: () => void
}

const { STATUS_CODE } = ssh2.utils.sftp

/** An SFTP server in this process that lets anybody in and makes its files up. */
export async function serveHostileSftp(options: HostileServerOptions): Promise<HostileServer> {
  const connections = new Set<Connection>()
  const server = new ssh2.Server({ hostKeys: [makeEd25519KeyPair('odd').privateKey] }, (connection) => {
    connections.add(connection)
    withoutDelay(connection)
    // The client breaks off when it has seen enough.
    connection.on('error', () => undefined)
    connection.on('authentication', (context) => context.accept())
    connection.on('session', (accept) => {
      const session = accept()
      const { garbage } = options
      if (garbage) session.on('subsystem', (acceptSubsystem) => void acceptSubsystem().write(garbage))
      else
        session.on('sftp', (acceptSftp) => {
          const sftp = acceptSftp()
          options.onSftp?.(sftp)
          serve(sftp, options)
        })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    address: { host: '127.0.0.1', port: address.port },
    close: () => {
      for (const connection of connections) connection.end()
      server.close()
    },
  }
}

/** Its many short answers would wait 40 ms each. */
function withoutDelay(connection: Connection): void {
  const socket: unknown = Reflect.get(connection, '_sock')
  if (!(socket instanceof Socket)) throw new Error('ssh2 has changed inside')
  socket.setNoDelay(true)
}

function serve(
  sftp: SFTPWrapper,
  { list, endless = false, content = Buffer.alloc(0) }: HostileServerOptions,
): void {
  const attributes = ({ mode, size = content.length }: Omit<Listed, 'name'>) => ({
    mode,
    size,
    uid: 0,
    gid: 0,
    atime: 1,
    mtime: 1,
  })
  let isListed = false
  sftp.on('REALPATH', (id, path) =>
    sftp.name(id, [{ filename: path, longname: path, attrs: attributes({ mode: 0o040755 }) }]),
  )
  // What no list has is a folder.
  sftp.on('LSTAT', (id, path) => {
    const listed = list?.().find(({ name }) => path.endsWith(`/${name}`))
    sftp.attrs(id, attributes(listed ?? { mode: 0o040755 }))
  })
  sftp.on('OPENDIR', (id) => {
    isListed = false
    sftp.handle(id, Buffer.from('folder'))
  })
  sftp.on('READDIR', (id) => {
    if (isListed && !endless) return sftp.status(id, STATUS_CODE.EOF)
    isListed = true
    const entries = list?.() ?? []
    sftp.name(
      id,
      entries.map(({ name, ...rest }) => ({ filename: name, longname: name, attrs: attributes(rest) })),
    )
  })
  sftp.on('OPEN', (id) => sftp.handle(id, Buffer.from('file')))
  sftp.on('READ', (id, _handle, offset, length) => {
    const piece = content.subarray(offset, offset + length)
    if (piece.length === 0) sftp.status(id, STATUS_CODE.EOF)
    else sftp.data(id, piece)
  })
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK))
}
