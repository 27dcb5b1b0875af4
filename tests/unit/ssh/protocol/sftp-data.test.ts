import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { SFTPWrapper } from 'ssh2'
import { describe, expect, test, vi } from 'vitest'
import { takingDataDirectly, writeDirectly } from '#services/ssh/protocol/sftp-data.ts'

interface Channel {
  readonly sftp: SFTPWrapper
  readonly push: (bytes: Buffer) => void
  readonly outgoing: { window: number }
  /** What was sent on the channel, packet by packet. */
  readonly sent: readonly Buffer[]
  /** As ssh2's client does when the server grants more. */
  readonly grant: (bytes: number) => void
}

type MakeSftp = new (
  client: object,
  info: object,
  options: object,
) => SFTPWrapper & {
  readonly push: (bytes: Buffer) => void
}
const { SFTP } = createRequire(import.meta.url)('ssh2/lib/protocol/SFTP.js') as { readonly SFTP: MakeSftp }

const version = Buffer.from([0, 0, 0, 5, 2, 0, 0, 0, 3])
const handle = Buffer.from('h')

/** ssh2's own SFTP channel, without a server. */
function openChannel(window = 1024 * 1024): Channel {
  const sent: Buffer[] = []
  const outgoing = { id: 3, window, packetSize: 32 * 1024, state: 'open' }
  const protocol = {
    _remoteIdentRaw: Buffer.from('SSH-2.0-OpenSSH_9.2'),
    channelData: (_id: number, bytes: Buffer) => sent.push(Buffer.from(bytes)),
    channelClose: () => (outgoing.state = 'closing'),
  }
  const incoming = { id: 1, window: 2 ** 21, packetSize: 2 ** 15, state: 'open' }
  const sftp = new SFTP({ _protocol: protocol }, { type: 'session', incoming, outgoing }, {})
  let isBroken = false
  sftp.on('error', () => (isBroken = true))
  // As sftp-channel.ts has it.
  const own = (bytes: Buffer): void => {
    if (!isBroken) sftp.push(bytes)
  }
  own(version)
  sent.length = 0
  const push = takingDataDirectly(sftp, own)
  if (push === own) throw new Error('ssh2 has changed inside: see sftp-data.ts')
  const grant = (bytes: number): void => {
    outgoing.window += bytes
    const go: unknown = Reflect.get(sftp, '_chunkcb')
    if (Reflect.get(sftp, '_waitWindow') !== true || typeof go !== 'function') return
    Reflect.set(sftp, '_waitWindow', false)
    Reflect.apply(go, sftp, [])
  }
  return { sftp, push, outgoing, sent, grant }
}

function answer(type: number, id: number, ...rest: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from([type]), uint32(id), ...rest])
  return Buffer.concat([uint32(body.length), body])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const data = (id: number, content: Buffer): Buffer => answer(103, id, uint32(content.length), content)
const status = (id: number, code: number): Buffer => answer(101, id, uint32(code), uint32(0), uint32(0))

