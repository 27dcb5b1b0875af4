import { once } from 'node:events'
import ssh2, { Client } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { loginEarly } from '#services/ssh/protocol/early-login.ts'
import { keepLoginOrder } from '#services/ssh/protocol/login-order.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startSshd, user } from '../sshd.ts'

const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
const ed25519 = makeEd25519KeyPair('test')
const keys = [
  { name: 'Ed25519', publicLine: ed25519.publicKey.line, privateKey: ed25519.privateKey },
  { name: 'RSA', publicLine: rsa.public, privateKey: rsa.private },
]

/** Logs in, and gives what ssh2 sent and heard of the login, in order. */
async function login(
  privateKey: string,
  authorized: string,
  verify: (answer: (isTrusted: boolean) => void) => void,
): Promise<string[]> {
  const { address } = await startSshd({ authorizedKeys: [authorized] })
  const said: string[] = []
  const client = new Client()
  onTestFinished(() => void client.destroy())
  client.connect({
    ...address,
    username: user,
    privateKey,
    authHandler: ['publickey'],
    hostVerifier: (_key: Buffer, answer: (isTrusted: boolean) => void) => verify(answer),
    debug: (line) => {
      const found = /(SERVICE_\w+|USERAUTH_\w+)(?: \((.*)\))?/.exec(line)
      if (found) said.push(found[2] === undefined ? String(found[1]) : `${found[1]} ${found[2]}`)
    },
  })
  expect(loginEarly(client)).toBe(true)
  expect(keepLoginOrder(client, () => said.push('BREACH'))).toBe(true)
  await once(client, 'ready')
  return said
}

const atOnce = [
  'SERVICE_REQUEST ssh-userauth',
  'USERAUTH_REQUEST publickey',
  'SERVICE_ACCEPT ssh-userauth',
  'USERAUTH_SUCCESS',
]

test.for(keys)('a login with an $name key takes one round trip', async ({ publicLine, privateKey }) => {
  expect(await login(privateKey, publicLine, (answer) => answer(true))).toEqual(atOnce)
})

test('what the server has to add may come while its host key is looked at', async () => {
  const { publicKey, privateKey } = ed25519
  const slowly = (answer: (isTrusted: boolean) => void): void => void setTimeout(answer, 200, true)
  expect(await login(privateKey, publicKey.line, slowly)).toEqual(atOnce)
})
