import {
  appendFile,
  chmod,
  chown,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Connect } from '#services/files/session.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../../ssh/proxy.ts'
import { connectTo, makeFolder, startInstance } from '../instance.ts'
import { openCopies } from './copies.ts'

const isRoot = process.getuid?.() === 0

async function start(options: Partial<Parameters<typeof openCopies>[0]> = {}) {
  const instance = await startInstance()
  const folder = join(instance.remote, 'work')
  await mkdir(folder)
  const wish = { connect: connectTo(instance.address), account: instance.local, folder, ...options }
  return { ...instance, folder, wish, ...(await openCopies(wish)) }
}

/** As editors save: a new file takes the name. */
async function saveByRename(path: string, text: string): Promise<void> {
  await writeFile(`${path}.swp`, text)
  await rename(`${path}.swp`, path)
}

test('a copy is its owner’s alone, and each save arrives with mode and link as they were', async () => {
  const { folder, open, until, started, copies, left } = await start()
  await mkdir(join(folder, 'real'))
  const there = join(folder, 'real', 'run.sh')
  await writeFile(there, 'a\n')
  await chmod(there, 0o2750)
  await symlink('real/run.sh', join(folder, 'run.sh'))
  const { path, id } = await open('run.sh')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  expect((await stat(dirname(dirname(path)))).mode & 0o777).toBe(0o700)
  expect(await readFile(path, 'utf8')).toBe('a\n')

  await saveByRename(path, 'a\nby rename\n')
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('a\nby rename\n'))
  await appendFile(path, 'in place\n')
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('a\nby rename\nin place\n'))
  await until('same')
  expect((await stat(there)).mode & 0o7777).toBe(0o2750)
  expect(await readlink(join(folder, 'run.sh'))).toBe('real/run.sh')
  expect(await readdir(join(folder, 'real'))).toEqual(['run.sh'])

  // Once more: the same copy, with what is there by now.
  await writeFile(there, 'newer\n')
  await open('run.sh')
  expect(started).toEqual([path, path])
  expect(await readFile(path, 'utf8')).toBe('newer\n')
  expect(await copies.stop(id, false)).toEqual({ kind: 'stopped' })
  expect([await left(), copies.latest.value]).toEqual([[], []])
})

test.runIf(isRoot)('the owner of somebody else’s file is kept', async () => {
  const { folder, open } = await start()
  const there = join(folder, 'theirs.conf')
  await writeFile(there, 'x = 1\n')
  await chown(there, 1234, 2345)
  const { path } = await open('theirs.conf')
  await saveByRename(path, 'x = 2\n')
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('x = 2\n'))
  expect(await stat(there)).toMatchObject({ uid: 1234, gid: 2345 })
})

test('what changed there meanwhile is asked about, and either side can be kept', async () => {
  const { folder, open, until, copies } = await start()
  const there = join(folder, 'train.py')
  await writeFile(there, 'lr = 1\n')
  const { path, id } = await open('train.py')
  await writeFile(there, 'lr = 2\n')
  await saveByRename(path, 'lr = 3\n')
  await until('changed')
  expect(await readFile(there, 'utf8')).toBe('lr = 2\n')
  const asked = await copies.conflict(id)
  expect(asked).toMatchObject({ theirs: { text: 'lr = 2\n' }, mine: 'lr = 3\n', isIncomplete: false })
  expect(await copies.stop(id, false)).toEqual({ kind: 'not-uploaded' })
  // What came after the question is asked about again.
  await writeFile(there, 'lr = 4\n')
  const seen = asked?.theirs.version ?? null
  await copies.answer(id, { kind: 'overwrite', seen })
  await waitFor(async () => expect((await copies.conflict(id))?.theirs.text).toBe('lr = 4\n'))
  await copies.answer(id, { kind: 'keep-theirs' })
  await until('same')
  expect(await readFile(path, 'utf8')).toBe('lr = 4\n')

  await rm(there)
  await saveByRename(path, 'lr = 5\n')
  await until('changed')
  expect((await copies.conflict(id))?.theirs.version).toBeNull()
  await copies.answer(id, { kind: 'overwrite', seen: null })
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('lr = 5\n'))
})

