import { chmod, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import { createLocalTree, ownUser } from '#services/files/local-tree.ts'
import { startHostileServer } from './hostile-server.ts'
import { connectTo, makeFolder, openFileBrowser, startInstance } from './instance.ts'

const top = { path: '', step: null }

async function open() {
  const { address, remote, local } = await startInstance()
  return { browser: openFileBrowser(local, connectTo(address)), remote, local }
}

/** @throws when the folder wasn't listed */
async function entriesBy(listing: ReturnType<Awaited<ReturnType<typeof open>>['browser']['listLocal']>) {
  const outcome = await listing
  if (outcome.kind !== 'listed') throw new Error(JSON.stringify(outcome))
  return new Map<string, FileEntry>(outcome.entries.map((entry) => [entry.name, entry]))
}

describe('a folder’s listing has', () => {
  test('modes, with the bits that are no permissions, and owners by name', async () => {
    const { browser, remote } = await open()
    await writeFile(join(remote, 'run'), '')
    await chmod(join(remote, 'run'), 0o6750)
    await mkdir(join(remote, 'shared'))
    await chmod(join(remote, 'shared'), 0o1777)
    const entries = await entriesBy(browser.listRemote(1, top))
    expect(entries.get('run')).toMatchObject({ kind: 'file', mode: 0o750, special: 0o6000 })
    expect(entries.get('shared')).toMatchObject({ kind: 'folder', mode: 0o777, special: 0o1000 })
    expect(entries.get('run')?.owner).toMatch(new RegExp(`^${userInfo().username}(:|$)`))
  })

  test('the same of this computer: its own user by name', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'run'), '')
    await chmod(join(folder, 'run'), 0o4755)
    const tree = (user: ReturnType<typeof ownUser>) =>
      createLocalTree({
        ...{ homeFolder: folder, platform: 'linux', umask: 0o022, user },
        trash: () => Promise.resolve(),
      })
    expect(await tree(ownUser()).list(folder)).toMatchObject([
      { mode: 0o755, special: 0o4000, owner: userInfo().username },
    ])
    expect(await tree(null).list(folder)).toMatchObject([{ owner: `${userInfo().uid}:${userInfo().gid}` }])
  })

  test('times and sizes as far as there are any', async () => {
    const { browser, local } = await open()
    const late = join(local, 'late')
    await writeFile(late, '')
    await truncate(late, 2 ** 40)
    await utimes(late, new Date('2105-12-31T00:00:00Z'), new Date('2105-12-31T00:00:00Z'))
    expect((await entriesBy(browser.listLocal(top))).get('late')).toMatchObject({
      size: 2 ** 40,
      modifiedAt: Date.UTC(2105, 11, 31),
    })
  })
})

describe('the size of a folder', () => {
  const measured = {
    kind: 'counted',
    size: { bytes: 1_500, files: 3, folders: 2, unread: 0, cutShort: null },
  }

  test('is the same on both sides, and links are not followed', async () => {
    const { browser, remote, local } = await open()
    for (const root of [remote, local]) {
      await mkdir(join(root, 'data', 'in', 'deep'), { recursive: true })
      await writeFile(join(root, 'data', 'a'), 'x'.repeat(1_000))
      await writeFile(join(root, 'data', 'in', 'deep', 'b'), 'x'.repeat(500))
      await symlink('/', join(root, 'data', 'in', 'root'))
      await symlink(join(root, 'data'), join(root, 'link'))
    }
    const there = { side: 'remote', instanceId: 1 } as const
    expect(await browser.measure(there, { folder: remote, name: 'data' })).toEqual(measured)
    expect(await browser.measure({ side: 'local' }, { folder: local, name: 'data' })).toEqual(measured)
    for (const name of ['link', 'gone'])
      expect(await browser.measure(there, { folder: remote, name })).toMatchObject({
        kind: 'failed',
        problem: { kind: 'missing' },
      })
    expect(await browser.measure(there, { folder: remote, name: '../data' })).toMatchObject({
      problem: { kind: 'bad-name' },
    })
  })

  test('hostile: of a server without end is ended by who asked for it', async () => {
    const { address } = await startHostileServer({ list: () => [{ name: 'again', mode: 0o040755 }] })
    const browser = openFileBrowser(await makeFolder(), connectTo(address))
    const there = { side: 'remote', instanceId: 1 } as const
    const at = { folder: '/', name: 'again' }
    expect(await browser.measure(there, at)).toMatchObject({
      kind: 'counted',
      size: { cutShort: 'too-many' },
    })
    expect(await browser.measure(there, at, AbortSignal.abort(new Error('left')))).toEqual({
      kind: 'stopped',
    })
  })
})
