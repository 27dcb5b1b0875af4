import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Client, type ServerChannel } from 'ssh2'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openGrantedShell } from '../../../src-main/ssh/channel-window.ts'
import { startOddServer, windowOf } from './odd-server.ts'

const firstWindow = 256 * 1024

async function openGranted() {
  const shells: ServerChannel[] = []
  const { address } = await startOddServer({ shell: (channel) => shells.push(channel) })
  const client = new Client()
  onTestFinished(() => void client.destroy())
  client.connect({ ...address, username: 'anybody', hostVerifier: () => true })
  await once(client, 'ready')
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
  await vi.waitFor(() => expect(received).toBe(firstWindow))
  // ssh2 would have granted it 2 MiB by now.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(received).toBe(firstWindow)
  grant(100_000)
  await vi.waitFor(() => expect(received).toBe(firstWindow + 100_000))
  grant(8 * 1024 * 1024)
  await vi.waitFor(() => expect(received).toBe(4 * 1024 * 1024))
})
