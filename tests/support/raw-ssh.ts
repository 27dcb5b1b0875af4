import type { Socket } from 'node:net'
import type { Connection } from 'ssh2'

// Messages as a server may send them that is not ssh2: whatever their order, length and sense.

/** A uint32 of RFC 4251 section 5. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A string of RFC 4251 section 5. */
export function sshString(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** The messages of RFC 4250 section 4.1.2 that the tests send. */
export const message = {
  ignore: 2,
  unimplemented: 3,
  debug: 4,
  banner: 53,
  keyIsWelcome: 60,
  globalRequest: 80,
  requestSuccess: 81,
  channelOpen: 90,
  windowAdjust: 93,
  channelData: 94,
  channelExtendedData: 95,
  channelEof: 96,
  channelClose: 97,
  channelRequest: 98,
  channelSuccess: 99,
} as const

export function packet(type: number, ...parts: readonly (Buffer | boolean)[]): Buffer {
  const bytes = parts.map((part) => (typeof part === 'boolean' ? Buffer.from([part ? 1 : 0]) : part))
  return Buffer.concat([Buffer.from([type]), ...bytes])
}

interface Inner {
  readonly _protocol: {
    readonly _packetRW: {
      readonly write: {
        readonly allocStart: number
        readonly alloc: (length: number) => Buffer
        readonly finalize: (packet: Buffer) => Buffer
      }
    }
    readonly _cipher: { readonly encrypt: (packet: Buffer) => void }
    channelOpenConfirm: (remote: number, local: number, window: number, packetSize: number) => void
    openssh_authAgent: (id: number, window: number, packetSize: number) => void
  }
  readonly _sock: Socket
}

/** A server's connection as it is inside. */
export function innerOf(connection: Connection): Inner {
  const inner = connection as unknown as Partial<Inner>
  if (inner._sock === undefined || inner._protocol?._packetRW === undefined)
    throw new Error('ssh2 has changed inside')
  return inner as Inner
}

/** Sends a message as it is, under the keys that hold now. */
export function sendRaw(connection: Connection, payload: Buffer): void {
  const { _packetRW: writer, _cipher: cipher } = innerOf(connection)._protocol
  const bytes = writer.write.alloc(payload.length)
  bytes.set(payload, writer.write.allocStart)
  cipher.encrypt(writer.write.finalize(bytes))
}

/** Sends a message again and again, as fast as it is taken, for as long as the connection stands. */
export function flood(connection: Connection, payload: Buffer): void {
  const { _sock: socket } = innerOf(connection)
  const send = (): void => {
    for (let count = 0; count < 500 && !socket.destroyed && socket.writableLength < 2 ** 20; count += 1)
      sendRaw(connection, payload)
    if (!socket.destroyed) setImmediate(send)
  }
  send()
}

/** Says other sizes of windows and packets than are true, in all channels that are opened from now on. */
export function confirmWith(
  connection: Connection,
  sizes: { readonly window?: number; readonly packetSize?: number },
): void {
  const { _protocol: protocol } = innerOf(connection)
  const confirm = protocol.channelOpenConfirm.bind(protocol)
  protocol.channelOpenConfirm = (remote, local, window, packetSize) =>
    confirm(remote, local, sizes.window ?? window, sizes.packetSize ?? packetSize)
}
