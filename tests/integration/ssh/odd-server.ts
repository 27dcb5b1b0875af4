import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { waitFor } from '../../support/wait-for.ts'

export interface OddServerOptions {
  /** Before its identification. */
  readonly greeting?: string
  /** Shown before the login. */
  readonly banner?: string
  readonly onConnection?: (connection: Connection) => void
  readonly isSlowToLogIn?: boolean
  readonly isSlowToOpen?: boolean
  readonly refusesChannels?: boolean
  /** Gets each shell; without it they are refused. */
  readonly shell?: (channel: ServerChannel, connection: Connection) => void
}

/** What a server may claim, if it does not keep to the order. */
export interface EarlyClaims {
  readonly serviceAccept: (name: string) => void
  readonly authSuccess: () => void
  readonly openssh_authAgent: (id: number, window: number, packetSize: number) => void
}

/** SSH_MSG_IGNORE of nothing, as a packet before there are keys (RFC 4253 sections 6 and 11.2). */
const idlePacket = Buffer.from('0000000c060200000000000000000000', 'hex')
const keyExchangeBegins = 20

/** Says something idle in the midst of the first key exchange. To be called before it begins: in `onConnection`. */
export function beIdleInFirstExchange(connection: Connection): void {
  const protocol: unknown = Reflect.get(connection, '_protocol')
  if (!isInner(protocol)) throw new Error('ssh2 has changed inside')
  const cipher = protocol._cipher
  const send = cipher.encrypt.bind(cipher)
  cipher.encrypt = (packet) => {
    send(packet)
    if (packet[5] === keyExchangeBegins) send(idlePacket)
  }
}

interface InnerProtocol extends EarlyClaims {
  readonly _kex: { readonly finish: () => void; readonly _sentNEWKEYS: boolean }
  readonly _authsQueue: string[]
  /** There is another one for each set of keys. */
  readonly _cipher: { encrypt: (packet: Buffer) => void }
}

/** Makes a claim under a server's new keys, while its client has not even looked at the host key. */
export async function claimEarly(
  connection: Connection,
  claim: (claims: EarlyClaims) => void,
): Promise<void> {
  const protocol: unknown = Reflect.get(connection, '_protocol')
  if (!isInner(protocol)) throw new Error('ssh2 has changed inside')
  await waitFor(() => expect(protocol._kex._sentNEWKEYS).toBe(true))
  // Without waiting for the client's.
  protocol._kex.finish()
  protocol._authsQueue.push('publickey')
  claim(protocol)
}

function isInner(value: unknown): value is InnerProtocol {
  return typeof value === 'object' && value !== null && '_authsQueue' in value && 'authSuccess' in value
}

/** As it is inside: how much it may still send, as it was told. */
export function windowOf(channel: ServerChannel): { window: number } {
  const outgoing: unknown = Reflect.get(channel, 'outgoing')
  if (isWindow(outgoing)) return outgoing
  throw new Error('ssh2 has changed inside')
}

function isWindow(value: unknown): value is { window: number } {
  return typeof value === 'object' && value !== null && 'window' in value && typeof value.window === 'number'
}

/** For a shell: writes to its stream of errors as long as anybody takes it. */
export function sendErrorsForEver(channel: ServerChannel): void {
  const piece = Buffer.alloc(32 * 1024, 'e')
  const send = (error?: Error | null): void => {
    // A write to a stream that has ended fails at once: going on would never let anything else run.
    if (!error) channel.stderr.write(piece, send)
  }
  channel.on('close', () => channel.stderr.destroy())
  // The client may have ended the channel before the last piece.
  channel.stderr.on('error', () => undefined)
  channel.on('error', () => undefined)
  send()
}

/** A server in this process that lets anybody in, for what a real sshd never does. */
export async function startOddServer(options: OddServerOptions): Promise<{ readonly address: SshAddress }> {
  const { greeting, banner, onConnection, shell } = options
  const connections = new Set<Connection>()
  const server = new ssh2.Server(
    {
      hostKeys: [makeEd25519KeyPair('odd').privateKey],
      ...(greeting !== undefined && { greeting }),
      ...(banner !== undefined && { banner }),
    },
    (connection) => {
      connections.add(connection)
      // The client breaks off when it has seen enough.
      connection.on('error', () => undefined)
      onConnection?.(connection)
      connection.on('authentication', (context) => {
        if (options.isSlowToLogIn !== true) context.accept()
      })
      connection.on('session', (acceptSession, refuseSession) => {
        if (options.isSlowToOpen === true) return
        if (options.refusesChannels === true) return refuseSession()
        const session = acceptSession()
        session.on('pty', (acceptPty) => acceptPty())
        session.on('shell', (acceptShell, refuseShell) => {
          if (shell === undefined) refuseShell()
          else shell(acceptShell(), connection)
        })
      })
    },
  )
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
