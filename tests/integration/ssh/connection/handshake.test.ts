import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { openTerminal } from '../machine.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
const authorizedKeys = [publicKey.line]

function openTo(address: SshAddress) {
  return openTerminal({ address, identities, user })
}

/** Listens until the test ends, and does so with each who comes. */
async function serve(onConnection: (socket: Socket) => void): Promise<SshAddress> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { host: '127.0.0.1', port: address.port }
}

/** Holds a place among those who have not logged in yet. */
async function occupy({ host, port }: SshAddress): Promise<void> {
  // Whoever looked whether it is up may still hold one.
  await waitFor(async () => {
    const socket = connect(port, host)
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    expect(String(await once(socket, 'data'))).toMatch(/^SSH-/)
  })
}

describe('a server that turns logins away before it speaks SSH', () => {
  test('because it has too many is busy', async () => {
    const { address } = await startSshd({ authorizedKeys, config: ['MaxStartups 1:100:1'] })
    await occupy(address)
    const terminal = await openTo(address)
    expect(await terminal.until('failed', 'unknown-host')).toMatchObject({
      problem: { kind: 'busy', detail: 'Exceeded MaxStartups' },
    })
  })

  test.each([
    ['at once', 'Not allowed at this time\r\n', 'Not allowed at this time'],
    ['after other lines', 'Hello\r\nExceeded MaxStartups\r\n', 'Exceeded MaxStartups'],
    ['without an end of the line', 'Not allowed at this time', 'Not allowed at this time'],
  ])('%s is busy', async (_, words, detail) => {
    const terminal = await openTo(await serve((socket) => socket.end(words)))
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'busy', detail } })
  })

  test('in words that nobody knows is no SSH server', async () => {
    const terminal = await openTo(await serve((socket) => socket.end('220 mail.example ESMTP\r\n')))
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'not-ssh' } })
  })
})

test('a host key signature that is altered on the way is not a connection that was lost', async () => {
  const { address } = await startSshd({ authorizedKeys })
  const proxy = await startProxy(address)
  // A signature's length tells it from the key of the same name (RFC 8709 sections 4 and 6).
  const beforeSignature = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x40', 'latin1')
  proxy.tamper((piece) => {
    const found = piece.indexOf(beforeSignature)
    if (found < 0) return
    const at = found + beforeSignature.length
    piece.writeUInt8(piece.readUInt8(at) ^ 1, at)
  })
  const terminal = await openTo(proxy.address)
  expect(await terminal.until('failed', 'open')).toMatchObject({ problem: { kind: 'signature-invalid' } })
})

describe('a login banner', () => {
  async function openWithBanner(bytes: number, config: readonly string[] = []) {
    const folder = await temporaryFolder()
    const file = join(folder, 'banner')
    await writeFile(file, 'x'.repeat(bytes))
    const { address } = await startSshd({ authorizedKeys, config: [`Banner ${file}`, ...config] })
    const terminal = await openTo(address)
    await terminal.trust()
    return terminal
  }

  test('as long as ssh2 takes it does not keep anybody out', async () => {
    await (await openWithBanner(34_000)).until('open')
  })

  test.each([
    ['AES-GCM', []],
    ['a cipher that hides lengths', ['Ciphers aes128-ctr', 'MACs hmac-sha2-256']],
  ])('that is longer is said to be the reason, with %s', async (_, config) => {
    const terminal = await openWithBanner(40_000, config)
    expect(await terminal.until('failed', 'open')).toMatchObject({ problem: { kind: 'banner-too-long' } })
  })
})
