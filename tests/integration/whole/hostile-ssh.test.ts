import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import { plainShell } from '#domain/terminals/shell-wish.ts'
import { ConnectFailed } from '#services/ssh/connection/connect-failure.ts'
import { createConnections, type ConnectionLease } from '#services/ssh/connection/connections.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { ForwardFailed } from '#services/forwards/listen.ts'
import { openChannel } from '#services/forwards/open-channel.ts'
import { RemoteListeners } from '#services/forwards/remote-listeners.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { TransferFailure } from '#services/files/failure.ts'
import { FileBrowser } from '#services/files/file-browser.ts'
import type { Connect } from '#services/files/session.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { openShell } from '#services/terminals/shell.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { createRandom, type Random } from '../../simulator/random.ts'
import { hardening, hardeningSeed } from '../../support/hardening.ts'
import { heldBytes } from '../../support/heap.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { serveByChance } from './hostile-conversations.ts'

// Conversations with a server that goes wrong by chance: 1,000 in the full run. After each one main lives, every call has
// come to something that is told, and nothing is held.

const conversations = hardening({ usual: 30, full: 1_000 })
const atOnce = 5
const { privateKey } = makeEd25519KeyPair('test')

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
beforeAll(() => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})
afterEach(() => {
  expect(unhandled).toEqual([])
})

/** Deadlines of Slipway's, a tenth as long: a server that falls silent is given up in seconds. */
const clock: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) }

/** How often each kind of end was met. */
const met = new Map<string, number>()
const count = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)

/** Whether an error is one that is told in words. */
function isTold(error: unknown): boolean {
  return [ConnectFailed, SshFailure, TransferFailure, ForwardFailed].some((kind) => error instanceof kind)
}

async function settled(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work
    count(`${what}: done`)
  } catch (error) {
    if (!isTold(error)) throw new Error(`${what} failed without words`, { cause: error })
    count(`${what}: told`)
  }
}

/** @throws when a call never comes to an end */
async function within<T>(what: string, seed: number, work: Promise<T>): Promise<T> {
  const late = new AbortController()
  const lateness = systemClock.sleep(60_000, late.signal).then(
    () => Promise.reject(new Error(`${what} of conversation ${seed} never came to an end`)),
    () => new Promise<never>(() => undefined),
  )
  try {
    return await Promise.race([work, lateness])
  } finally {
    late.abort(new Error('it came to an end'))
  }
}

async function shellOn(connection: ConnectionLease, signal: AbortSignal): Promise<void> {
  const shell = await openShell({
    ...{ connection, size: { cols: 80, rows: 24 }, wish: plainShell, clock, signal },
    post: () => undefined,
  })
  for (let line = 0; line < 3; line += 1) shell.write('date\n')
  shell.resize({ cols: 100, rows: 30 })
  await Promise.race([shell.ended, connection.ended, clock.sleep(2_000)])
  shell.write('exit\n')
}

async function forwardOn(connection: ConnectionLease, signal: AbortSignal): Promise<void> {
  const opened = await Promise.race([
    openChannel(connection.client, { host: '127.0.0.1', port: 1 }, { host: 'there', port: 80 }),
    clock.sleep(2_000, signal).then(() => null),
  ])
  if (opened?.kind !== 'opened') return
  const { channel } = opened
  // As a tunnel does (forwards/tunnels.ts).
  channel.on('error', () => undefined)
  channel.resume()
  const written = new Promise<void>((resolve) => channel.write(Buffer.alloc(100_000), () => resolve()))
  await Promise.race([written, connection.ended, clock.sleep(2_000, signal)])
  channel.end()
}

async function converse(seed: number, random: Random, folder: string): Promise<void> {
  const server = await serveByChance(random)
  const end = new AbortController()
  const log = memoryLog()
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address: server.address }),
    user: () => 'anybody',
    identities: () =>
      Promise.resolve({ keys: [{ name: 'key', privateKey }], agentSocket: null, skipped: [] }),
    knownHostsFile: join(folder, `known_hosts-${seed}`),
    ...{ clock, random: () => 0.5, log },
  })
  const trust = async (): Promise<void> => {
    for await (const state of connections.state(1).watch(end.signal))
      if (state.kind === 'unknown-host') connections.answerHostKey(1, true, state.offered.fingerprint)
  }
  void trust().catch(() => undefined)
  const sessions = new SessionPool(clock)
  const browser = new FileBrowser({
    localTree: {} as ConstructorParameters<typeof FileBrowser>[0]['localTree'],
    connect: connections.acquire,
    ...{ sessions, clock },
    log,
  })
  const act = async (): Promise<void> => {
    const connection = await connections.acquire(1, end.signal)
    count('connected')
    const listened = new RemoteListeners().listen(
      connection.client,
      { reach: 'loopback', port: 4_000 },
      (accept) => accept(),
    )
    await Promise.all([
      settled('shell', within('a shell', seed, shellOn(connection, end.signal))),
      settled('forward', within('a forward', seed, forwardOn(connection, end.signal))),
      settled('listening', within('a port', seed, Promise.race([listened, clock.sleep(3_000)]))),
      settled('list', within('a listing', seed, browser.listRemote(1, { path: '', step: null }))),
      settled('read', within('a read', seed, readOn(sessions, connections.acquire, end.signal))),
    ])
    connection.release()
  }
  try {
    await settled('connection', within('a connection', seed, act()))
    // What went wrong inside is no answer in words.
    expect(log.lines, `conversation ${seed}`).toEqual([])
  } finally {
    sessions.dispose()
    end.abort(new Error('the conversation is over'))
    server.close()
    if (server.loggedIn()) count('logged in')
    if (server.channels() > 0) count('channels')
  }
}

function readOn(sessions: SessionPool, connect: Connect, signal: AbortSignal): Promise<void> {
  return sessions.use({ instanceId: 1, purpose: 'copy', connect, signal }, async (tree) => {
    const file = await tree.openToRead('/home/name')
    await file.read(0, Buffer.alloc(1_000))
    await file.close()
  })
}

test(`${conversations} conversations with a server that goes wrong by chance (seed ${hardeningSeed})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-hostile-'))
  const run = async (from: number, to: number): Promise<number> => {
    for (let first = from; first < to; first += atOnce)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, to - first) }, (_, index) => {
          const seed = hardeningSeed * 1_000_000 + first + index
          return converse(seed, createRandom(seed), folder)
        }),
      )
    return heldBytes()
  }
  try {
    const third = Math.ceil(conversations / 3)
    await run(0, third)
    const before = await run(third, 2 * third)
    const after = await run(2 * third, conversations)
    expect(after / before).toBeLessThan(1.2)
  } finally {
    await rm(folder, { recursive: true })
  }
  // A server that is never spoken with finds nothing.
  expect(met.get('logged in')).toBeGreaterThan(conversations / 2)
  expect(met.get('channels')).toBeGreaterThan(conversations / 4)
}, 1_200_000)
