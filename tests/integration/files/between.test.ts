import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FilePlace } from '#domain/files/transfer.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { Connect } from '#services/files/session.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startProxy } from '../ssh/proxy.ts'
import { startHostileServer } from './hostile-server.ts'
import { connectTo, makeFolder, openTransfers, startInstance } from './instance.ts'

const mib = 1024 * 1024
const longAgo = new Date('2020-02-29T12:00:00Z')
const instance = (instanceId: number): FilePlace => ({ side: 'remote', instanceId })
const places = { source: instance(11), target: instance(12), honorGitignore: false }

/** Transfers of this computer, to which instance 11 is the one address and 12 the other. */
async function openBetween(
  source: SshAddress,
  target: SshAddress,
  options: { readonly regain?: Connect } = {},
) {
  const connect: Connect = (id, signal) => connectTo(id === 11 ? source : target)(id, signal)
  const local = await makeFolder()
  return { connect, local, ...openTransfers({ local, address: source, connect, ...options }) }
}

async function startTwo() {
  const [one, other] = await Promise.all([startInstance(), startInstance()])
  await mkdir(join(other.remote, 'in'))
  return { one, other, to: join(other.remote, 'in') }
}

test('a file and a folder arrive as they were, with times and modes, and nothing of them is left here', async () => {
  const { one, other, to } = await startTwo()
  const content = randomBytes(5 * mib)
  const [model, folder] = [join(one.remote, 'model.bin'), join(one.remote, 'runs', 'deep')]
  await mkdir(folder, { recursive: true, mode: 0o750 })
  await writeFile(model, content, { mode: 0o640 })
  await writeFile(join(folder, 'run.sh'), 'echo', { mode: 0o755 })
  for (const path of [model, join(folder, 'run.sh'), folder]) await utimes(path, longAgo, longAgo)
  const { transfers, over, local } = await openBetween(one.address, other.address)
  const order = { ...places, from: one.remote, names: ['model.bin', 'runs'], to }
  const { id } = transfers.start(order)
  const { phase, progress, skipped } = await over(id)
  expect({ phase, skipped }).toEqual({ phase: { kind: 'done' }, skipped: [] })
  expect(progress).toMatchObject({ filesDone: 2, bytesDone: 5 * mib + 4 })
  expect((await readFile(join(to, 'model.bin'))).equals(content)).toBe(true)
  const facts = async (...names: readonly string[]) => {
    const { mode, mtime } = await lstat(join(to, ...names))
    return [(mode & 0o777).toString(8), mtime.getTime()]
  }
  const at = longAgo.getTime()
  expect(await facts('model.bin')).toEqual(['640', at])
  expect(await facts('runs', 'deep')).toEqual(['750', at])
  expect(await facts('runs', 'deep', 'run.sh')).toEqual(['755', at])
  expect(await readdir(local)).toEqual([])
  // What is there already isn't copied again.
  expect(await over(transfers.start(order).id)).toMatchObject({
    phase: { kind: 'done' },
    progress: { files: 0 },
  })
})

test.each(['source', 'target'] as const)(
  'the connection to the %s is cut midway: it goes on from there once that is back',
  async (which) => {
    const { one, other, to } = await startTwo()
    const content = randomBytes(32 * mib)
    await writeFile(join(one.remote, 'big'), content)
    const proxies = { source: await startProxy(one.address, 5), target: await startProxy(other.address, 5) }
    let again = 0
    const { transfers, over, connect } = await openBetween(proxies.source.address, proxies.target.address, {
      regain: (id, signal) => {
        again += 1
        return connect(id, signal)
      },
    })
    proxies[which].fallSilent(14 * mib)
    const { id } = transfers.start({ ...places, from: one.remote, names: ['big'], to })
    await waitFor(() => expect(proxies[which].isSilent()).toBe(true))
    expect(transfers.connected).toEqual([11, 12])
    const before = proxies.target.passed()
    proxies[which].cut()
    proxies[which].heal()
    expect(await over(id)).toMatchObject({ phase: { kind: 'done' }, progress: { bytesDone: 32 * mib } })
    // The other one has stood all the time.
    expect(again).toBe(1)
    // Not all of it was sent again.
    expect(proxies.target.passed() - before).toBeLessThan(30 * mib)
    expect((await readFile(join(to, 'big'))).equals(content)).toBe(true)
    expect(await readdir(to)).toEqual(['big'])
  },
)

