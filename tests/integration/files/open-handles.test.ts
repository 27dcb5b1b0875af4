import { expect, onTestFinished, test } from 'vitest'
import type { FileReader } from '#services/files/file-tree.ts'
import { SessionPool, type SharedSession } from '#services/files/session-pool.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import type { HostileServerOptions } from '../../support/hostile-sftp-server.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startHostileServer } from './hostile-server.ts'
import { connectTo } from './instance.ts'

/** Two who share the one session to a server. */
async function startShared(options: HostileServerOptions) {
  const { address, openHandles } = await startHostileServer({ content: Buffer.from('abc'), ...options })
  const sessions = new SessionPool(systemClock)
  onTestFinished(() => sessions.dispose())
  const wish = { instanceId: 1, purpose: 'copy', connect: connectTo(address) } as const
  const acquire = (): Promise<SharedSession> =>
    sessions.acquire({ ...wish, signal: new AbortController().signal })
  const [one, other] = [await acquire(), await acquire()]
  expect(one.roundTripMs).toBe(other.roundTripMs)
  return { one, other, openHandles }
}

const read = (reader: FileReader) => reader.read(0, new Uint8Array(3))

test('what one of those who share a session leaves open is closed at the server with their share', async () => {
  const { one, other, openHandles } = await startShared({ late: { READ: new Promise(() => undefined) } })
  const reader = await one.tree.openToRead('/read')
  await one.tree.openToWrite('/written')
  const stuck = read(reader)
  await other.tree.openToRead('/of the other')
  expect(openHandles()).toBe(3)
  one.close()
  await expect(stuck).rejects.toThrow('ended')
  await expect(reader.close()).rejects.toThrow('ended')
  // Answers come in the order of what was asked.
  await other.tree.resolve('.')
  expect(openHandles()).toBe(1)
})

test.each([
  { request: 'OPEN', open: ({ tree }: SharedSession) => tree.openToRead('/file') },
  { request: 'OPENDIR', open: ({ tree }: SharedSession) => tree.list('/') },
] as const)(
  'what is opened after the share was closed ($request) is closed, too',
  async ({ request, open }) => {
    const late = Promise.withResolvers<undefined>()
    const { one, other, openHandles } = await startShared({ late: { [request]: late.promise } })
    const opening = open(one)
    await other.tree.resolve('.')
    one.close()
    await expect(opening).rejects.toThrow('ended')
    const answered = open(other)
    late.resolve(undefined)
    await answered
    await waitFor(() => expect(openHandles()).toBe(request === 'OPEN' ? 1 : 0))
  },
)

test('a file that is closed twice is closed once: its handle may be that of another file by then', async () => {
  const { one, other, openHandles } = await startShared({})
  const writer = await one.tree.openToWrite('/written')
  await writer.finish(3, { mode: 0o644, modifiedAt: 0 })
  const reader = await other.tree.openToRead('/read')
  await writer.close()
  expect(openHandles()).toBe(1)
  await reader.close()
  expect(openHandles()).toBe(0)
})
