import { randomBytes } from 'node:crypto'
import { chmod, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findOpenSsh } from '../../simulator/machines/openssh.ts'
import {
  connectTo,
  localTreeOf,
  makeFolder,
  openFileBrowser,
  openTransfers,
  startInstance,
  watchedTree,
} from './instance.ts'
import { hastyClock } from '../../support/hasty-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const home = { path: '', step: null }

/** A real sshd, whose file server starts and says nothing for as long as it is to hang. */
async function startHangingInstance() {
  const scripts = await makeFolder()
  const sftpServer = join(scripts, 'sftp-server')
  const { sftpServer: real } = await findOpenSsh()
  const script = [
    '#!/bin/bash',
    `echo $$ > '${scripts}/pid'`,
    `while [ -e '${scripts}/hang' ]; do sleep 0.05; done`,
    `exec '${real}'`,
  ]
  await writeFile(sftpServer, `${script.join('\n')}\n`)
  await chmod(sftpServer, 0o755)
  const pid = async (): Promise<number> => Number(await readFile(join(scripts, 'pid'), 'utf8'))
  return {
    ...(await startInstance({ sftpServer })),
    hang: () => writeFile(join(scripts, 'hang'), ''),
    goOn: () => rm(join(scripts, 'hang')),
    /** The one that was started last stops where it is. */
    freeze: async () => process.kill(await pid(), 'SIGSTOP'),
    hasBegun: async () => waitFor(async () => expect(await pid()).toBeGreaterThan(0)),
    hasEnded: async () => {
      const last = await pid()
      await waitFor(() => expect(() => process.kill(last, 0)).toThrow('ESRCH'))
    },
  }
}

async function openBrowser() {
  const instance = await startHangingInstance()
  const connect = vi.fn(connectTo(instance.address))
  const clock = hastyClock()
  const browser = openFileBrowser(instance.local, connect, { clock })
  return { ...instance, browser, connect, clock }
}

test('a file server that never begins to answer is told, and asked anew by the next look', async () => {
  const { browser, connect, clock, hang, hasBegun, goOn } = await openBrowser()
  await hang()
  const looking = browser.listRemote(1, home)
  await hasBegun()
  clock.hurry()
  expect(await looking).toEqual({ kind: 'failed', problem: { kind: 'not-started' } })
  clock.calm()
  await goOn()
  expect(await browser.listRemote(1, home)).toMatchObject({ kind: 'listed' })
  expect(connect).toHaveBeenCalledTimes(2)
})

test('a file server that stops answering is told, and another one asked by the next look', async () => {
  const { browser, connect, clock, freeze } = await openBrowser()
  expect(await browser.listRemote(1, home)).toMatchObject({ kind: 'listed' })
  await freeze()
  clock.hurry()
  const looks = [browser.listRemote(1, home), browser.listRemote(1, home)]
  for (const look of looks) expect(await look).toEqual({ kind: 'failed', problem: { kind: 'silent' } })
  clock.calm()
  expect(await browser.listRemote(1, home)).toMatchObject({ kind: 'listed' })
  expect(connect).toHaveBeenCalledTimes(2)
})

test('a change is not waited for by one who gives it up while no file server answers', async () => {
  const { browser, hang, hasBegun } = await openBrowser()
  await hang()
  const giveUp = new AbortController()
  const change = { kind: 'make-folder', folder: '/tmp', name: 'never' } as const
  const changed = browser.change({ side: 'remote', instanceId: 1 }, change, giveUp.signal)
  await hasBegun()
  giveUp.abort(new Error('not wanted'))
  expect(await changed).toEqual({ kind: 'stopped' })
})

test('a copy whose file server stops answering is told, and a retry goes on with it', async () => {
  const mib = 1024 * 1024
  const { address, local, remote, freeze } = await startHangingInstance()
  const content = randomBytes(24 * mib)
  await writeFile(join(remote, 'big'), content)
  const offsets: number[] = []
  const clock = hastyClock()
  let freezing: Promise<unknown> | null = null
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    offsets.push(offset)
    if (offset > 8 * mib) freezing ??= freeze().then(clock.hurry)
  })
  const { transfers, over } = openTransfers({ local, address, localTree, clock })
  const order = { ...placesFor('download'), from: remote, names: ['big'], to: local } as const
  const { id } = transfers.start({ ...order, honorGitignore: false })
  expect((await over(id)).phase).toEqual({ kind: 'failed', problem: { kind: 'silent' } })
  clock.calm()
  offsets.length = 0
  transfers.retry(id)
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect(offsets[0]).toBeGreaterThan(4 * mib)
  expect((await readFile(join(local, 'big'))).equals(content)).toBe(true)
})

test('a copy is cancelled at once while its channel opens, and a channel that comes late is closed', async () => {
  const { address, local, hang, goOn, hasBegun, hasEnded } = await startHangingInstance()
  await hang()
  // Others go on with the connection.
  const end = new AbortController()
  const share = await connectTo(address)(1, end.signal)
  onTestFinished(share.release)
  const connect = () => Promise.resolve({ ...share, release: () => undefined })
  const { transfers, over } = openTransfers({ local, address, connect })
  const order = { ...placesFor('download'), from: '/', names: ['x'], to: local } as const
  const { id } = transfers.start({ ...order, honorGitignore: false })
  await hasBegun()
  const before = Date.now()
  transfers.cancel(id)
  expect((await over(id)).phase).toEqual({ kind: 'cancelled' })
  expect(Date.now() - before).toBeLessThan(20_000)
  await goOn()
  await hasEnded()
  expect(await readdir(local)).toEqual([])
})
