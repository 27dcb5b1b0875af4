import { expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { openTerminal } from '../machine.ts'
import { startSshd, user } from '../sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
const locale = { LANG: 'eo.UTF-8', LC_TIME: 'C.UTF-8' }

test('a shell has the user’s language, where its server takes that', async () => {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line] })
  const terminal = await openTerminal({ address, identities, user, locale })
  await terminal.trust()
  await terminal.until('open')
  terminal.type('echo "language <$LANG> <$LC_TIME>"\n')
  await waitFor(() => expect(terminal.text()).toContain('language <eo.UTF-8> <C.UTF-8>'))
})
