import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Connect } from '#services/files/session.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startProxy } from '../ssh/proxy.ts'
import { connectTo, localTreeOf, openTransfers, startWithFile, watchedTree } from './instance.ts'

const mib = 1024 * 1024

test.for(['local', 'remote'] as const)(
  'what has failed is taken off the list: the half file goes, and only that (%s)',
  async (side) => {
    const { address, local, order, target } = await startWithFile(side, 48 * mib)
    const proxy = await startProxy(address)
    let way = connectTo(proxy.address)
    const localTree = watchedTree(localTreeOf(local), (offset) => {
      if (offset > 12 * mib) proxy.corrupt()
    })
    const connect: Connect = (id, signal) => way(id, signal)
    const { transfers, over } = openTransfers({ local, address, localTree, connect })
    const { id } = transfers.start(order)
    expect((await over(id)).phase.kind).toBe('failed')
    const [part = ''] = await readdir(target)
    expect(part).toMatch(/^\.big\.[0-9a-f]{12}\.part$/)
    const others = ['.big.0123456789ab.part', `${part}.part`]
    for (const name of others) await writeFile(join(target, name), 'of somebody else')

    way = connectTo(address)
    transfers.forget(id)
    expect(transfers.state.value).toEqual([])
    await waitFor(async () => expect((await readdir(target)).sort()).toEqual(others.sort()))
  },
)

test('an upload that has failed is taken off the list: nothing is connected for it', async () => {
  const { address, local, order, target } = await startWithFile('local', 48 * mib)
  const proxy = await startProxy(address)
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    if (offset > 12 * mib) proxy.corrupt()
  })
  const connect = vi.fn(connectTo(proxy.address))
  const { transfers, over } = openTransfers({
    ...{ local, address, localTree, connect },
    isConnected: () => false,
  })
  const { id } = transfers.start(order)
  await over(id)
  transfers.forget(id)
  await transfers.dispose()
  expect(connect).toHaveBeenCalledOnce()
  expect(await readdir(target)).toEqual([expect.stringMatching(/\.part$/)])
})

test('what has failed is taken off the list: what another transfer would go on with stays', async () => {
  const { address, local, order, target } = await startWithFile('remote', 48 * mib)
  let proxy = await startProxy(address)
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    if (offset > 12 * mib) proxy.corrupt()
  })
  const connect: Connect = (id, signal) => connectTo(proxy.address)(id, signal)
  const { transfers, over } = openTransfers({ local, address, localTree, connect })
  const first = transfers.start(order)
  await over(first.id)
  proxy = await startProxy(address)
  const second = transfers.start(order)
  await over(second.id)
  transfers.forget(first.id)
  await transfers.dispose()
  expect(await readdir(target)).toEqual([expect.stringMatching(/\.part$/)])
})
