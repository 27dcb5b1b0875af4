import { existsSync, renameSync } from 'node:fs'
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { TransferFailure } from '#services/files/failure.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { partName } from '#services/files/part-name.ts'
import { outputsFolderName } from '#services/jobs/job-folders.ts'
import { connectTo, localTreeOf, startInstance } from '../instance.ts'
import { fillFolder, openSync, sha256OfTree } from './folders.ts'

async function start() {
  const instance = await startInstance()
  const { sync, push } = openSync(instance)
  return { ...instance, sync, push, there: join(instance.remote, 'code', 'app') }
}

test('300 files are pushed into a folder that is made, and only what differs is sent after that', async () => {
  const { local, there, push } = await start()
  await fillFolder(local, 300)
  await mkdir(join(local, 'empty'))
  expect(await push({ remote: '~/code/app' })).toMatchObject({ kind: 'done', files: 300, skippedCount: 0 })
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))
  expect(await readdir(join(there, 'empty'))).toEqual([])

  await writeFile(join(local, 'new.txt'), 'new')
  await writeFile(join(local, 'folder-3', 'file-3.txt'), 'another text')
  expect(await push({ remote: '~/code/app' })).toMatchObject({ kind: 'done', files: 2, bytes: 15 })
  expect(await push({ remote: there })).toMatchObject({ kind: 'done', files: 0, bytes: 0 })
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))
})

test('what patterns and .gitignore files name stays here, and patterns have the last word', async () => {
  const { local, there, push } = await start()
  for (const name of ['a.log', 'b.log', 'c.bin', '.env']) await writeFile(join(local, name), name)
  await mkdir(join(local, '.git'))
  await mkdir(join(local, 'out'))
  await writeFile(join(local, 'out', 'x'), 'x')
  await writeFile(join(local, '.gitignore'), '*.log\n!b.log\n')
  const remote = 'code/app'
  await push({ remote, honorGitignore: true, excludes: ['.env', '/out/', 'b.log'] })
  expect((await readdir(there)).toSorted()).toEqual(['.gitignore', 'c.bin'])
  await push({ remote, honorGitignore: false, excludes: ['.env'] })
  expect((await readdir(there)).toSorted()).toEqual([
    ...['.git', '.gitignore', 'a.log', 'b.log', 'c.bin', 'out'],
  ])
})

test('in a repository, .gitignore files above the folder count, but for lines that name the folder itself', async () => {
  const { local, there, push } = await start()
  const chosen = join(local, 'parts', 'chosen')
  await mkdir(join(chosen, 'src'), { recursive: true })
  for (const path of ['.env', 'a.log', 'src/b.tmp', 'src/main.py']) await writeFile(join(chosen, path), path)
  await writeFile(join(local, '.gitignore'), '.env\n/parts/*/src/*.tmp\n/parts/\n')
  await writeFile(join(local, 'parts', '.gitignore'), '/chosen/\n*.log\n')
  const order = { remote: there, local: chosen, honorGitignore: true }
  await push(order)
  const all = ['.env', 'a.log', 'src', 'src/b.tmp', 'src/main.py']
  expect((await readdir(there, { recursive: true })).toSorted()).toEqual(all)

  await rm(there, { recursive: true })
  await mkdir(join(local, '.git'))
  await push(order)
  expect((await readdir(there, { recursive: true })).toSorted()).toEqual(['src', 'src/main.py'])
})

test('half files of downloads and outputs of jobs stay here', async () => {
  const { local, there, push } = await start()
  const half = partName('data.csv', { path: '/x', size: 1, modifiedAt: 1 })
  for (const path of [half, 'part.part', '.a.part']) await writeFile(join(local, path), path)
  await mkdir(join(local, outputsFolderName))
  await writeFile(join(local, outputsFolderName, 'result'), 'x')
  await push({ remote: there })
  expect((await readdir(there)).toSorted()).toEqual(['.a.part', 'part.part'])
})

test('what differs there is replaced, what is only there stays, and a link there is not followed', async () => {
  const { local, remote, there, push } = await start()
  await mkdir(join(local, 'data'))
  for (const path of ['data/a', 'b']) await writeFile(join(local, path), 'ours')
  await mkdir(there, { recursive: true })
  const outside = join(remote, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'a'), 'not to be touched')
  await symlink(outside, join(there, 'data'))
  await writeFile(join(there, 'b'), 'theirs, and longer')
  await writeFile(join(there, 'only there'), '')
  expect(await push({ remote: there })).toMatchObject({
    files: 1,
    skipped: [{ path: 'data', reason: { kind: 'other-kind', taken: 'link' } }],
  })
  expect(await readFile(join(there, 'b'), 'utf8')).toBe('ours')
  expect(await readFile(join(outside, 'a'), 'utf8')).toBe('not to be touched')
  expect((await readdir(there)).toSorted()).toEqual(['b', 'data', 'only there'])
})

