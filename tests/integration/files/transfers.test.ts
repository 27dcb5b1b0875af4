import { createHash, randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTransfers, startInstance } from './instance.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const longAgo = new Date('2021-03-04T05:06:07Z')

const sha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

async function start() {
  const instance = await startInstance()
  return { ...instance, ...openTransfers(instance) }
}

describe('a file', () => {
  test('of 40 MiB arrives whole, with its permissions and its time', async () => {
    const { local, remote, run } = await start()
    const source = join(remote, 'model.bin')
    await writeFile(source, randomBytes(40 * 1024 * 1024 + 123))
    await chmod(source, 0o640)
    await utimes(source, longAgo, longAgo)
    const { phase, progress } = await run({
      direction: 'download',
      from: remote,
      names: ['model.bin'],
      to: local,
    })
    expect(phase).toEqual({ kind: 'done' })
    expect(progress).toMatchObject({ files: 1, filesDone: 1, bytesDone: 40 * 1024 * 1024 + 123 })
    const target = join(local, 'model.bin')
    expect(await sha256(target)).toBe(await sha256(source))
    const { mode, mtimeMs } = await lstat(target)
    expect(mode & 0o777).toBe(0o640)
    expect(mtimeMs).toBe(longAgo.getTime())
    expect(await readdir(local)).toEqual(['model.bin'])
  })

  test('of 40 MiB is sent whole, with its permissions and its time', async () => {
    const { local, remote, run } = await start()
    const source = join(local, 'data.bin')
    await writeFile(source, randomBytes(40 * 1024 * 1024 + 123))
    await chmod(source, 0o755)
    await utimes(source, longAgo, longAgo)
    await mkdir(join(remote, 'in'))
    const { phase } = await run({ direction: 'upload', from: local, names: ['data.bin'], to: 'in' })
    expect(phase).toEqual({ kind: 'done' })
    const target = join(remote, 'in', 'data.bin')
    expect(await sha256(target)).toBe(await sha256(source))
    const { mode, mtimeMs } = await lstat(target)
    expect(mode & 0o777).toBe(0o755)
    expect(mtimeMs).toBe(longAgo.getTime())
    expect(await readdir(join(remote, 'in'))).toEqual(['data.bin'])
  })

  test('that is empty is copied too', async () => {
    const { local, remote, run } = await start()
    await writeFile(join(remote, 'empty'), '')
    await run({ direction: 'download', from: remote, names: ['empty'], to: local })
    expect((await lstat(join(local, 'empty'))).size).toBe(0)
  })

  test('that is not there any more is named', async () => {
    const { local, remote, run } = await start()
    expect(await run({ direction: 'download', from: remote, names: ['gone'], to: local })).toMatchObject({
      phase: { kind: 'failed', problem: { kind: 'missing', side: 'remote', path: join(remote, 'gone') } },
    })
  })
})

describe('a folder', () => {
  async function makeTree(root: string): Promise<void> {
    await mkdir(join(root, 'project', 'src', 'deep'), { recursive: true })
    await mkdir(join(root, 'project', 'none'))
    await writeFile(join(root, 'project', 'README'), 'read me')
    for (let index = 0; index < 60; index += 1)
      await writeFile(join(root, 'project', 'src', `ünïcode ${index}.txt`), `number ${index}`)
    await writeFile(join(root, 'project', 'src', 'deep', 'x'), 'x')
    await chmod(join(root, 'project', 'src'), 0o750)
    await utimes(join(root, 'project', 'src'), longAgo, longAgo)
  }

  async function expectTree(root: string): Promise<void> {
    expect((await readdir(join(root, 'project'))).sort()).toEqual(['README', 'none', 'src'])
    expect(await readdir(join(root, 'project', 'src'))).toHaveLength(61)
    expect(await readFile(join(root, 'project', 'src', 'ünïcode 59.txt'), 'utf8')).toBe('number 59')
    expect(await readFile(join(root, 'project', 'src', 'deep', 'x'), 'utf8')).toBe('x')
    const { mode, mtimeMs } = await lstat(join(root, 'project', 'src'))
    expect(mode & 0o777).toBe(0o750)
    expect(mtimeMs).toBe(longAgo.getTime())
  }

  test('comes with all that is in it', async () => {
    const { local, remote, run } = await start()
    await makeTree(remote)
    const { phase, progress } = await run({ direction: 'download', from: '.', names: ['project'], to: local })
    expect(phase).toEqual({ kind: 'done' })
    expect(progress.filesDone).toBe(62)
    await expectTree(local)
  })

  test('is sent with all that is in it', async () => {
    const { local, remote, run } = await start()
    await makeTree(local)
    expect((await run({ direction: 'upload', from: local, names: ['project'], to: '.' })).phase).toEqual({
      kind: 'done',
    })
    await expectTree(remote)
  })

  test('is merged into one that is there; links in it are left out and told', async () => {
    const { local, remote, run } = await start()
    await mkdir(join(remote, 'a', 'b'), { recursive: true })
    await writeFile(join(remote, 'a', 'b', 'new'), 'new')
    await symlink('/etc/passwd', join(remote, 'a', 'passwd'))
    await mkdir(join(local, 'a', 'b'), { recursive: true })
    await writeFile(join(local, 'a', 'b', 'old'), 'old')
    expect(await run({ direction: 'download', from: remote, names: ['a'], to: local })).toMatchObject({
      phase: { kind: 'done' },
      skipped: [{ path: 'a/passwd', reason: { kind: 'link' } }],
    })
    expect((await readdir(join(local, 'a', 'b'))).sort()).toEqual(['new', 'old'])
    expect(await readdir(join(local, 'a'))).toEqual(['b'])
  })

  test('is never written through a link of this computer', async () => {
    const { local, remote, run } = await start()
    await mkdir(join(remote, 'a', 'b'), { recursive: true })
    await writeFile(join(remote, 'a', 'b', 'file'), 'from the server')
    await mkdir(join(local, 'elsewhere'))
    await mkdir(join(local, 'a'))
    await symlink(join(local, 'elsewhere'), join(local, 'a', 'b'))
    expect(await run({ direction: 'download', from: remote, names: ['a'], to: local })).toMatchObject({
      skipped: [{ path: 'a/b', reason: { kind: 'other-kind', taken: 'link' } }],
    })
    expect(await readdir(join(local, 'elsewhere'))).toEqual([])
  })

  test('is sent without what .gitignore files name, on request', async () => {
    const { local, remote, transfers, over } = await start()
    const root = join(local, 'app')
    for (const folder of ['.git', 'node_modules/x', 'src/logs'])
      await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, '.gitignore'), 'node_modules/\n*.log\n')
    await writeFile(join(root, 'src', '.gitignore'), '!keep.log\n/only-here\n')
    for (const file of [
      '.git/HEAD',
      'node_modules/x/index.js',
      'out.log',
      'only-here',
      'src/main.ts',
      'src/only-here',
      'src/keep.log',
      'src/logs/a.log',
      'src/logs/keep.log',
    ])
      await writeFile(join(root, file), file)
    const { id } = transfers.start({
      ...placesFor('upload'),
      from: local,
      names: ['app'],
      to: '.',
      honorGitignore: true,
    })
    expect((await over(id)).phase).toEqual({ kind: 'done' })
    const sent = await readdir(join(remote, 'app'), { recursive: true })
    expect(sent.sort()).toEqual([
      '.gitignore',
      'only-here',
      'src',
      'src/.gitignore',
      'src/keep.log',
      'src/logs',
      'src/logs/keep.log',
      'src/main.ts',
    ])
  })
})

