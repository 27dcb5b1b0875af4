import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { lstat, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TransferOrder } from '../../../../src-main/domain/transfer.ts'
import { startProxy } from '../proxy.ts'
import { connectTo, localTreeOf, makeFolder, openTransfers, startInstance, watchedTree } from './instance.ts'

const mib = 1024 * 1024

async function startWithFile(side: 'local' | 'remote', size: number) {
  const instance = await startInstance()
  const content = randomBytes(size)
  await writeFile(join(instance[side], 'big'), content)
  const local = side === 'local' ? instance.local : await makeFolder()
  const { address, remote } = instance
  const order: TransferOrder =
    side === 'local'
      ? { instanceId: 1, direction: 'upload', from: local, names: ['big'], to: 'in', honourGitignore: false }
      : {
          instanceId: 1,
          direction: 'download',
          from: remote,
          names: ['big'],
          to: local,
          honourGitignore: false,
        }
  await mkdir(join(remote, 'in'))
  const target = side === 'local' ? join(remote, 'in') : local
  return { address, local, content, order, target }
}

describe('a link', () => {
  test.for(['local', 'remote'] as const)(
    'that breaks leaves no half file; a retry goes on (%s)',
    async (side) => {
      const { address, local, content, order, target } = await startWithFile(side, 48 * mib)
      const proxy = await startProxy(address)
      let way = connectTo(proxy.address)
      const offsets: number[] = []
      const localTree = watchedTree(localTreeOf(local), (offset) => {
        offsets.push(offset)
        if (offset > 28 * mib) proxy.corrupt()
      })
      const { transfers, over } = openTransfers({
        local,
        address,
        localTree,
        connect: (id, signal) => way(id, signal),
      })
      const { id } = transfers.start(order)
      expect((await over(id)).phase).toMatchObject({
        kind: 'failed',
        problem: { kind: 'connection', problem: { kind: 'link-lost' } },
      })
      const left = await readdir(target)
      expect(left).toEqual([expect.stringMatching(/^\.big\.[0-9a-f]{12}\.part$/)])

      way = connectTo(address)
      offsets.length = 0
      transfers.retry(id)
      expect((await over(id)).phase).toEqual({ kind: 'done' })
      expect(offsets[0]).toBeGreaterThan(4 * mib)
      expect(await readdir(target)).toEqual(['big'])
      expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
    },
  )

  test('that stalls does not hold a cancel; nothing half done stays on this computer', async () => {
    const { address, local, order, target } = await startWithFile('remote', 24 * mib)
    const proxy = await startProxy(address)
    const stalled = Promise.withResolvers<undefined>()
    const localTree = watchedTree(localTreeOf(local), (offset) => {
      if (offset < 4 * mib) return
      proxy.fallSilent()
      stalled.resolve(undefined)
    })
    const { transfers, over } = openTransfers({ local, address: proxy.address, localTree })
    const { id } = transfers.start(order)
    await stalled.promise
    const before = Date.now()
    transfers.cancel(id)
    expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
    expect(Date.now() - before).toBeLessThan(15_000)
    expect(await readdir(target)).toEqual([])
  })
})

test.for(['local', 'remote'] as const)('a cancel removes what is half done (%s)', async (side) => {
  const { address, local, order, target } = await startWithFile(side, 24 * mib)
  const begun = Promise.withResolvers<undefined>()
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    if (offset > 2 * mib) begun.resolve(undefined)
  })
  const { transfers, over } = openTransfers({ local, address, localTree })
  const { id } = transfers.start(order)
  await begun.promise
  transfers.cancel(id)
  expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
  expect(await readdir(target)).toEqual([])
})

test('what is left when Slipway ends is gone on with by the next order', async () => {
  const { address, local, content, order, target } = await startWithFile('remote', 24 * mib)
  const begun = Promise.withResolvers<undefined>()
  const watched = watchedTree(localTreeOf(local), (offset) => {
    if (offset > 8 * mib) begun.resolve(undefined)
  })
  const first = openTransfers({ local, address, localTree: watched })
  first.transfers.start(order)
  await begun.promise
  await first.transfers.dispose()
  const [part] = await readdir(target)
  const kept = (await lstat(join(target, part ?? ''))).size
  expect(kept).toBeGreaterThan(8 * mib)

  const offsets: number[] = []
  const second = openTransfers({
    local,
    address,
    localTree: watchedTree(localTreeOf(local), (offset) => void offsets.push(offset)),
  })
  expect((await second.run(order)).phase).toEqual({ kind: 'done' })
  // Not from the very end: the last pieces may have come in any order.
  expect(offsets[0]).toBeLessThan(kept)
  expect(offsets[0]).toBeGreaterThan(kept - 4 * mib)
  expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
})

test('a file that was altered since is not gone on with', async () => {
  const { address, local, order, target } = await startWithFile('remote', 24 * mib)
  const begun = Promise.withResolvers<undefined>()
  const watched = watchedTree(localTreeOf(local), (offset) => {
    if (offset > 8 * mib) begun.resolve(undefined)
  })
  const first = openTransfers({ local, address, localTree: watched })
  first.transfers.start(order)
  await begun.promise
  await first.transfers.dispose()
  const other = randomBytes(25 * mib)
  await writeFile(join(order.from, 'big'), other)
  await openTransfers({ local, address }).run(order)
  expect((await readFile(join(target, 'big'))).equals(other)).toBe(true)
})

describe('a full disk', () => {
  /** A disk of 4 MiB; only root may make one. */
  async function mountSmallDisk(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
    onTestFinished(async () => {
      await promisify(execFile)('umount', ['-l', folder])
    })
  }
  const isRoot = process.getuid?.() === 0

  test.runIf(isRoot).for(['local', 'remote'] as const)(
    'is told before anything is written (%s)',
    async (side) => {
      const { address, local, order } = await startWithFile(side === 'local' ? 'remote' : 'local', 6 * mib)
      const disk = join(await makeFolder(), 'disk')
      await mountSmallDisk(disk)
      const { phase } = await openTransfers({ local, address }).run({ ...order, to: disk })
      expect(phase).toMatchObject({ kind: 'failed', problem: { kind: 'disk-full', side, path: disk } })
      expect(await readdir(disk)).toEqual([])
    },
  )

  test.runIf(isRoot).for(['local', 'remote'] as const)(
    'met on the way is told as such (%s)',
    async (side) => {
      const { address, local, order } = await startWithFile(side === 'local' ? 'remote' : 'local', 3 * mib)
      const disk = join(await makeFolder(), 'disk')
      await mountSmallDisk(disk)
      let isFilled = false
      // Somebody else fills it, once it was found to have room.
      const localTree = watchedTree(localTreeOf(local), () => {
        if (isFilled) return
        isFilled = true
        writeFileSync(join(disk, 'filler'), Buffer.alloc(3 * mib))
      })
      const { phase } = await openTransfers({ local, address, localTree }).run({ ...order, to: disk })
      expect(phase).toMatchObject({ kind: 'failed', problem: { kind: 'disk-full', side } })
      expect(await readdir(disk)).not.toContain('big')
    },
  )
})
