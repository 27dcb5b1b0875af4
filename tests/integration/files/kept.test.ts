import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { TransferFailure } from '#services/files/failure.ts'
import type { KeptTransfer } from '#services/files/transfer-store.ts'
import type { TransferOrder } from '#domain/files/transfer.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { startProxy } from '../ssh/proxy.ts'
import { connectTo, localTreeOf, openTransfers, startInstance, watchedTree } from './instance.ts'
import { waitFor } from '../../support/wait-for.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const mib = 1024 * 1024

async function startUpload(names: readonly string[] = ['big']) {
  const instance = await startInstance()
  const content = randomBytes(24 * mib)
  for (const name of names) await writeFile(join(instance.local, name), content)
  const target = join(instance.remote, 'in')
  await mkdir(target)
  const order: TransferOrder = {
    ...placesFor('upload'),
    from: instance.local,
    names,
    to: target,
    honorGitignore: false,
  }
  return { ...instance, order, content, target, file: memoryFile<readonly KeptTransfer[]>([]) }
}

/** Resolves once a file was read up to there. */
function reached(local: string, bytes: number) {
  const there = Promise.withResolvers<undefined>()
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    if (offset >= bytes) there.resolve(undefined)
  })
  return { localTree, there: there.promise }
}

test('a transfer that was under way when Slipway ended goes on at the next start', async () => {
  const { order, content, target, file, ...instance } = await startUpload()
  const { localTree, there } = reached(instance.local, 20 * mib)
  const proxy = await startProxy(instance.address, 20)
  const first = openTransfers({ ...instance, file, localTree, connect: connectTo(proxy.address) })
  const { id } = first.transfers.start(order)
  await there
  await first.transfers.dispose()
  expect(file.value).toMatchObject([{ id, order, failed: null }])
  expect(await readdir(target)).toEqual([expect.stringMatching(/\.part$/)])

  const offsets: number[] = []
  const second = openTransfers({
    ...instance,
    file,
    localTree: watchedTree(localTreeOf(instance.local), (offset) => offsets.push(offset)),
  })
  expect((await second.over(id)).phase).toEqual({ kind: 'done' })
  expect(offsets[0]).toBeGreaterThan(0)
  expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
  expect(await readdir(target)).toEqual(['big'])
  await waitFor(() => expect(file.value).toEqual([]))
})

test('one that failed waits for the user, also after a restart', async () => {
  const { order, file, target, ...instance } = await startUpload()
  const connect = () => connectTo({ host: '127.0.0.1', port: 1 })(1, new AbortController().signal)
  const first = openTransfers({ ...instance, file, connect })
  const { id } = first.transfers.start(order)
  const { phase } = await first.over(id)
  expect(phase.kind).toBe('failed')
  await first.transfers.dispose()

  const second = openTransfers({ ...instance, file })
  expect((await second.over(id)).phase).toEqual(phase)
  expect(await readdir(target)).toEqual([])
  second.transfers.retry(id)
  expect((await second.until(id, (one) => one.phase.kind === 'done')).progress.filesDone).toBe(1)
})

test('what to do with taken names is asked anew when its user tries again', async () => {
  const { order, target, ...instance } = await startUpload()
  await writeFile(join(target, 'big'), 'older')
  let isDenied = true
  const localTree = watchedTree(localTreeOf(instance.local), () => {
    if (isDenied) throw new TransferFailure({ kind: 'denied', side: 'local', path: 'big' })
  })
  const { transfers, until, over } = openTransfers({ ...instance, localTree })
  const { id } = transfers.start(order)
  await until(id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(id, 'replace')
  expect((await over(id)).phase.kind).toBe('failed')
  await writeFile(join(target, 'big'), 'edited since')
  isDenied = false
  transfers.retry(id)
  await until(id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(id, 'skip')
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect(await readFile(join(target, 'big'), 'utf8')).toBe('edited since')
})

test('a link that is lost is waited for; the transfer goes on by itself and copies nothing twice', async () => {
  const { order, content, target, ...instance } = await startUpload(['a', 'b'])
  await writeFile(join(target, 'a'), 'older')
  await writeFile(join(target, 'b'), 'older')
  const proxy = await startProxy(instance.address, 5)
  let isCut = false
  const localTree = watchedTree(localTreeOf(instance.local), (offset) => {
    if (offset < 20 * mib || isCut) return
    isCut = true
    // Later it could be over already.
    setImmediate(proxy.cut)
  })
  const regain = vi.fn(connectTo(proxy.address))
  const { transfers, until, over } = openTransfers({
    ...instance,
    localTree,
    connect: connectTo(proxy.address),
    regain,
  })
  const { id } = transfers.start(order)
  await until(id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(id, 'keep-both')
  await until(id, ({ phase }) => phase.kind === 'reconnecting')
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect(regain).toHaveBeenCalled()
  expect((await readdir(target)).sort()).toEqual(['a', 'a (2)', 'b', 'b (2)'])
  for (const name of ['a (2)', 'b (2)'])
    expect((await readFile(join(target, name))).equals(content)).toBe(true)
})
