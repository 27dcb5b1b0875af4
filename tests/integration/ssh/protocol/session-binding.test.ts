import { once } from 'node:events'
import ssh2, { Client } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { firstKey } from '#services/ssh/keys/private-key.ts'
import { watchSession } from '#services/ssh/protocol/session-binding.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')

test('what binds a session is the host’s signature of its first key exchange, also after keys were changed', async () => {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line], config: ['RekeyLimit 1M'] })
  const client = new Client()
  onTestFinished(() => void client.destroy())
  const session = watchSession(client)
  let shown = 0
  client.connect({
    ...address,
    username: user,
    privateKey,
    hostVerifier: (key: Buffer) => {
      shown += 1
      session.noteHostKey(key)
      return true
    },
  })
  expect(session.binding()).toBeNull()
  await once(client, 'ready')
  const before = session.binding()
  if (before === null) throw new Error('ssh2 has another inside')
  const hostKey = firstKey(ssh2.utils.parseKey(before.hostKey))
  if (hostKey instanceof Error) throw hostKey
  // The last string of a signature is what the algorithm made (RFC 8709 section 6).
  expect(hostKey.verify(before.sessionId, before.signature.subarray(-64))).toBe(true)

  await new Promise((resolve, reject) =>
    client.exec('head -c 3000000 /dev/zero', (error, channel) => {
      if (error) reject(error)
      else channel.on('close', resolve).resume()
    }),
  )
  expect(shown).toBeGreaterThan(1)
  expect(session.binding()).toEqual(before)
})

test('an ssh2 with another inside binds nothing', () => {
  const client = new Client()
  const session = watchSession(client)
  session.noteHostKey(Buffer.from('key'))
  expect(session.binding()).toBeNull()
})
