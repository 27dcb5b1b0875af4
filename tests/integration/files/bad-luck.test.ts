import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { lstat, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mayMountDisks, mountSmallDisk } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startProxy } from '../ssh/proxy.ts'
import { connectTo, localTreeOf, makeFolder, openTransfers, startWithFile, watchedTree } from './instance.ts'

const mib = 1024 * 1024

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

  test('that is lost and waited for: a cancel removes what has arrived on this computer', async () => {
    const { address, local, order, target } = await startWithFile('remote', 24 * mib)
    const proxy = await startProxy(address)
    const waiting = Promise.withResolvers<undefined>()
    const { transfers, over } = openTransfers({
      local,
      address: proxy.address,
      regain: (_id, signal) => {
        waiting.resolve(undefined)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      },
    })
    proxy.fallSilent(12 * mib)
    const { id } = transfers.start(order)
    await waitFor(() => expect(proxy.isSilent()).toBe(true))
    proxy.cut()
    await waiting.promise
    expect(await readdir(target)).toEqual([expect.stringMatching(/\.part$/)])
    transfers.cancel(id)
    expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
    expect(await readdir(target)).toEqual([])
  })

  async function cancelStalledUpload() {
    const { address, local, content, order, target } = await startWithFile('local', 24 * mib)
    const proxy = await startProxy(address)
    const { transfers, over, until } = openTransfers({ local, address: proxy.address })
    proxy.fallSilent(4 * mib)
    const { id } = transfers.start(order)
    await waitFor(() => expect(proxy.isSilent()).toBe(true))
    transfers.cancel(id)
    expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
    // The wish to remove it waits behind what was sent before.
    expect(await readdir(target)).toEqual([expect.stringMatching(/^\.big\.[0-9a-f]{12}\.part$/)])
    return { proxy, transfers, until, id, content, order, target }
  }

  test('that stalls during a cancel: the instance is cleared up when it goes on', async () => {
    const { proxy, target } = await cancelStalledUpload()
    proxy.goOn()
    await waitFor(async () => expect(await readdir(target)).toEqual([]))
  })

  test('that stalls during a cancel: what is tried again begins when all is cleared up', async () => {
    const { proxy, transfers, until, id, content, target } = await cancelStalledUpload()
    transfers.retry(id)
    proxy.goOn()
    const { progress } = await until(id, ({ phase }) => phase.kind === 'done')
    expect(progress).toMatchObject({ filesDone: 1, bytesDone: 24 * mib })
    expect(await readdir(target)).toEqual(['big'])
    expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
  })

  test('that stalls during a cancel: the same order anew begins when all is cleared up', async () => {
    const { proxy, transfers, until, content, order, target } = await cancelStalledUpload()
    const { id } = transfers.start(order)
    proxy.goOn()
    await until(id, ({ phase }) => phase.kind === 'done')
    expect(await readdir(target)).toEqual(['big'])
    expect((await readFile(join(target, 'big'))).equals(content)).toBe(true)
  })

  test('that stalls during a cancel does not hold up other transfers', async () => {
    const { address, local, order } = await startWithFile('local', 24 * mib)
    await writeFile(join(local, 'small'), 'small')
    const proxy = await startProxy(address)
    const { transfers, until } = openTransfers({ local, address: proxy.address })
    const kinds = (): string[] => transfers.state.value.map(({ phase }) => phase.kind)
    proxy.fallSilent(4 * mib)
    const stalled = transfers.start(order)
    await waitFor(() => expect(proxy.isSilent()).toBe(true))
    transfers.start({ ...order, names: ['small'] })
    transfers.start({ ...order, names: ['small'], to: '.' })
    const last = transfers.start({ ...order, names: ['small'], to: 'other' })
    expect(kinds()).toEqual(['copying', 'connecting', 'connecting', 'waiting'])
    transfers.cancel(stalled.id)
    await until(last.id, ({ phase }) => phase.kind !== 'waiting')
    expect(kinds()).toEqual(['cancelled', 'connecting', 'connecting', 'connecting'])
    proxy.goOn()
  })

  test('that stalls during a cancel does not hold up the end', async () => {
    const { transfers } = await cancelStalledUpload()
    const before = Date.now()
    await transfers.dispose()
    expect(Date.now() - before).toBeLessThan(20_000)
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
  // It's told after 2 seconds at the latest, which a busy server may take longer than.
  await waitFor(async () => expect(await readdir(target)).toEqual([]))
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
  async function smallDisk(): Promise<string> {
    const disk = join(await makeFolder(), 'disk')
    const unmount = await mountSmallDisk(disk, 4)
    onTestFinished(unmount)
    return disk
  }

  test.runIf(mayMountDisks).for(['local', 'remote'] as const)(
    'is told before anything is written (%s)',
    async (side) => {
      const { address, local, order } = await startWithFile(side === 'local' ? 'remote' : 'local', 6 * mib)
      const disk = await smallDisk()
      const { transfers, over } = openTransfers({ local, address })
      const { phase } = await over(transfers.start({ ...order, to: disk }).id)
      expect(phase).toMatchObject({ kind: 'failed', problem: { kind: 'disk-full', side, path: disk } })
      expect(await readdir(disk)).toEqual([])
    },
  )

  test.runIf(mayMountDisks).for(['local', 'remote'] as const)(
    'met on the way is told as such; with room again, what has arrived counts (%s)',
    async (side) => {
      const { address, local, content, order } = await startWithFile(
        side === 'local' ? 'remote' : 'local',
        3.5 * mib,
      )
      const disk = await smallDisk()
      let isFilled = false
      // Somebody else fills it, once it was found to have room.
      const localTree = watchedTree(localTreeOf(local), () => {
        if (isFilled) return
        isFilled = true
        writeFileSync(join(disk, 'filler'), Buffer.alloc(3 * mib))
      })
      const { transfers, over } = openTransfers({ local, address, localTree })
      const { id } = transfers.start({ ...order, to: disk })
      const { phase } = await over(id)
      expect(phase).toMatchObject({ kind: 'failed', problem: { kind: 'disk-full', side } })
      expect(await readdir(disk)).not.toContain('big')

      await rm(join(disk, 'filler'))
      transfers.retry(id)
      expect((await over(id)).phase).toEqual({ kind: 'done' })
      expect((await readFile(join(disk, 'big'))).equals(content)).toBe(true)
    },
  )
})