test('what can’t be sent is named before any number of links, and counted by itself', async () => {
  const { local, there, push } = await start()
  await mkdir(join(there, 'zoo'), { recursive: true })
  for (let index = 0; index < 120; index += 1) await symlink('nothing', join(local, `link-${index}`))
  await writeFile(join(local, 'zoo'), 'a folder has this name there')
  const outcome = await push({ remote: there })
  if (outcome.kind !== 'done') return expect.unreachable()
  expect(outcome).toMatchObject({ files: 0, skippedCount: 121, unsentCount: 1 })
  expect(outcome.skipped).toHaveLength(100)
  expect(outcome.skipped.slice(0, 2)).toMatchObject([
    { path: 'zoo', reason: { kind: 'other-kind', taken: 'folder' } },
    { reason: { kind: 'link' } },
  ])
})

test('a push whose link is lost goes on when there is one again', async () => {
  const instance = await startInstance()
  const { local, address } = instance
  await fillFolder(local, 400)
  const connect = connectTo(address)
  let cut: (() => void) | null = null
  const once = async (id: number, signal: AbortSignal) => {
    const connection = await connect(id, signal)
    cut = () => connection.client.destroy()
    return connection
  }
  const progress: string[] = []
  const { push } = openSync({ ...instance, acquire: once, regain: connect })
  const outcome = await push({
    remote: 'app',
    onProgress: (now) => {
      progress.push(now.kind)
      if (now.kind === 'copying' && now.filesDone === 100) cut?.()
    },
  })
  // Of what was under way when the link was lost nobody heard whether it arrived.
  expect(outcome.kind === 'done' && outcome.files).toBeGreaterThan(370)
  expect(progress).toContain('reconnecting')
  expect(await sha256OfTree(join(instance.remote, 'app'))).toEqual(await sha256OfTree(local))
})

test('a file that is written while it is sent is sent again', async () => {
  const { local, there, push } = await start()
  await writeFile(join(local, 'big'), Buffer.alloc(8 * 1024 * 1024, 1))
  const next = `${local}-next`
  await writeFile(next, Buffer.alloc(8 * 1024 * 1024, 2))
  const outcome = await push({
    remote: there,
    onProgress: (now) => {
      // At once: a push that goes on for long while a disk is slow would send it half, and give up in the end.
      if (now.kind === 'copying' && now.bytesDone > 0 && existsSync(next))
        renameSync(next, join(local, 'big'))
    },
  })
  expect(outcome).toMatchObject({ kind: 'done', files: 1 })
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))
})

test('one that can’t be read any more when it’s to be sent again is named, and folders are as here', async () => {
  const instance = await startInstance()
  const { local } = instance
  const there = join(instance.remote, 'app')
  await mkdir(join(local, 'data'))
  for (const name of ['a', 'b']) await writeFile(join(local, 'data', name), name)
  await chmod(join(local, 'data'), 0o700)
  const tree = localTreeOf(local)
  const opened = new Set<string>()
  const localTree: FileTree = {
    ...tree,
    openToRead: async (path) => {
      if (opened.has(path)) throw new TransferFailure({ kind: 'denied', side: 'local', path })
      opened.add(path)
      const reader = await tree.openToRead(path)
      // Written while it's sent.
      await utimes(path, 1_600_000_000, 1_600_000_000)
      return reader
    },
    find: (path) => {
      if (path.endsWith('b') && opened.size > 0)
        throw new TransferFailure({ kind: 'denied', side: 'local', path })
      return tree.find(path)
    },
  }
  const { push } = openSync({ ...instance, localTree })
  const outcome = await push({ remote: there })
  expect(outcome).toMatchObject({ kind: 'done', files: 2, unsentCount: 2 })
  expect((await readdir(join(there, 'data'))).toSorted()).toEqual(['a', 'b'])
  expect((await stat(join(there, 'data'))).mode & 0o777).toBe(0o700)
})

test('one that is stopped ends with its reason, and a later one sends what is missing', async () => {
  const { local, there, sync, push } = await start()
  await fillFolder(local, 300)
  const own = new AbortController()
  const reason = new Error('enough')
  const stopped = push({
    remote: there,
    signal: own.signal,
    onProgress: (now) => {
      if (now.kind === 'copying' && now.filesDone === 50) own.abort(reason)
    },
  })
  await expect(stopped).rejects.toBe(reason)
  expect(sync.connected).toEqual([])
  const rest = await push({ remote: there })
  expect(rest.kind === 'done' && rest.files).toBeLessThan(260)
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))
})

test('times are taken over, and a folder that is a file there is told', async () => {
  const { local, there, push } = await start()
  await writeFile(join(local, 'a'), 'a')
  await utimes(join(local, 'a'), 1_600_000_000.7, 1_600_000_000.7)
  await push({ remote: there })
  expect((await stat(join(there, 'a'))).mtimeMs).toBe(1_600_000_000_000)
  expect(await push({ remote: there })).toMatchObject({ files: 0 })

  const file = join(there, 'a', 'deeper')
  expect(await push({ remote: file })).toEqual({
    kind: 'failed',
    problem: { kind: 'taken', side: 'remote', name: 'a' },
  })
  await rm(local, { recursive: true })
  expect(await push({ remote: there })).toMatchObject({ problem: { kind: 'missing', side: 'local' } })
})

test('a connection that is refused is how it failed', async () => {
  const { local } = await startInstance()
  const nowhere: SshAddress = { host: '127.0.0.1', port: 1 }
  const { push } = openSync({ local, address: nowhere })
  expect(await push({ remote: 'app' })).toMatchObject({
    kind: 'failed',
    problem: { kind: 'connection', problem: { kind: 'refused' } },
  })
})
