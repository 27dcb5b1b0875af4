import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Client, ClientChannel } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { copiesWhatItReads } from '#services/ssh/protocol/cipher-keys.ts'
import { connectTo, startInstance } from '../../files/instance.ts'

const run = (client: Client, command: string): Promise<ClientChannel> =>
  new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)))
  })

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Sizes of packets and around them, and those that are put together elsewhere. */
const sizes = [1, 15, 16, 4_095, 4_096, 4_097, 32_767, 32_768, 32_769, 70_000, 600_000]

test.each([
  { cipher: 'aes128-gcm@openssh.com', isLent: true },
  { cipher: 'aes256-gcm@openssh.com', isLent: true },
  { cipher: 'aes256-ctr', isLent: true },
  // It keeps pieces of what it was given until a packet is whole.
  { cipher: 'chacha20-poly1305@openssh.com', isLent: false },
])(
  'all that is sent and read with $cipher is as it was, also over new keys, whatever memory it passes through',
  async ({ cipher, isLent }) => {
    const { address } = await startInstance({ config: [`Ciphers ${cipher}`, 'RekeyLimit 2M'] })
    const { client, release } = await connectTo(address)(1, new AbortController().signal)
    onTestFinished(release)
    expect(copiesWhatItReads(client)).toBe(isLent)
    const channels = await Promise.all([run(client, 'cat'), run(client, 'cat')])
    const echoed = channels.map(async (channel) => {
      const sent = createHash('sha256')
      const received = createHash('sha256')
      channel.on('data', (piece: Buffer) => received.update(piece))
      for (const size of [...sizes, ...sizes, ...sizes]) {
        const bytes = randomBytes(size)
        sent.update(bytes)
        channel.write(bytes)
      }
      channel.end()
      await once(channel, 'close')
      return [received.digest('hex'), sent.digest('hex')]
    })
    for (const [received, sent] of await Promise.all(echoed)) expect(received).toBe(sent)
  },
)

test('what a command says in one go is kept by whoever keeps it', async () => {
  const { address } = await startInstance()
  const { client, release } = await connectTo(address)(1, new AbortController().signal)
  onTestFinished(release)
  const channel = await run(client, 'head -c 20000000 /dev/zero | tr "\\0" "x"')
  const kept: Buffer[] = []
  channel.on('data', (piece: Buffer) => kept.push(piece))
  await once(channel, 'close')
  expect(digestOf(Buffer.concat(kept))).toBe(digestOf(Buffer.alloc(20_000_000, 'x')))
})
