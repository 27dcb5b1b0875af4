import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { ConnectApart } from '#services/files/session.ts'
import type { Target } from '#services/ssh/connection/route.ts'
import { ConnectFailed } from '#services/ssh/connection/connect-failure.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openConnections } from '../ssh/connection/open-connections.ts'
import { findOpenSsh } from '../../simulator/machines/openssh.ts'
import { startProxy, type Proxy } from '../ssh/proxy.ts'
import { connectTo, makeFolder, openTransfers, startInstance } from './instance.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const mib = 1024 * 1024
const size = 72 * mib + 123
const keyChanged = new ConnectFailed(
  {
    kind: 'host-key-changed',
    address: { host: '127.0.0.1', port: 22 },
    offered: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:other' },
    trusted: [],
    file: 'known_hosts',
    revoked: false,
  },
  false,
)
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * An instance that is far away, over a line for what is shared and another one for what goes apart.
 *
 * @param sharedMs how far it is over the first one, one way
 */
async function startFar(
  direction: 'upload' | 'download',
  of?: { readonly address: SshAddress; readonly remote: string },
  sharedMs = 8,
) {
  const instance = of ?? (await startInstance())
  const [shared, apart] = await Promise.all([
    startProxy(instance.address, sharedMs),
    startProxy(instance.address, 8),
  ])
  const here = await makeFolder()
  const there = join(instance.remote, 'there')
  await mkdir(there)
  const content = randomBytes(size)
  const [from, to] = direction === 'upload' ? [here, there] : [there, here]
  await writeFile(join(from, 'big'), content)
  const order = { ...placesFor(direction), from, names: ['big'], to }
  const isWhole = async (): Promise<boolean> => sha256(await readFile(join(to, 'big'))) === sha256(content)
  return { shared, apart, here, to, order, isWhole }
}

/** On a busy computer all would have gone over a line before there is another one: it's held back so long. */
function holdBack(line: Proxy, isEnough: () => boolean): void {
  const turn = setInterval(() => {
    line.goOn()
    if (isEnough()) clearInterval(turn)
    else line.fallSilent(mib / 8)
  }, 50)
  onTestFinished(() => clearInterval(turn))
}

/**
 * A transfer that goes apart already, over connections as the app makes them. Those apart look for the instance where it
 * is listed.
 */
async function startApart(direction: 'upload' | 'download') {
  const places = new Map<string, SshAddress>()
  const findTarget = vi.fn((instanceId: number, asOf?: 'current' | 'listed'): Promise<Target> => {
    const address = places.get(instanceId === 1 && asOf === 'current' ? 'shared' : 'apart')
    return Promise.resolve(address ? { kind: 'address', address } : { kind: 'none', status: null })
  })
  const { sshd, connections, signal } = await openConnections(undefined, { findTarget })
  const far = await startFar(direction, { address: sshd.address, remote: sshd.machine.home }, 40)
  const { shared, apart } = far
  places.set('shared', shared.address).set('apart', apart.address)
  for (const instanceId of [1, 2]) {
    const asking = connections.acquire(instanceId, signal)
    for await (const asked of connections.state(instanceId).watch(signal)) {
      if (asked.kind !== 'unknown-host') continue
      connections.answerHostKey(instanceId, true, asked.offered.fingerprint)
      break
    }
    ;(await asking).release()
  }
  await waitFor(() => expect(apart.open()).toBe(0))
  const passed = apart.passed()
  const { transfers, until } = openTransfers({
    ...{ local: far.here, address: shared.address, connect: connections.acquire },
    ...{ connectApart: connections.openApart, regain: connections.regain },
  })
  let isApart = false
  holdBack(shared, () => isApart)
  const { id } = transfers.start({ honorGitignore: false, ...far.order })
  await waitFor(() => expect(apart.passed()).toBeGreaterThan(passed + mib))
  isApart = true
  await waitFor(() => expect(shared.isSilent()).toBe(false))
  const ended = () => until(id, (transfer) => ['done', 'failed'].includes(transfer.phase.kind))
  return { ...far, findTarget, ended }
}

test.each(['upload', 'download'] as const)(
  'a large file from afar (%s) goes over several channels of another connection, and arrives as it was',
  async (direction) => {
    const { shared, apart, here, to, order, isWhole } = await startFar(direction)
    const connectApart = vi.fn(connectTo(apart.address))
    const { run } = openTransfers({ local: here, address: shared.address, connectApart })
    holdBack(shared, () => apart.passed() > mib)
    expect((await run(order)).phase).toEqual({ kind: 'done' })
    expect(await isWhole()).toBe(true)
    expect(await readdir(to)).toEqual(['big'])
    expect(connectApart).toHaveBeenCalledTimes(1)
    expect(apart.passed()).toBeGreaterThan(mib)
    await waitFor(() => expect(apart.open()).toBe(0))
  },
)

test.each([
  { what: 'is not to be had', told: [], connectApart: () => Promise.resolve(null) },
  { what: 'is refused', told: [], connectApart: () => Promise.reject(new SshFailure({ kind: 'unasked' })) },
  {
    what: 'fails for a reason that nobody foresaw',
    told: [expect.stringContaining('A further connection for files failed: TypeError: a fault')],
    connectApart: () => Promise.reject(new TypeError('a fault')),
  },
  {
    what: 'has another host key',
    told: [expect.stringContaining('the host key is not the trusted one')],
    connectApart: () => Promise.reject(keyChanged),
  },
  {
    what: 'never stands',
    told: [],
    connectApart: ((_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      )) satisfies ConnectApart,
  },
])('where another connection $what, the shared one serves', async ({ connectApart, told }) => {
  const { shared, here, order, isWhole } = await startFar('upload')
  const log = memoryLog()
  const { run } = openTransfers({ local: here, address: shared.address, connectApart, log })
  expect((await run(order)).phase).toEqual({ kind: 'done' })
  expect(await isWhole()).toBe(true)
  expect(log.lines).toEqual(told)
})