describe('names that are taken', () => {
  async function startWithConflicts() {
    const world = await start()
    const { local, remote, transfers } = world
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(remote, name), `new ${name}`)
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(local, name), 'old')
    await utimes(join(local, 'a.txt'), longAgo, longAgo)
    await utimes(join(remote, 'b.txt'), longAgo, longAgo)
    const { id } = transfers.start({
      ...placesFor('download'),
      from: remote,
      names: ['a.txt', 'b.txt', 'c.txt'],
      to: local,
      honorGitignore: false,
    })
    const { phase } = await world.until(id, (transfer) => transfer.phase.kind === 'asking')
    expect(phase).toEqual({ kind: 'asking', count: 2, paths: ['a.txt', 'b.txt'] })
    const contents = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        await Promise.all(
          (await readdir(local)).map(
            async (name) => [name, await readFile(join(local, name), 'utf8')] as const,
          ),
        ),
      )
    return { ...world, id, contents }
  }

  test('are asked about once; nothing is written before', async () => {
    const { contents, transfers, id, over } = await startWithConflicts()
    expect(await contents()).toEqual({ 'a.txt': 'old', 'b.txt': 'old' })
    transfers.cancel(id)
    expect((await over(id)).phase.kind).toBe('cancelled')
    expect(await contents()).toEqual({ 'a.txt': 'old', 'b.txt': 'old' })
  })

  test.for([
    ['replace', { 'a.txt': 'new a.txt', 'b.txt': 'new b.txt', 'c.txt': 'new c.txt' }],
    ['replace-older', { 'a.txt': 'new a.txt', 'b.txt': 'old', 'c.txt': 'new c.txt' }],
    ['skip', { 'a.txt': 'old', 'b.txt': 'old', 'c.txt': 'new c.txt' }],
    [
      'keep-both',
      {
        'a.txt': 'old',
        'a (2).txt': 'new a.txt',
        'b.txt': 'old',
        'b (2).txt': 'new b.txt',
        'c.txt': 'new c.txt',
      },
    ],
  ] as const)('%s', async ([choice, expected]) => {
    const { contents, transfers, id, over } = await startWithConflicts()
    transfers.answer(id, choice)
    expect((await over(id)).phase).toEqual({ kind: 'done' })
    expect(await contents()).toEqual(expected)
  })

  test('by the same file as before are not asked about', async () => {
    const { local, remote, run } = await start()
    await writeFile(join(remote, 'same'), 'same')
    const order = { direction: 'download', from: remote, names: ['same'], to: local } as const
    await run(order)
    expect((await run(order)).phase).toEqual({ kind: 'done' })
  })

  test('on the instance are replaced there', async () => {
    const { local, remote, transfers, until, over } = await start()
    await writeFile(join(local, 'config'), 'new')
    await writeFile(join(remote, 'config'), 'the old one')
    const { id } = transfers.start({
      ...placesFor('upload'),
      from: local,
      names: ['config'],
      to: '.',
      honorGitignore: false,
    })
    await until(id, ({ phase }) => phase.kind === 'asking')
    transfers.answer(id, 'replace')
    await over(id)
    expect(await readFile(join(remote, 'config'), 'utf8')).toBe('new')
  })
})
