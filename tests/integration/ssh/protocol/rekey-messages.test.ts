import { expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startAsyncSsh } from '../../../ssh-servers/asyncssh.ts'
import { user } from '../../../ssh-servers/server.ts'
import { openTerminal } from '../machine.ts'
import { digestOfFlood, flood, recordingScreen } from '../screen.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }

test('a server that goes on sending while keys are changed loses nothing and is not left', async () => {
  const { address } = await startAsyncSsh({
    authorizedKeys: [publicKey.line],
    shell: '/bin/bash',
    rekeyBytes: 64 * 1024,
  })
  const screen = recordingScreen()
  const terminal = await openTerminal({ address, identities, user, take: screen.take })
  await terminal.trust()
  await terminal.until('open')
  const bytes = 1024 * 1024
  const lost = terminal.until('reconnecting', 'failed')
  lost.catch(() => undefined) // when the test ends
  expect(await Promise.race([flood(terminal, screen, bytes), lost])).toBe(digestOfFlood(bytes))
})
