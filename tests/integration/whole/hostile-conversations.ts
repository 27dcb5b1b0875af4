import { once } from 'node:events'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import type { Random } from '../../simulator/random.ts'
import { confirmWith, flood, innerOf, sendRaw, sshString, uint32 } from '../../support/raw-ssh.ts'

// A server that begins as an honest one and goes wrong by chance: in its messages, its sizes, its SFTP, or its end.

const { privateKey } = makeEd25519KeyPair('odd')
const oddNumbers = [0, 1, 2, 77, 4_095, 4_096, 32_768, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1] as const
/** Of RFC 4250 section 4.1.2, those that mean something, and some that mean nothing. */
const types = [
  1, 2, 3, 4, 5, 6, 7, 20, 21, 30, 31, 50, 51, 52, 53, 60, 61, 80, 81, 82, 90, 91, 92, 93,
] as const
const moreTypes = [94, 95, 96, 97, 98, 99, 100, 192, 255] as const
const words = [
  ...['', 'session', 'forwarded-tcpip', 'auth-agent@openssh.com', 'x11', 'exit-status', 'exit-signal'],
  ...['hostkeys-00@openssh.com', 'keepalive@openssh.com', 'ssh-userauth', '__proto__', 'publickey', '\u0000'],
] as const

function someBytes(random: Random, most: number): Buffer {
  const length = random.integer(0, most)
  return Buffer.from(Array.from({ length }, () => random.integer(0, 255)))
}

/** A message of any type with fields of any kind, whole or cut off. */
export function someMessage(random: Random): Buffer {
  const type = random.chance(0.7) ? random.pick(types) : random.pick(moreTypes)
  const fields = Array.from({ length: random.integer(0, 6) }, () => {
    if (random.chance(0.4)) return uint32(random.pick(oddNumbers))
    if (random.chance(0.4)) return sshString(random.pick(words))
    if (random.chance(0.1)) return sshString('x'.repeat(random.integer(1, 30_000)))
    return someBytes(random, 20)
  })
  return Buffer.concat([Buffer.from([type]), ...fields])
}