/** The bytes in pieces of that size. */
function* inPieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('what is read', () => {
  test.each([1, 2, 3, 5, 12, 13, 14, 1_000, 32_768, 1_000_000])(
    'is where it was asked for, whatever stands around it, when it comes %i bytes at a time',
    (size) => {
      const { sftp, push } = openChannel()
      const contents = [randomBytes(40_000), randomBytes(7), randomBytes(33_000)]
      const buffers = contents.map((content) => Buffer.alloc(content.length + 10))
      const read = vi.fn<(error: unknown, count: number) => void>()
      const looked = vi.fn<(error: unknown) => void>()
      for (const [index, buffer] of buffers.entries()) {
        sftp.read(handle, buffer, 0, buffer.length, index, read)
        sftp.unlink(`/${index}`, looked)
      }
      const answers = contents.map((content, index) => [data(index * 2, content), status(index * 2 + 1, 0)])
      for (const piece of inPieces(Buffer.concat(answers.flat().toReversed()), size)) push(piece)
      expect(read.mock.calls.map(([error, count]) => [error, count])).toEqual(
        contents.toReversed().map(({ length }) => [undefined, length]),
      )
      expect(looked).toHaveBeenCalledTimes(3)
      for (const [index, content] of contents.entries())
        expect(buffers[index]?.subarray(0, content.length).equals(content)).toBe(true)
    },
  )

  test('is answered once, and by nobody else for the same number', () => {
    const { sftp, push } = openChannel()
    const read = vi.fn<() => void>()
    sftp.read(handle, Buffer.alloc(4), 0, 4, 0, read)
    push(Buffer.concat([data(0, Buffer.from('once')), data(0, Buffer.from('more')), status(0, 4)]))
    expect(read).toHaveBeenCalledTimes(1)
  })

  test('hostile: of more than was asked for nothing is written beyond', () => {
    const { sftp, push } = openChannel()
    const memory = Buffer.alloc(8, '-')
    const read = vi.fn<(error: unknown, count: number) => void>()
    sftp.read(handle, memory, 0, 4, 0, read)
    push(data(0, Buffer.from('12345678')))
    expect(read).toHaveBeenCalledExactlyOnceWith(undefined, 4, memory.subarray(0, 4), 0)
    expect(memory.toString('latin1')).toBe('1234----')
  })

  test.each([
    { what: 'a length of none', bytes: uint32(0) },
    {
      what: 'a length beyond all bounds',
      bytes: Buffer.concat([uint32(2 ** 31 - 1), Buffer.alloc(64, 103)]),
    },
    { what: 'an unknown kind', bytes: answer(99, 0, Buffer.alloc(64)) },
    { what: 'data longer than its answer', bytes: answer(103, 0, uint32(2_000), Buffer.alloc(10)) },
  ])('hostile: $what is ssh2’s to refuse, and ends', ({ bytes }) => {
    const { sftp, push } = openChannel()
    const failed = vi.fn<(error: Error) => void>()
    sftp.on('error', failed)
    sftp.read(handle, Buffer.alloc(4_000), 0, 4_000, 0, () => undefined)
    push(Buffer.concat([bytes, Buffer.alloc(64)]))
    expect(failed).toHaveBeenCalled()
  })
})

describe('what is written', () => {
  const content = randomBytes(100_000)

  test('is what ssh2 itself would send', () => {
    const [own, ours] = [openChannel(), openChannel()]
    own.sftp.write(handle, content, 0, content.length, 2 ** 40 + 5, () => undefined)
    writeDirectly(ours.sftp, { handle, offset: 2 ** 40 + 5, content }, () => undefined)
    expect(Buffer.concat(ours.sent).equals(Buffer.concat(own.sent))).toBe(true)
    expect(ours.sent).toHaveLength(own.sent.length)
  })

  test.each([1, 20, 33_000, 70_000])(
    'waits for the window in order, also with what ssh2 sends in between (%i bytes at a time)',
    (piece) => {
      const [wide, narrow] = [openChannel(), openChannel(10)]
      for (const { sftp } of [wide, narrow]) {
        writeDirectly(sftp, { handle, offset: 0, content }, () => undefined)
        sftp.unlink('/between', () => undefined)
        writeDirectly(sftp, { handle, offset: 7, content: content.subarray(50) }, () => undefined)
      }
      const all = Buffer.concat(wide.sent)
      for (let granted = 10; granted < all.length; granted += piece) narrow.grant(piece)
      expect(Buffer.concat(narrow.sent).equals(all)).toBe(true)
    },
  )

  test('is answered with what the server says, each by its own', () => {
    const { sftp, push } = openChannel()
    const done = [0, 1].map(() => vi.fn<(error?: Error | null) => void>())
    for (const each of done) writeDirectly(sftp, { handle, offset: 0, content }, each)
    push(Buffer.concat([status(1, 4), status(0, 0)]))
    expect(done[0]).toHaveBeenCalledWith()
    expect(done[1]).toHaveBeenCalledWith(expect.objectContaining({ code: 4 }))
  })

  test('goes as ssh2 sends it where a server takes less at once', () => {
    const { sftp, sent } = openChannel()
    Reflect.set(sftp, '_maxWriteLen', 10_000)
    writeDirectly(sftp, { handle, offset: 0, content }, () => undefined)
    expect(Buffer.concat(sent).length).toBeLessThan(11_000)
  })
})

test.each(['state of the channel', '_waitWindow', '_chunkcb'])(
  'an ssh2 without its %s is left to itself',
  (name) => {
    const { sftp, outgoing } = openChannel()
    const inside = name === 'state of the channel' ? outgoing : sftp
    Reflect.deleteProperty(inside, name === 'state of the channel' ? 'state' : name)
    const push = vi.fn()
    expect(takingDataDirectly(sftp, push)).toBe(push)
    const write = vi.spyOn(sftp, 'write').mockImplementation(() => undefined)
    writeDirectly(sftp, { handle, offset: 0, content: Buffer.from('content') }, () => undefined)
    expect(write).toHaveBeenCalledTimes(1)
  },
)
