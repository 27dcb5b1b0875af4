import { randomBytes } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { KeptTransfer } from '#services/files/transfer-store.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startProxy } from '../ssh/proxy.ts'
import {
  connectTo,
  localTreeOf,
  openTransfers,
  startInstance,
  startWithFile,
  watchedTree,
} from './instance.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const mib = 1024 * 1024

/** An upload that is paused once so much of its file was read; what follows reads from the offsets that are told. */
async function pausedUpload() {
  const { local, address, content, order, target } = await startWithFile('local', 24 * mib)
  const proxy = await startProxy(address, 20)
  const file = memoryFile<readonly KeptTransfer[]>([])
  const offsets: number[] = []
  const pause = { at: 20 * mib, run: (): void => undefined }
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    offsets.push(offset)
    if (offset >= pause.at) pause.run()
  })
  const opened = openTransfers({ local, address, file, localTree, connect: connectTo(proxy.address) })
  const { id } = opened.transfers.start(order)
  pause.run = () => {
    pause.at = Infinity
    opened.transfers.pause(id)
  }
  await opened.until(id, ({ phase }) => phase.kind === 'paused')
  offsets.length = 0
  const again = () => openTransfers({ local, address, file, localTree })
  return { ...opened, id, content, target, file, offsets, again }
}

test('a transfer that is paused keeps what is done, and goes on from there', async () => {
  const { transfers, over, id, content, target, offsets } = await pausedUpload()
  expect(transfers.state.value).toMatchObject([{ phase: { kind: 'paused' }, progress: { bytes: 24 * mib } }])
  expect(transfers.connected).toEqual([])
  expect(await readdir(target)).toEqual([expect.stringMatching(/\.part$/)])
  offsets.length = 0
  transfers.resumeOne(id)
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect(offsets[0]).toBeGreaterThan(0)
  expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
  expect(await readdir(target)).toEqual(['big'])
})

test('it stays paused over a restart, and then goes on from where it was', async () => {
  const { transfers, id, content, target, file, offsets, again } = await pausedUpload()
  await transfers.dispose()
  expect(file.value).toMatchObject([{ id, isPaused: true }])
  const second = again()
  expect(second.transfers.state.value).toMatchObject([{ id, phase: { kind: 'paused' } }])
  offsets.length = 0
  second.transfers.resumeOne(id)
  expect((await second.over(id)).phase).toEqual({ kind: 'done' })
  expect(offsets[0]).toBeGreaterThan(0)
  expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
})

test('one that is paused and then canceled leaves nothing half done', async () => {
  const { transfers, over, id, target } = await pausedUpload()
  transfers.cancel(id)
  expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
  await waitFor(async () => expect(await readdir(target)).toEqual([]))
})

/** Five uploads, a to e, which don't connect before the gate is opened. */
async function heldUploads() {
  const instance = await startInstance()
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await writeFile(join(instance.local, name), randomBytes(1000))
  const gate = Promise.withResolvers<undefined>()
  const { transfers, over } = openTransfers({
    ...instance,
    connect: async (instanceId, signal) => {
      await gate.promise
      return connectTo(instance.address)(instanceId, signal)
    },
  })
  const ids = names.map(
    (name) =>
      transfers.start({
        ...{ ...placesFor('upload'), from: instance.local },
        ...{ names: [name], to: instance.remote, honorGitignore: false },
      }).id,
  )
  const phases = () =>
    transfers.state.value.map(({ order, phase }) => `${order.names[0] ?? ''} ${phase.kind}`)
  return { instance, names, gate, transfers, over, ids, phases }
}

test('a queue goes in the order that its user gives it, and a pause frees a place', async () => {
  const { instance, names, gate, transfers, over, ids, phases } = await heldUploads()
  const [a = '', , , d = '', e = ''] = ids
  const connecting = ['b connecting', 'c connecting']
  expect(phases()).toEqual(['a connecting', ...connecting, 'd waiting', 'e waiting'])
  transfers.move(e, 'earlier')
  transfers.move(e, 'earlier') // It's the first of those that wait already.
  expect(phases()).toEqual(['a connecting', ...connecting, 'e waiting', 'd waiting'])
  transfers.pause(a)
  await waitFor(() => expect(phases()).toEqual(['a paused', ...connecting, 'e connecting', 'd waiting']))
  transfers.move(a, 'later')
  expect(phases()).toEqual([...connecting, 'e connecting', 'd waiting', 'a paused'])
  transfers.move(a, 'later')
  transfers.pause(d)
  transfers.resumeOne(a)
  gate.resolve(undefined)
  for (const id of ids) if (id !== d) expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect((await readdir(instance.remote)).filter((name) => names.includes(name))).toEqual([
    'a',
    'b',
    'c',
    'e',
  ])
})

test('all are paused at once, without one of the queue being begun, and then resumed', async () => {
  const { instance, names, gate, transfers, over, ids, phases } = await heldUploads()
  expect(phases().slice(2)).toEqual(['c connecting', 'd waiting', 'e waiting'])
  const told = vi.spyOn(transfers.state, 'set')
  transfers.pauseAll()
  expect(phases()).toEqual(names.map((name) => `${name} paused`))
  const phasesOfLast = told.mock.calls.map(([all]) => all.at(-1)?.phase.kind)
  expect(new Set(phasesOfLast)).toEqual(new Set(['waiting', 'paused']))
  gate.resolve(undefined)
  transfers.resumeAll()
  for (const id of ids) expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect((await readdir(instance.remote)).filter((name) => names.includes(name)).toSorted()).toEqual(names)
  // What is over is no longer paused.
  transfers.pauseAll()
  expect(phases()).toEqual(names.map((name) => `${name} done`))
})
