import { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { Client, type Connection } from 'ssh2'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepKeyObjects } from '#services/ssh/protocol/cipher-keys.ts'
import { startOddServer } from '../odd-server.ts'
import { waitFor } from '../../../support/wait-for.ts'

test('ssh2 keeps its keys as key objects, also after a further key exchange', async () => {
  const { promise: connected, resolve: onConnection } = Promise.withResolvers<Connection>()
  const { address } = await startOddServer({ shell: (channel) => channel.pipe(channel), onConnection })
  const client = new Client()
  onTestFinished(() => void client.destroy())
  const exchanged = vi.fn<() => void>()
  client.on('handshake', exchanged)
  client.connect({
    ...address,
    username: 'anybody',
    hostVerifier: () => true,
    algorithms: { cipher: ['aes128-gcm@openssh.com'] },
  })
  expect(keepKeyObjects(client)).toBe(true)
  await once(client, 'ready')
  const keyOf = (cipher: string, key: string): unknown =>
    Reflect.get(Object(Reflect.get(Object(Reflect.get(client, '_protocol')), cipher)), key)
  const keys = (): unknown[] => [keyOf('_cipher', '_encKey'), keyOf('_decipher', '_decipherKey')]
  const first = keys()
  // ssh2 has changed inside: without it, it is slower, and all else works.
  for (const key of first) expect(key).toBeInstanceOf(KeyObject)

  const server = await connected
  await new Promise<void>((resolve) => server.rekey(resolve))
  await waitFor(() => expect(exchanged).toHaveBeenCalledTimes(2))
  for (const [index, key] of keys().entries()) {
    expect(key).toBeInstanceOf(KeyObject)
    expect(key).not.toBe(first[index])
  }
  const answer = new Promise((resolve, reject) => {
    client.shell((error, channel) => {
      if (error) return reject(error)
      channel.once('data', (bytes: Buffer) => resolve(bytes.toString()))
      channel.write('still here')
    })
  })
  expect(await answer).toBe('still here')
})