test('one that is canceled leaves nothing half done on the instance that it went to', async () => {
  const { one, other, to } = await startTwo()
  await writeFile(join(one.remote, 'big'), randomBytes(48 * mib))
  const proxy = await startProxy(other.address, 5)
  const { transfers, over } = await openBetween(one.address, proxy.address)
  proxy.fallSilent(14 * mib)
  const { id } = transfers.start({ ...places, from: one.remote, names: ['big'], to })
  await waitFor(() => expect(proxy.isSilent()).toBe(true))
  expect(await readdir(to)).toHaveLength(1)
  transfers.cancel(id)
  proxy.goOn()
  expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
  await waitFor(async () => expect(await readdir(to)).toEqual([]))
})

test('names of a hostile source are left out, and nothing is written elsewhere on the other instance', async () => {
  const names = ['../outside', '/etc/evil', 'a/b', '..', 'fine']
  const hostile = await startHostileServer({ list: () => names.map((name) => ({ name, mode: 0o100644 })) })
  const { other, to } = await startTwo()
  const { transfers, over } = await openBetween(hostile.address, other.address)
  const { id } = transfers.start({ ...places, from: '/', names: ['folder'], to })
  const { phase, skipped } = await over(id)
  expect(phase).toEqual({ kind: 'done' })
  expect(skipped.map(({ reason }) => reason)).toEqual(
    names.slice(0, 3).map(() => ({ kind: 'bad-name', fault: 'path' })),
  )
  expect(await readdir(to, { recursive: true })).toEqual(['folder', 'folder/fine'])
})

test('a failure says on which of both it was', async () => {
  const { one, other, to } = await startTwo()
  await writeFile(join(one.remote, 'secret'), 'x', { mode: 0 })
  const { transfers, over } = await openBetween(one.address, other.address)
  const endOf = async (names: readonly string[], target: string) =>
    (await over(transfers.start({ ...places, from: one.remote, names, to: target }).id)).phase
  const failed = (problem: object) => ({ kind: 'failed', problem })
  const path = join(one.remote, 'gone')
  expect(await endOf(['gone'], to)).toEqual(failed({ kind: 'missing', side: 'source', path }))
  const noFolder = join(other.remote, 'none')
  await writeFile(join(one.remote, 'here'), 'x')
  expect(await endOf(['here'], noFolder)).toEqual(failed({ kind: 'missing', side: 'remote', path: noFolder }))
  // Root reads everything.
  if (process.getuid?.() !== 0)
    expect(await endOf(['secret'], to)).toEqual(
      failed({ kind: 'denied', side: 'source', path: join(one.remote, 'secret') }),
    )
})

test.each([
  [11, 'source'],
  [12, 'remote'],
])(
  'an instance %i that cannot be reached is told by its side (%s), and the other one is left',
  async (gone, side) => {
    const { one, other, to } = await startTwo()
    await writeFile(join(one.remote, 'x'), 'x')
    const local = await makeFolder()
    const problem = { kind: 'timeout' } as const
    let held = 0
    const connect: Connect = async (id, signal) => {
      if (id === gone) throw new SshFailure(problem)
      const share = await connectTo(id === 11 ? one.address : other.address)(id, signal)
      held += 1
      return share
    }
    const { transfers, over } = openTransfers({ local, address: one.address, connect })
    const { id } = transfers.start({ ...places, from: one.remote, names: ['x'], to })
    expect((await over(id)).phase).toEqual({
      kind: 'failed',
      problem: { kind: 'connection', problem, side },
    })
    expect(held).toBe(gone === 11 ? 0 : 1)
  },
)

test('one between two stands in the queues of both, and moving it keeps the order of all others', async () => {
  const local = await makeFolder()
  const address = { host: '127.0.0.1', port: 1 }
  // No place is free, so that all wait.
  const connect: Connect = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  const { transfers } = openTransfers({ local, address, connect })
  const start = (name: string, source: FilePlace, target: FilePlace) =>
    transfers.start({ source, target, from: local, names: [name], to: '/', honorGitignore: false }).id
  const here: FilePlace = { side: 'local' }
  for (const name of ['1', '2', '3']) start(name, here, instance(13))
  const a = start('a', here, instance(11))
  start('x', here, instance(12))
  const b = start('b', instance(11), instance(12))
  start('y', here, instance(12))
  const queue = () =>
    transfers.state.value
      .slice(3)
      .map(({ order }) => order.names[0])
      .join('')
  expect(queue()).toBe('axby')
  transfers.move(b, 'later')
  expect(queue()).toBe('axyb')
  transfers.move(a, 'later')
  expect(queue()).toBe('xyba')
  transfers.move(b, 'earlier')
  expect(queue()).toBe('xbya')
})
