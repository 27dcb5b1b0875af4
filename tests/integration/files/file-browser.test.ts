import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { FolderOutcome } from '#domain/files/transfer.ts'
import { startProxy } from '../ssh/proxy.ts'
import { connectTo, makeFolder, openFileBrowser, startInstance } from './instance.ts'

async function openBrowser() {
  const { address, remote } = await startInstance()
  const proxy = await startProxy(address)
  const local = await makeFolder()
  let way = proxy
  const connect = vi.fn((id: number, signal: AbortSignal) => connectTo(way.address)(id, signal))
  const browser = openFileBrowser(local, connect)
  return {
    browser,
    connect,
    proxy,
    local,
    remote,
    takeAnotherWay: async () => (way = await startProxy(address)),
  }
}

const namesIn = (outcome: FolderOutcome): readonly string[] =>
  outcome.kind === 'listed' ? outcome.entries.map(({ name }) => name) : []

test('folders are walked through on both sides, with folders first', async () => {
  const { browser, connect, local, remote } = await openBrowser()
  for (const root of [local, remote]) {
    await mkdir(join(root, 'work', 'z'), { recursive: true })
    for (const name of ['a10', 'a9']) await writeFile(join(root, 'work', name), name)
    await symlink(join(root, 'work'), join(root, 'to-work'))
  }
  const home = await browser.listRemote(1, { path: '', step: null })
  expect(home).toMatchObject({ kind: 'listed', path: remote })
  const inner = await browser.listRemote(1, { path: remote, step: 'work' })
  expect(inner).toMatchObject({ path: join(remote, 'work'), omitted: 0 })
  expect(namesIn(inner)).toEqual(['z', 'a9', 'a10'])
  expect(await browser.listRemote(1, { path: join(remote, 'work'), step: '..' })).toEqual(home)
  expect(await browser.listRemote(1, { path: remote, step: 'to-work' })).toEqual(inner)
  expect(connect).toHaveBeenCalledTimes(1)

  expect(namesIn(await browser.listLocal({ path: local, step: 'to-work' }))).toEqual(['z', 'a9', 'a10'])
  expect(await browser.listLocal({ path: '', step: null })).toMatchObject({ path: local })
})

test('what cannot be listed is told, and the next look is not hurt by it', async () => {
  const { browser, remote } = await openBrowser()
  expect(await browser.listRemote(1, { path: remote, step: 'gone' })).toMatchObject({
    kind: 'failed',
    problem: { kind: 'missing', side: 'remote' },
  })
  expect(await browser.listRemote(1, { path: remote, step: null })).toMatchObject({ kind: 'listed' })
})

test('a link that broke is told once, and made anew', async () => {
  const { browser, proxy, takeAnotherWay } = await openBrowser()
  await browser.listRemote(1, { path: '', step: null })
  proxy.corrupt()
  expect(await browser.listRemote(1, { path: '', step: null })).toMatchObject({
    kind: 'failed',
    problem: { kind: 'connection', problem: { kind: 'link-lost' } },
  })
  await takeAnotherWay()
  expect(await browser.listRemote(1, { path: '', step: null })).toMatchObject({ kind: 'listed' })
})
