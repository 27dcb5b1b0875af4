import { once } from 'node:events'
import { Socket } from 'node:net'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'

interface Listed {
  readonly name: string
  readonly mode: number
  readonly size?: number
}

/** Requests of SFTP, as ssh2 names them. */
export const requestKinds = [
  ...(['OPEN', 'READ', 'FSTAT', 'CLOSE', 'OPENDIR', 'READDIR', 'LSTAT', 'REALPATH'] as const),
  ...(['MKDIR', 'RMDIR', 'REMOVE', 'RENAME', 'SETSTAT', 'FSETSTAT'] as const),
] as const
export type RequestKind = (typeof requestKinds)[number]

export type OddAnswerKind = 'handle' | 'data' | 'name' | 'attrs' | 'ok' | 'no-names' | 'failure' | 'denied'

export interface HostileServerOptions {
  /** What every folder lists. */
  readonly list?: () => readonly Listed[]
  /** Whether a listing never ends. */
  readonly endless?: boolean
  /** What every file holds. */
  readonly content?: Buffer
  /** By itself it has. */
  readonly hasSftp?: boolean
  /** Paths that are not there. */
  readonly absent?: readonly string[]
  /** What a path is really at. */
  readonly realPath?: (path: string) => string
  /** What requests are answered with that are asked, in place of what they should be; read at each. */
  readonly odd?: Partial<Record<RequestKind, OddAnswerKind>>
  /** What the answers to a request wait for, besides. */
  readonly late?: Partial<Record<RequestKind, Promise<unknown>>>
  /** What goes with an odd answer that is an error. */
  readonly errorText?: string
  /** Sent in place of any SFTP. */
  readonly garbage?: Buffer
  readonly onConnection?: (connection: Connection) => void
  readonly onSftp?: (sftp: SFTPWrapper) => void
}

export interface HostileServer {
  readonly address: SshAddress
  /** Sessions that were refused SFTP, and that the client has not closed. */
  readonly openSessions: () => number
  /** Files and folders that the client has opened, and not closed, of all sessions. */
  readonly openHandles: () => number
  readonly close: () => void
}

const { STATUS_CODE } = ssh2.utils.sftp

/** An SFTP server in this process that lets anybody in and makes its files up. */
export async function serveHostileSftp(options: HostileServerOptions): Promise<HostileServer> {
  const connections = new Set<Connection>()
  const handles = new OpenHandles()
  let sessions = 0
  const server = new ssh2.Server({ hostKeys: [makeEd25519KeyPair('odd').privateKey] }, (connection) => {
    connections.add(connection)
    withoutDelay(connection)
    options.onConnection?.(connection)
    // The client breaks off when it has seen enough.
    connection.on('error', () => undefined)
    connection.on('authentication', (context) => context.accept())
    connection.on('session', (accept) => {
      const session = accept()
      const { garbage, hasSftp = true } = options
      if (!hasSftp) {
        sessions += 1
        session.on('close', () => (sessions -= 1))
        return
      }
      if (garbage) session.on('subsystem', (acceptSubsystem) => void acceptSubsystem().write(garbage))
      else
        session.on('sftp', (acceptSftp) => {
          const sftp = acceptSftp()
          options.onSftp?.(sftp)
          serve(sftp, options, handles)
        })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    address: { host: '127.0.0.1', port: address.port },
    openSessions: () => sessions,
    openHandles: () => handles.count,
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

/** As OpenSSH gives them out: the first that is free. */
class OpenHandles {
  readonly #open = new Set<string>()

  get count(): number {
    return this.#open.size
  }

  open(): Buffer {
    let first = 0
    while (this.#open.has(`${first}`)) first += 1
    this.#open.add(`${first}`)
    return Buffer.from(`${first}`)
  }

  close(handle: Buffer): void {
    this.#open.delete(handle.toString())
  }
}

function serve(sftp: SFTPWrapper, options: HostileServerOptions, handles: OpenHandles): void {
  const {
    list,
    absent = [],
    endless = false,
    content = Buffer.alloc(0),
    realPath = (path: string) => path,
  } = options
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
    sftp.name(id, [{ filename: realPath(path), longname: '', attrs: attributes({ mode: 0o040755 }) }]),
  )
  // What no list has is a folder.
  sftp.on('LSTAT', (id, path) => {
    if (absent.includes(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    const listed = list?.().find(({ name }) => path.endsWith(`/${name}`))
    sftp.attrs(id, attributes(listed ?? { mode: 0o040755 }))
  })
  sftp.on('OPENDIR', (id) => {
    isListed = false
    sftp.handle(id, handles.open())
  })
  sftp.on('READDIR', (id) => {
    if (isListed && !endless) return sftp.status(id, STATUS_CODE.EOF)
    isListed = true
    const entries = list?.() ?? []
    sftp.name(
      id,
      entries.map(({ name, ...rest }) => ({ filename: name, longname: '', attrs: attributes(rest) })),
    )
  })
  sftp.on('OPEN', (id) => sftp.handle(id, handles.open()))
  sftp.on('READ', (id, _handle, offset, length) => {
    const piece = content.subarray(offset, offset + length)
    if (piece.length === 0) sftp.status(id, STATUS_CODE.EOF)
    else sftp.data(id, piece)
  })
  sftp.on('FSTAT', (id) => sftp.attrs(id, attributes({ mode: 0o100644 })))
  const done = (id: number): void => sftp.status(id, STATUS_CODE.OK)
  sftp.on('CLOSE', (id, handle) => {
    handles.close(handle)
    done(id)
  })
  for (const kind of ['WRITE', 'MKDIR', 'RMDIR', 'REMOVE', 'RENAME', 'SETSTAT', 'FSETSTAT'] as const)
    sftp.on(kind, done)
  for (const kind of requestKinds) answerOddly(sftp, kind, options)
}

/** Before whatever else would answer. */
function answerOddly(
  sftp: SFTPWrapper,
  kind: RequestKind,
  { odd, late, errorText }: HostileServerOptions,
): void {
  const usual = sftp.listeners(kind)
  sftp.removeAllListeners(kind)
  const attrs = { mode: 0o100644, size: 1, uid: 0, gid: 0, atime: 1, mtime: 1 }
  const answers: Readonly<Record<OddAnswerKind, (id: number) => void>> = {
    handle: (id) => sftp.handle(id, Buffer.from('odd')),
    data: (id) => sftp.data(id, Buffer.from('odd')),
    name: (id) => sftp.name(id, [{ filename: 'odd', longname: '', attrs }]),
    'no-names': (id) => sftp.name(id, []),
    attrs: (id) => sftp.attrs(id, attrs),
    ok: (id) => sftp.status(id, STATUS_CODE.OK),
    failure: (id) => sftp.status(id, STATUS_CODE.FAILURE, errorText),
    denied: (id) => sftp.status(id, STATUS_CODE.PERMISSION_DENIED, errorText),
  }
  sftp.on(kind as 'CLOSE', (id: number, ...rest: readonly unknown[]) => {
    const answerIt = (): void => {
      const answer = odd?.[kind]
      if (answer !== undefined) answers[answer](id)
      else for (const listener of usual) Reflect.apply(listener, sftp, [id, ...rest])
    }
    const waitsFor = late?.[kind]
    if (waitsFor === undefined) answerIt()
    else void waitsFor.then(answerIt)
  })
}