test('a link that is cut midway loses nothing: it’s uploaded when there’s one again', async () => {
  const { address, folder, local } = await startInstance().then(async (instance) => {
    const work = join(instance.remote, 'work')
    await mkdir(work)
    return { ...instance, folder: work }
  })
  const there = join(folder, 'big.txt')
  await writeFile(there, 'short\n')
  const proxy = await startProxy(address)
  let isBack = false
  const regain: Connect = async (...wish) => {
    await waitFor(() => expect(isBack).toBe(true))
    return connectTo(address)(...wish)
  }
  const { open, until } = await openCopies({
    ...{ connect: connectTo(proxy.address), regain, account: local, folder },
  })
  const { path } = await open('big.txt')
  const text = 'x'.repeat(3_000_000)
  proxy.fallSilent(1_000_000)
  const cut = waitFor(() => expect(proxy.isSilent()).toBe(true)).then(proxy.cut)
  await saveByRename(path, text)
  await cut
  await until('waiting')
  expect(await readFile(there, 'utf8')).toBe('short\n')
  isBack = true
  await waitFor(async () => expect((await readFile(there, 'utf8')) === text).toBe(true))
  await until('same')
})

test('what isn’t uploaded is kept over a restart; what is, isn’t', async () => {
  const { folder, open, until, close, left, wish } = await start()
  const [there, other] = [join(folder, 'a.txt'), join(folder, 'b.txt')]
  await writeFile(other, 'b\n')
  await writeFile(there, 'a\n')
  const { path: uploaded } = await open('b.txt')
  const { path } = await open('a.txt')
  await writeFile(there, 'theirs\n')
  await saveByRename(path, 'mine\n')
  await until('changed')
  await close()
  expect(await left()).toHaveLength(1)
  expect(await readFile(path, 'utf8')).toBe('mine\n')

  let isUp = false
  const next = await openCopies({ ...wish, isConnected: () => isUp })
  await waitFor(() => expect(next.copies.latest.value).toHaveLength(1))
  expect(next.state()).toEqual({ kind: 'waiting', problem: null })
  isUp = true
  await next.until('changed')
  const [{ id } = { id: '' }] = next.copies.latest.value
  const seen = (await next.copies.conflict(id))?.theirs.version ?? null
  await next.copies.answer(id, { kind: 'overwrite', seen })
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('mine\n'))
  await next.until('same')
  await next.close()
  expect(await next.left()).toEqual([])

  // A program that was still open has saved once more since.
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'later\n')
  const last = await openCopies(wish)
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('later\n'))
  await waitFor(() => expect(last.copies.latest.value).toHaveLength(1))
  expect(uploaded).not.toBe(path)
})

test('a stranger’s name is made harmless, and what is no file, or too large, isn’t copied', async () => {
  const { folder, open, copies, started } = await start()
  for (const name of ['-rf', '.bashrc', 'evil.desktop', '$(touch x).sh', 'con']) {
    await writeFile(join(folder, name), 'x')
    await open(name)
  }
  expect(started.map((path) => path.slice(dirname(path).length + 1))).toEqual([
    '_rf',
    '_bashrc',
    'evil.desktop.txt',
    '__touch x_.sh',
    '_con.txt',
  ])
  expect(started.every((path) => path.startsWith('/'))).toBe(true)
  const at = (name: string) => ({ instanceId: 1, folder, name })
  await mkdir(join(folder, 'sub'))
  expect(await copies.open(at('sub'))).toEqual({ kind: 'refused', why: 'folder' })
  await writeFile(join(folder, 'huge.txt'), '')
  await truncate(join(folder, 'huge.txt'), 16_000_001)
  expect(await copies.open(at('huge.txt'))).toEqual({ kind: 'refused', why: 'too-long' })
  expect(await copies.open(at('../data/-rf'))).toMatchObject({ problem: { kind: 'bad-name' } })
  expect(await copies.open(at('none'))).toMatchObject({ problem: { kind: 'missing' } })
})

test('nothing but a file counts as the copy, and one that grew too large stays here', async () => {
  const { folder, open, until } = await start()
  const there = join(folder, 'a.txt')
  await writeFile(there, 'a\n')
  const { path } = await open('a.txt')
  await truncate(path, 16_000_001)
  await until('too-long')
  await rm(path)
  const secret = join(await makeFolder(), 'secret')
  await writeFile(secret, 'secret')
  await symlink(secret, path)
  await until('missing')
  expect(await readFile(there, 'utf8')).toBe('a\n')
})
