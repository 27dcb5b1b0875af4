import { execFile } from 'node:child_process'
import {
  chmod,
  chown,
  link,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { mayMountDisks, mountSmallDisk } from '../../../support/small-disk.ts'
import { longestText } from '#domain/files/opened-file.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { TransferFailure } from '#services/files/failure.ts'
import { openFile } from '#services/files/open/open-file.ts'
import { saveFile } from '#services/files/open/save-file.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../../ssh/proxy.ts'
import { connectTo, localTreeOf, makeFolder, startInstance } from '../instance.ts'
import { openedFiles } from './opened.ts'

const isRoot = process.getuid?.() === 0
const run = promisify(execFile)

async function start() {
  const instance = await startInstance()
  const folder = join(instance.remote, 'work')
  await mkdir(folder)
  return { ...instance, folder, ...openedFiles(connectTo(instance.address), folder) }
}

test('a save keeps mode, line ends, and mark, and leaves nothing beside the file', async () => {
  const { folder, openText, save } = await start()
  const path = join(folder, 'run.sh')
  await writeFile(path, '\uFEFF#!/bin/sh\r\necho größer\r\n')
  await chmod(path, 0o2750)
  const opened = await openText('run.sh')
  expect(opened).toMatchObject({ text: '\uFEFF#!/bin/sh\r\necho größer\r\n', readOnly: null })
  const saved = await save('run.sh', `${opened.text}echo 🚢\r\n`, opened.version)
  expect(saved.kind).toBe('saved')
  expect(await readFile(path, 'utf8')).toBe('\uFEFF#!/bin/sh\r\necho größer\r\necho 🚢\r\n')
  expect((await stat(path)).mode & 0o7777).toBe(0o2750)
  expect(await readdir(folder)).toEqual(['run.sh'])
  // What is expected next is what was saved.
  expect(await save('run.sh', 'short\n', saved.kind === 'saved' ? saved.version : null)).toMatchObject({
    kind: 'saved',
  })
  expect(await readFile(path, 'utf8')).toBe('short\n')
})

test('a link stays a link, and what it leads to is saved', async () => {
  const { folder, openText, save } = await start()
  await mkdir(join(folder, 'configs'))
  await writeFile(join(folder, 'configs', 'real.yaml'), 'a: 1\n')
  await symlink('configs/real.yaml', join(folder, 'link.yaml'))
  const opened = await openText('link.yaml')
  expect(opened.path).toBe(join(folder, 'configs', 'real.yaml'))
  expect(await save('link.yaml', 'a: 2\n', opened.version)).toMatchObject({ kind: 'saved' })
  expect(await readlink(join(folder, 'link.yaml'))).toBe('configs/real.yaml')
  expect(await readFile(join(folder, 'configs', 'real.yaml'), 'utf8')).toBe('a: 2\n')
})

test('what somebody else wrote meanwhile is asked about, also in the same second and of the same size', async () => {
  const { folder, openText, save } = await start()
  const path = join(folder, 'train.py')
  await writeFile(path, 'lr = 1\n')
  const opened = await openText('train.py')
  await writeFile(path, 'lr = 2\n')
  const asked = await save('train.py', 'lr = 3\n', opened.version)
  expect(asked).toMatchObject({ kind: 'changed', theirs: { text: 'lr = 2\n' } })
  expect(await readFile(path, 'utf8')).toBe('lr = 2\n')
  const seen = asked.kind === 'changed' ? asked.theirs.version : null
  // Once more: what was seen is overwritten, and nothing later.
  await writeFile(path, 'lr = 4\n')
  expect(await save('train.py', 'lr = 3\n', seen)).toMatchObject({ theirs: { text: 'lr = 4\n' } })
  await writeFile(path, 'lr = 2\n')
  expect(await save('train.py', 'lr = 3\n', seen)).toMatchObject({ kind: 'saved' })
  expect(await readFile(path, 'utf8')).toBe('lr = 3\n')
})

test('a file that was deleted meanwhile is made again only when asked for', async () => {
  const { folder, openText, save } = await start()
  const path = join(folder, 'notes.md')
  await writeFile(path, '# a\n')
  await chmod(path, 0o640)
  const opened = await openText('notes.md')
  await rm(path)
  expect(await save('notes.md', '# b\n', opened.version)).toEqual({
    kind: 'changed',
    theirs: { version: null, text: null },
    isIncomplete: false,
  })
  expect(await readdir(folder)).toEqual([])
  expect(await save('notes.md', '# b\n', null, { mode: opened.mode })).toMatchObject({ kind: 'saved' })
  expect(await readFile(path, 'utf8')).toBe('# b\n')
  expect((await stat(path)).mode & 0o777).toBe(0o640)
  await rm(path)
  await save('notes.md', '# b\n', null)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a save whose answer was lost is found done by the next try', async () => {
  const { folder, openText, save } = await start()
  await writeFile(join(folder, 'a.json'), '{}')
  const { version } = await openText('a.json')
  await writeFile(join(folder, 'a.json'), '{"b":1}')
  expect(await save('a.json', '{"b":1}', version)).toMatchObject({ kind: 'saved' })
})

test.runIf(isRoot)('root keeps the owner of somebody else’s file', async () => {
  const { folder, openText, save } = await start()
  const path = join(folder, 'theirs.conf')
  await writeFile(path, 'x = 1\n')
  await chown(path, 1234, 2345)
  await chmod(path, 0o640)
  const { version } = await openText('theirs.conf')
  expect(await save('theirs.conf', 'x = 2\n', version)).toMatchObject({ kind: 'saved' })
  const { uid, gid, mode } = await stat(path)
  expect([uid, gid, mode & 0o777]).toEqual([1234, 2345, 0o640])
})

test.runIf(mayMountDisks)(
  'a file that is mounted by itself is written into once that is allowed',
  async () => {
    const { folder, openText, save } = await start()
    const [source, path] = [join(folder, 'source'), join(folder, 'hosts')]
    await writeFile(source, '127.0.0.1 a\n')
    await writeFile(path, '')
    await run('mount', ['--bind', source, path])
    onTestFinished(async () => {
      await run('umount', [path])
    })
    const { version } = await openText('hosts')
    expect(await save('hosts', '127.0.0.1 b\n', version)).toEqual({ kind: 'asks-in-place', why: 'folder' })
    expect(await readFile(source, 'utf8')).toBe('127.0.0.1 a\n')
    expect((await readdir(folder)).toSorted()).toEqual(['hosts', 'source'])
    expect(await save('hosts', 'b\n', version, { inPlace: true })).toMatchObject({ kind: 'saved' })
    expect(await readFile(source, 'utf8')).toBe('b\n')
  },
)

test.runIf(mayMountDisks)('a full disk: the file there is the old one, and no part stays', async () => {
  const { address, folder } = await start()
  const disk = join(folder, 'disk')
  onTestFinished(await mountSmallDisk(disk, 1))
  await writeFile(join(disk, 'a.txt'), 'old')
  const { openText, save } = openedFiles(connectTo(address), disk)
  const { version } = await openText('a.txt')
  const outcome = await save('a.txt', 'x'.repeat(3 * 1024 * 1024), version)
  expect(outcome).toMatchObject({ kind: 'failed', problem: { kind: 'disk-full' }, left: null })
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('old')
  expect(await readdir(disk)).toEqual(['a.txt'])
})

test('a link cut at any byte leaves the old or the new file; trying again saves, and takes the part away', async () => {
  const { address, folder } = await start()
  const path = join(folder, 'big.txt')
  const [before, after] = ['old\n', 'new line\n'.repeat(200_000)]
  let broken = 0
  for (const share of [0.02, 0.3, 0.6, 0.95, 0.999]) {
    await writeFile(path, before)
    const proxy = await startProxy(address)
    let way = connectTo(proxy.address)
    const { openText, save } = openedFiles((...wish) => way(...wish), folder)
    const { version } = await openText('big.txt')
    proxy.fallSilent(Math.round(after.length * share))
    const cut = waitFor(() => expect(proxy.isSilent()).toBe(true)).then(proxy.cut)
    const outcome = await save('big.txt', after, version)
    await cut
    const there = await readFile(path, 'utf8')
    expect([before, after]).toContain(there)
    if (outcome.kind === 'failed') {
      broken += 1
      expect(outcome).toMatchObject({
        problem: { kind: 'connection' },
        left: expect.stringMatching(/\/\.big\.txt\.[0-9a-f]{12}\.part$/),
      })
    }
    way = connectTo(address)
    // With another text, which has another part.
    const next = await save('big.txt', `${after}more\n`, there === before ? version : null)
    if (there === before) expect(next).toMatchObject({ kind: 'saved' })
    expect(await readdir(folder)).toEqual(there === before ? ['big.txt'] : expect.anything())
  }
  expect(broken).toBeGreaterThan(2)
})

test('where the owner can’t be kept, it asks, and then writes into the file', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'theirs.conf')
  await writeFile(path, 'old\n')
  const own = localTreeOf(folder)
  const tree: FileTree = {
    ...own,
    ownerOf: (of) => Promise.resolve({ user: of === path ? 7 : 8, group: 7 }),
    setOwner: (of) => Promise.reject(new TransferFailure({ kind: 'denied', side: 'local', path: of })),
  }
  const opened = await openFile(tree, { folder, name: 'theirs.conf', asLog: false })
  const expected = opened.kind === 'text' ? opened.text.version : null
  const order = {
    folder,
    name: 'theirs.conf',
    bytes: Buffer.from('new\n'),
    longest: longestText,
    expected,
    mode: null,
  }
  const ino = (await stat(path)).ino
  expect(await saveFile(tree, { ...order, inPlace: false }, () => undefined)).toEqual({
    kind: 'asks-in-place',
    why: 'owner',
  })
  expect(await readFile(path, 'utf8')).toBe('old\n')
  expect(await readdir(folder)).toEqual(['theirs.conf'])
  expect(await saveFile(tree, { ...order, inPlace: true }, () => undefined)).toMatchObject({ kind: 'saved' })
  expect(await readFile(path, 'utf8')).toBe('new\n')
  expect((await stat(path)).ino).toBe(ino)
})

test('a hard link is not followed: the other name keeps the old text', async () => {
  const { folder, openText, save } = await start()
  await writeFile(join(folder, 'one'), 'a')
  await link(join(folder, 'one'), join(folder, 'two'))
  const { version } = await openText('one')
  await save('one', 'b', version)
  expect(await readFile(join(folder, 'two'), 'utf8')).toBe('a')
})