test('a server that takes fewer sessions on a connection is sent to over those', async () => {
  const few = await startInstance({ config: ['MaxSessions 2'] })
  const { shared, apart, here, order, isWhole } = await startFar('upload', few)
  const connectApart = vi.fn(connectTo(apart.address))
  const { run } = openTransfers({ local: here, address: shared.address, connectApart })
  expect((await run(order)).phase).toEqual({ kind: 'done' })
  expect(await isWhole()).toBe(true)
  expect(connectApart).toHaveBeenCalledTimes(1)
})

test.each(['upload', 'download'] as const)(
  'a line that is cut under another connection (%s) is done without for as long as the shared one stands',
  async (direction) => {
    const { apart, findTarget, isWhole, ended } = await startApart(direction)
    apart.cut()
    findTarget.mockClear()
    const { phase } = await ended()
    expect(phase).toEqual({ kind: 'done' })
    expect(await isWhole()).toBe(true)
    expect(findTarget).not.toHaveBeenCalled()
  },
)

test('an outage of both lines makes no transfer slow: it goes apart again once the shared connection is made anew', async () => {
  const { shared, apart, findTarget, isWhole, ended } = await startApart('upload')
  apart.cut()
  shared.cut()
  findTarget.mockClear()
  const { phase } = await ended()
  expect(phase).toEqual({ kind: 'done' })
  expect(await isWhole()).toBe(true)
  expect(findTarget.mock.calls).toEqual([
    [1, 'current'],
    [1, 'listed'],
  ])
})

test.each([
  { what: 'takes no session', config: ['MaxSessions 0'], ends: false },
  { what: 'ends its file servers', config: [], ends: true },
])(
  'a further connection whose host $what is broken off, and the shared one serves',
  async ({ config, ends }) => {
    const { shared, here, order, isWhole } = await startFar('upload')
    const folder = await makeFolder()
    const [sftpServer, end] = [join(folder, 'sftp-server'), join(folder, 'end')]
    const { sftpServer: real } = await findOpenSsh()
    const script = [
      '#!/bin/sh',
      `exec 3<&0; "${real}" <&3 & server=$!`,
      `while kill -0 $server && ! test -e "${end}"; do sleep 0.02; done`,
      'kill $server',
    ]
    await writeFile(sftpServer, script.join('\n'), { mode: 0o755 })
    const other = await startInstance({ config, sftpServer })
    const proxy = await startProxy(other.address, 8)
    const connect = connectTo(proxy.address)
    const breakOff = vi.fn()
    let isLost = false
    const connectApart: ConnectApart = async (instanceId, signal) => {
      if (isLost) return null
      const lease = await connect(instanceId, signal)
      breakOff.mockImplementation(lease.breakOff)
      void lease.ended.then(() => (isLost = true))
      return { ...lease, breakOff }
    }
    const regain = connectTo(shared.address)
    const { run } = openTransfers({ local: here, address: shared.address, connectApart, regain })
    holdBack(shared, () => breakOff.mock.calls.length > 0)
    const over = run(order)
    if (ends) {
      await waitFor(() => expect(proxy.passed()).toBeGreaterThan(mib))
      await writeFile(end, '')
    }
    expect((await over).phase).toEqual({ kind: 'done' })
    expect(await isWhole()).toBe(true)
    expect(breakOff).toHaveBeenCalledWith({ code: 'files-ended' })
  },
)

test('an upload that is canceled leaves nothing there, and its other connection ends', async () => {
  const { shared, apart, here, to, order } = await startFar('upload')
  const connectApart = vi.fn(connectTo(apart.address))
  const { transfers, until } = openTransfers({ local: here, address: shared.address, connectApart })
  holdBack(shared, () => apart.passed() > mib)
  const { id } = transfers.start({ honorGitignore: false, ...order })
  await until(id, ({ progress }) => progress.bytesDone > 0)
  await waitFor(() => expect(apart.passed()).toBeGreaterThan(mib))
  transfers.cancel(id)
  await until(id, ({ phase }) => phase.kind === 'cancelled')
  await waitFor(async () => expect(await readdir(to)).toEqual([]))
  await waitFor(() => expect(apart.open()).toBe(0))
})

test('a small file from afar goes over the shared connection', async () => {
  const { shared, apart, here, order } = await startFar('upload')
  await writeFile(join(here, 'small'), 'small')
  const connectApart = vi.fn(connectTo(apart.address))
  const { run } = openTransfers({ local: here, address: shared.address, connectApart })
  expect((await run({ ...order, names: ['small'] })).phase).toEqual({ kind: 'done' })
  expect(connectApart).not.toHaveBeenCalled()
})

test('a large file from near by goes over the shared connection', async () => {
  const { shared, apart, here, order } = await startFar('upload')
  const connectApart = vi.fn(connectTo(apart.address))
  // However busy the machine is, no answer takes any time.
  const clock = { ...systemClock, now: () => 0 }
  const { run } = openTransfers({ local: here, address: shared.address, connectApart, clock })
  expect((await run(order)).phase).toEqual({ kind: 'done' })
  expect(connectApart).not.toHaveBeenCalled()
})