/** One about a channel that there may be. */
function someChannelMessage(random: Random): Buffer {
  const type = random.pick([91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
  const id = uint32(random.chance(0.8) ? random.integer(0, 4) : random.pick(oddNumbers))
  const rest = random.chance(0.5)
    ? sshString('x'.repeat(random.integer(0, 2_000)))
    : Buffer.concat([uint32(random.pick(oddNumbers)), uint32(random.pick(oddNumbers))])
  const extra =
    type === 98
      ? Buffer.concat([sshString(random.pick(['exit-status', 'exit-signal', 'a'])), Buffer.from([1])])
      : Buffer.alloc(0)
  return Buffer.concat([Buffer.from([type]), id, extra, rest])
}

/** An answer to an SFTP request that may be of another type, about another request, or of another length. */
function sftpAnswer(random: Random, id: number): Buffer {
  const type = random.pick([101, 102, 103, 104, 105, 201, 2, 0, 255])
  const bodies: readonly (() => Buffer)[] = [
    () => Buffer.concat([uint32(random.pick([0, 1, 2, 4, 8, 99])), sshString('why'), sshString('')]),
    () => sshString('x'.repeat(random.pick([0, 1, 255, 257, 30_000]))),
    () =>
      Buffer.concat([uint32(random.pick([0, 1, 3, 2 ** 32 - 1])), sshString('n'), sshString('l'), uint32(0)]),
    () => Buffer.concat([uint32(random.pick([0, 15, 2 ** 31, 2 ** 32 - 1])), someBytes(random, 40)]),
    () => someBytes(random, 60),
    () => Buffer.alloc(0),
  ]
  const body = (bodies[random.integer(0, bodies.length - 1)] ?? bodies[0])?.() ?? Buffer.alloc(0)
  const payload = Buffer.concat([
    Buffer.from([type]),
    uint32(random.chance(0.85) ? id : random.pick(oddNumbers)),
    body,
  ])
  const length = random.chance(0.95)
    ? payload.length
    : random.pick([0, 1, 4, 2 ** 18 + 1, 2 ** 31, 2 ** 32 - 1])
  return Buffer.concat([uint32(length), payload])
}

/** Answers with what an honest server says as often as `honesty` has it. */
function speakSftp(channel: ServerChannel, random: Random, honesty: number): void {
  let seen = Buffer.alloc(0)
  channel.on('data', (piece: Buffer) => {
    seen = Buffer.concat([seen, piece])
    while (seen.length >= 5 && seen.length >= 4 + seen.readUInt32BE(0)) {
      const request = seen.subarray(4, 4 + seen.readUInt32BE(0))
      seen = seen.subarray(4 + seen.readUInt32BE(0))
      const isHonest = random.chance(honesty)
      if (request[0] === 1)
        channel.write(isHonest ? Buffer.from([0, 0, 0, 5, 2, 0, 0, 0, 3]) : sftpAnswer(random, 3))
      else if (request.length >= 5) {
        const id = request.readUInt32BE(1)
        channel.write(isHonest ? honestAnswer(request[0] ?? 0, id, random) : sftpAnswer(random, id))
      }
      if (random.chance(0.05)) channel.write(sftpAnswer(random, random.integer(0, 5)))
    }
  })
}

function honestAnswer(type: number, id: number, random: Random): Buffer {
  const attributes = Buffer.concat([uint32(4), uint32(0o100644)])
  const framed = (kind: number, ...parts: readonly Buffer[]): Buffer =>
    sshString(Buffer.concat([Buffer.from([kind]), uint32(id), ...parts]))
  const status = (code: number): Buffer => framed(101, uint32(code), sshString(''), sshString(''))
  switch (type) {
    case 3:
    case 11:
      return framed(102, sshString('handle'))
    case 5:
      return random.chance(0.5) ? framed(103, sshString('content')) : status(1)
    case 7:
    case 8:
    case 17:
      return framed(105, attributes)
    case 12:
      return random.chance(0.5)
        ? framed(104, uint32(1), sshString('name'), sshString('name'), attributes)
        : status(1)
    case 16:
      return framed(104, uint32(1), sshString('/home'), sshString('/home'), attributes)
    default:
      return status(0)
  }
}

/** Something that goes wrong, now. */
function goWrong(connection: Connection, random: Random): void {
  const { _sock: socket } = innerOf(connection)
  if (socket.destroyed) return
  switch (random.integer(0, 9)) {
    case 0:
      return flood(connection, random.chance(0.5) ? someMessage(random) : someChannelMessage(random))
    case 1:
      return void socket.destroy()
    case 2:
      return void connection.end()
    case 3:
      return void socket.write(someBytes(random, 60))
    case 4:
      return connection.rekey()
    case 5:
      return void socket.pause()
    case 6:
    case 7:
      return sendRaw(connection, someMessage(random))
    default:
      return sendRaw(connection, someChannelMessage(random))
  }
}

/** What became of one conversation on the server's side. */
export interface Seen {
  readonly loggedIn: () => boolean
  readonly channels: () => number
}

/** Serves one conversation; it ends with `close`. */
export async function serveByChance(random: Random) {
  const connections = new Set<Connection>()
  let loggedIn = 0
  let channels = 0
  const goesWrongAt = random.pick(['login', 'ready', 'channel', 'data', 'sftp'])
  const server = new ssh2.Server(
    { hostKeys: [privateKey], ...(random.chance(0.3) && { banner: 'x'.repeat(random.integer(1, 9_000)) }) },
    (connection) => {
      connections.add(connection)
      connection.on('error', () => undefined)
      innerOf(connection)
        ._sock.on('error', () => undefined)
        .setNoDelay(true)
      const wrong = (): void => {
        for (let count = random.integer(1, 4); count > 0; count -= 1) goWrong(connection, random)
      }
      if (random.chance(0.2))
        confirmWith(connection, { packetSize: random.pick(oddNumbers), window: random.pick(oddNumbers) })
      connection.on('authentication', (context) => {
        if (goesWrongAt === 'login') wrong()
        context.accept()
      })
      connection.on('ready', () => {
        loggedIn += 1
        if (goesWrongAt === 'ready') wrong()
      })
      connection.on('request', (accept) => accept?.(4_000))
      connection.on('tcpip', (accept) => serve(accept()))
      connection.on('session', (accept) => {
        const session = accept()
        session.on('pty', (acceptPty) => acceptPty?.())
        session.on('shell', (acceptShell) => serve(acceptShell()))
        session.on('exec', (acceptExec) => serve(acceptExec()))
        session.on('subsystem', (acceptSubsystem) => {
          const channel = acceptSubsystem()
          channel.on('error', () => undefined)
          channels += 1
          speakSftp(channel, random, goesWrongAt === 'sftp' ? 0.7 : 0.97)
        })
      })
      function serve(channel: ServerChannel): void {
        channels += 1
        channel.on('error', () => undefined)
        channel.write('hello')
        if (goesWrongAt === 'channel') wrong()
        channel.on('data', (piece: Buffer) => {
          if (channel.writable) channel.write(piece)
          if (goesWrongAt === 'data') wrong()
        })
      }
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  const address: SshAddress = { host: '127.0.0.1', port: bound.port }
  return {
    address,
    loggedIn: () => loggedIn > 0,
    channels: () => channels,
    close: () => {
      for (const connection of connections) innerOf(connection)._sock.destroy()
      server.close()
    },
  }
}
