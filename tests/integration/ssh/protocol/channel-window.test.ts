import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Client, type ClientChannel, type ServerChannel } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { openGrantedShell, takeWindow } from '#services/ssh/protocol/channel-window.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startOddServer, windowOf } from '../odd-server.ts'
import { startSshd, user } from '../sshd.ts'
import { waitFor } from '../../../support/wait-for.ts'

const firstWindow = 256 * 1024

async function connectToOdd() {
  const shells: ServerChannel[] = []
  const { address } = await startOddServer({ shell: (channel) => shells.push(channel) })
  const client = new Client()
  onTestFinished(() => void client.destroy())
  client.connect({ ...address, username: 'anybody', hostVerifier: () => true })
  await once(client, 'ready')
  return { client, shells }
}

async function openGranted() {
  const { client, shells } = await connectToOdd()
  const { channel, grant } = await openGrantedShell(client, {}, firstWindow)
  const [shell] = shells
  if (shell === undefined || grant === null) throw new Error('ssh2 has changed inside: see channel-window.ts')
  return { channel, grant, shell }
}

test('the inside of ssh2 was read in 1.17: look at it again before taking another', () => {
  const manifest: unknown = createRequire(import.meta.url)('ssh2/package.json')
  expect(manifest).toMatchObject({ version: '1.17.0' })
})

test('a server is told of the first window, and of no more than what is granted', async () => {
  const { channel, grant, shell } = await openGranted()
  expect(windowOf(shell).window).toBe(firstWindow)
  let received = 0
  channel.on('data', (piece: Buffer) => (received += piece.length))
  shell.write(Buffer.alloc(4 * 1024 * 1024))
  await waitFor(() => expect(received).toBe(firstWindow))
  // ssh2 would have granted it 2 MiB by now.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(received).toBe(firstWindow)
  grant(100_000)
  await waitFor(() => expect(received).toBe(firstWindow + 100_000))
  grant(8 * 1024 * 1024)
  await waitFor(() => expect(received).toBe(4 * 1024 * 1024))
})

/** On a real sshd; `said` is what ssh2 sent and heard of requests, in order. */
async function logIn(config: readonly string[] = []) {
  const { publicKey, privateKey } = makeEd25519KeyPair('test')
  const { address } = await startSshd({ authorizedKeys: [publicKey.line], config })
  const said: string[] = []
  const client = new Client()
  onTestFinished(() => void client.destroy())
  client.connect({
    ...address,
    username: user,
    privateKey,
    hostVerifier: () => true,
    debug: (line) => {
      const found = /CHANNEL_REQUEST \(.*, ([\w-]+)\)|CHANNEL_SUCCESS|CHANNEL_FAILURE/.exec(line)
      if (found) said.push(found[1] ?? found[0])
    },
  })
  await once(client, 'ready')
  return { client, said }
}

test('pseudo-terminal and shell are asked for together', async () => {
  const { client, said } = await logIn()
  const shells = await Promise.all([1, 2].map(() => openGrantedShell(client, { term: 'xterm' }, firstWindow)))
  expect(said.slice(0, 2)).toEqual(['pty-req', 'shell'])
  expect(said.filter((what) => what === 'shell')).toHaveLength(2)
  for (const { channel } of shells) {
    let text = ''
    channel.on('data', (piece: Buffer) => (text += piece.toString()))
    channel.write('tty\n')
    await waitFor(() => expect(text).toContain('/dev/pts/'))
  }
})

test('a command in the place of the shell is run, beside a shell on the same connection', async () => {
  const { client, said } = await logIn()
  const opened = await Promise.all([
    openGrantedShell(client, { term: 'xterm' }, firstWindow, {
      command: 'tty; echo command-$((40 + 2))',
      forwardsAgent: false,
    }),
    openGrantedShell(client, { term: 'xterm' }, firstWindow),
  ])
  expect(said.filter((what) => what === 'shell')).toHaveLength(1)
  let text = ''
  opened[0].channel.on('data', (piece: Buffer) => (text += piece.toString()))
  await waitFor(() => expect(text).toMatch(/dev.pts[^]*command-42/))
})

test('a server that has no pseudo-terminals is not taken for one with a shell', async () => {
  const { client, said } = await logIn(['PermitTTY no'])
  await expect(openGrantedShell(client, {}, firstWindow)).rejects.toThrow('pseudo-terminal')
  await waitFor(() => expect(said).toEqual(['pty-req', 'shell', 'CHANNEL_FAILURE', 'CHANNEL_SUCCESS']))
})

test('the window of a channel that stands can be taken over, and is then no more than what is granted', async () => {
  const { client, shells } = await connectToOdd()
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.shell((error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const grant = takeWindow(client, channel)
  const [shell] = shells
  if (shell === undefined || grant === null) throw new Error('ssh2 has changed inside: see channel-window.ts')
  let received = 0
  channel.on('data', (piece: Buffer) => (received += piece.length))
  shell.write(Buffer.alloc(4 * 1024 * 1024))
  await waitFor(() => expect(received).toBe(2 * 1024 * 1024))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(received).toBe(2 * 1024 * 1024)
  grant(2 * 1024 * 1024)
  await waitFor(() => expect(received).toBe(4 * 1024 * 1024))
})
