import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FilePlace } from '#domain/files/transfer.ts'
import { startHostileServer } from './hostile-server.ts'
import { connectTo, openFileBrowser, startInstance } from './instance.ts'

const there: FilePlace = { side: 'remote', instanceId: 1 }
const here: FilePlace = { side: 'local' }

async function open() {
  const { address, local, remote } = await startInstance()
  const browser = openFileBrowser(local, connectTo(address))
  return { browser, local, remote }
}

test.for([here, there])('folders are made, and names changed ($side)', async (place) => {
  const { browser, local, remote } = await open()
  const folder = join(place.side === 'local' ? local : remote, 'work')
  await mkdir(folder)
  await writeFile(join(folder, 'a'), 'a')
  await writeFile(join(folder, 'b'), 'b')
  const done = { kind: 'done' }

  expect(await browser.change(place, { kind: 'make-folder', folder, name: 'inner' })).toEqual(done)
  expect(await browser.change(place, { kind: 'rename', folder, name: 'a', to: 'c' })).toEqual(done)
  expect(await browser.change(place, { kind: 'rename', folder, name: 'inner', to: 'A' })).toEqual(done)
  expect(await readdir(folder)).toEqual(['A', 'b', 'c'])

  const taken = { kind: 'failed', problem: { kind: 'taken', side: place.side, name: 'b' } }
  expect(await browser.change(place, { kind: 'rename', folder, name: 'c', to: 'b' })).toEqual(taken)
  expect(await browser.change(place, { kind: 'make-folder', folder, name: 'b' })).toEqual(taken)
  expect(await readFile(join(folder, 'b'), 'utf8')).toBe('b')
})

test.for([here, there])('security: no name leads out of the folder ($side)', async (place) => {
  const { browser, local, remote } = await open()
  const root = place.side === 'local' ? local : remote
  const folder = join(root, 'work')
  await mkdir(folder)
  await writeFile(join(root, 'outside'), 'stays')
  const changes = [
    { kind: 'make-folder', folder, name: '../made' },
    { kind: 'rename', folder, name: '../outside', to: 'taken' },
    { kind: 'rename', folder, name: 'x', to: '../outside' },
    { kind: 'remove', folder, names: ['../outside'] },
    { kind: 'remove', folder, names: ['..'] },
  ] as const
  for (const change of changes)
    expect(await browser.change(place, change)).toMatchObject({ problem: { kind: 'bad-name' } })
  expect(await readdir(root)).toEqual(expect.arrayContaining(['outside', 'work']))
})

test('a folder of an instance is removed with all in it, links and not what they lead to', async () => {
  const { browser, remote } = await open()
  await mkdir(join(remote, 'keep'))
  await writeFile(join(remote, 'keep', 'file'), 'stays')
  await mkdir(join(remote, 'gone', 'deep', 'deeper'), { recursive: true })
  await symlink(join(remote, 'keep'), join(remote, 'gone', 'deep', 'link'))
  for (let index = 0; index < 200; index += 1) await writeFile(join(remote, 'gone', `${index}`), '')
  await writeFile(join(remote, 'gone', 'deep', 'deeper', 'file'), '')

  const change = { kind: 'remove', folder: remote, names: ['gone', 'was never there'] } as const
  expect(await browser.change(there, change)).toEqual({ kind: 'done' })
  expect(await readdir(remote)).not.toContain('gone')
  expect(await readFile(join(remote, 'keep', 'file'), 'utf8')).toBe('stays')
})

test('what is removed here goes into the trash', async () => {
  const { browser, local } = await open()
  await mkdir(join(local, 'results'))
  await writeFile(join(local, 'results', 'file'), 'kept')
  const change = { kind: 'remove', folder: local, names: ['results'] } as const
  expect(await browser.change(here, change)).toEqual({ kind: 'done' })
  expect(await readFile(join(local, 'results.trashed', 'file'), 'utf8')).toBe('kept')
})

test('a removal that may not be done says which file stands against it', async () => {
  const { browser } = await open()
  // Not even root may.
  const change = { kind: 'remove', folder: '/proc', names: ['version'] } as const
  expect(await browser.change(there, change)).toEqual({
    kind: 'failed',
    problem: { kind: 'denied', side: 'remote', path: '/proc/version' },
  })
})

test('a removal stops when nobody waits for it, and what is left stays', async () => {
  const { browser, remote } = await open()
  await mkdir(join(remote, 'many'))
  for (let index = 0; index < 50; index += 1) await mkdir(join(remote, 'many', `${index}`))
  const end = new AbortController()
  const outcome = browser.change(there, { kind: 'remove', folder: remote, names: ['many'] }, end.signal)
  end.abort(new Error('the dialog was left'))
  expect(await outcome).toEqual({ kind: 'stopped' })
  expect(await readdir(remote)).toContain('many')
})

test('hostile: folders that a server makes up without end are given up on', async () => {
  const { address } = await startHostileServer({ list: () => [{ name: 'again', mode: 0o040755 }] })
  const { local } = await startInstance()
  const browser = openFileBrowser(local, connectTo(address))
  expect(await browser.change(there, { kind: 'remove', folder: '/', names: ['again'] })).toMatchObject({
    problem: { kind: 'too-many' },
  })
})
