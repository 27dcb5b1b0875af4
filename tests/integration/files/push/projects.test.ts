import { mkdir, readFile, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localTreeOf, startInstance } from '../instance.ts'
import { fillFolder, sha256OfTree } from './folders.ts'
import { listOf, makeDisk, nothingHeld, openProjects } from './project.ts'

async function start(draft: { readonly removeGone?: boolean } = {}) {
  const instance = await startInstance()
  const opened = await openProjects(instance)
  const { id } = await opened.save(draft)
  return { ...instance, ...opened, id, there: join(instance.remote, 'app') }
}

test('a review names what is new, changed and gone, and changes nothing', async () => {
  const { id, local, there, review, push } = await start()
  await mkdir(join(local, 'src'))
  for (const path of ['src/a.py', 'src/b.py', 'c.txt']) await writeFile(join(local, path), path)
  expect(await review(id)).toMatchObject({
    kind: 'reviewed',
    counts: { new: { files: 3, bytes: 21 }, changed: { files: 0 } },
  })
  await expect(readdir(there)).rejects.toThrow('ENOENT')
  expect(await push(id)).toMatchObject({ last: { files: 3, removed: 0 }, heldBack: nothingHeld })
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))

  await writeFile(join(local, 'c.txt'), 'changed')
  await rename(join(local, 'src', 'a.py'), join(local, 'src', 'renamed.py'))
  expect(await review(id)).toMatchObject({
    named: [
      { kind: 'gone', path: 'src/a.py', size: 8 },
      { kind: 'new', path: 'src/renamed.py' },
      { kind: 'changed', path: 'c.txt', size: 7, sizeThere: 5 },
    ],
  })
  expect(await push(id)).toMatchObject({ last: { files: 2, removed: 0 } })
  expect((await readdir(join(there, 'src'))).toSorted()).toEqual(['a.py', 'b.py', 'renamed.py'])
})

test('5,000 files whose push is broken off midway are equal after the next one, and after renames', async () => {
  const instance = await startInstance()
  const { local } = instance
  const disk = await makeDisk()
  await fillFolder(local, 5_000)
  const first = await openProjects({ ...instance, disk })
  const { id } = await first.save({ removeGone: true })
  first.projects.push(id, { replace: [], remove: [], keep: [] })
  await first.until(({ phase }) => phase.kind === 'pushing' && phase.filesDone > 1_000)
  await first.projects.dispose()

  const second = await openProjects({ ...instance, disk })
  expect(await second.push(id)).toMatchObject({ phase: { kind: 'idle' }, heldBack: nothingHeld })
  const there = join(instance.remote, 'app')
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))
  for (let index = 0; index < 20; index += 1)
    await rename(join(local, `folder-${index}`), join(local, `moved-${index}`))
  const found = await second.review(id)
  const gone = found.kind === 'reviewed' ? found.named.filter(({ kind }) => kind === 'gone') : []
  expect(await second.push(id, { remove: gone.map(({ path }) => path) })).toMatchObject({
    ...{ phase: { kind: 'idle' }, last: { files: 1_000, removed: 1_000 } },
  })
  expect(await sha256OfTree(there)).toEqual(await sha256OfTree(local))
  expect(await readdir(there)).not.toContain('folder-0')
  expect(await second.review(id)).toMatchObject({ named: [], folders: 0 })
}, 400_000)

/** A hole of 1 GiB: to send it takes seconds on any machine, so that a push of it can be broken off. */
async function makeBig(path: string): Promise<void> {
  await writeFile(path, '')
  await truncate(path, 1024 * 1024 * 1024)
}

test('a half file of a push that was broken off is removed once its source is another one', async () => {
  const instance = await startInstance()
  const { local } = instance
  const disk = await makeDisk()
  await makeBig(join(local, 'big'))
  const first = await openProjects({ ...instance, disk })
  const { id } = await first.save({})
  first.projects.push(id, { replace: [], remove: [], keep: [] })
  await first.until(({ phase }) => phase.kind === 'pushing' && phase.bytesDone > 0)
  await first.projects.dispose()
  const there = join(instance.remote, 'app')
  expect(await readdir(there)).toEqual([expect.stringMatching(/^\.big\.[0-9a-f]{12}\.part$/)])

  await rename(join(local, 'big'), join(local, 'renamed'))
  await writeFile(join(local, 'renamed'), 'short')
  const second = await openProjects({ ...instance, disk })
  await second.push(id)
  expect(await readdir(there)).toEqual(['renamed'])
})

test('a half file of a push that was broken off is removed once both sides are rid of the file', async () => {
  const instance = await startInstance()
  const { local } = instance
  const there = join(instance.remote, 'app')
  const disk = await makeDisk()
  for (const name of ['big', 'a']) await writeFile(join(local, name), name)
  const first = await openProjects({ ...instance, disk })
  const { id } = await first.save({})
  await first.push(id)
  await makeBig(join(local, 'big'))
  first.projects.push(id, { replace: [], remove: [], keep: [] })
  await first.until(({ phase }) => phase.kind === 'pushing' && phase.bytesDone > 0)
  await first.projects.dispose()
  expect(await readdir(there)).toHaveLength(3)

  await Promise.all([rm(join(local, 'big')), rm(join(there, 'big'))])
  const second = await openProjects({ ...instance, disk })
  await second.review(id)
  await second.push(id)
  expect(await readdir(there)).toEqual(['a'])
})

test('projects whose folders there overlap are refused', async () => {
  const { id, save } = await start()
  for (const remote of ['app', '~/app/', '~/app/data', '~'])
    await expect(save({ remote })).rejects.toMatchObject({
      problem: { kind: 'invalid-input', field: 'remote' },
    })
  await save({ remote: '~/apples' })
  await save({ remote: 'app', instanceId: 2 })
  await save({ id, remote: '~/app/data' })
})

test('projects that overlap already can be changed, but for their folders there', async () => {
  const instance = await startInstance()
  const disk = await makeDisk()
  const first = await openProjects({ ...instance, disk })
  const { id } = await first.save({})
  await first.projects.dispose()
  await disk.file.update((all) => [
    ...all,
    ...all.map((one) => ({ ...one, id: 'older', remote: '~/app/data' })),
  ])
  const { save } = await openProjects({ ...instance, disk })
  expect(await save({ id, excludes: ['*.log'] })).toEqual({ id })
  await expect(save({ id, remote: '~/app/data/deep' })).rejects.toMatchObject({
    problem: { kind: 'invalid-input', field: 'remote' },
  })
})

test('push on save that a push begins while its project is changed ends with it', async () => {
  const instance = await startInstance()
  const { local } = instance
  const disk = await makeDisk()
  const reached = Promise.withResolvers<null>()
  const gate = Promise.withResolvers<null>()
  // Writes down how the push ended only when the project is being changed.
  const file: typeof disk.file = {
    ...disk.file,
    get value() {
      return disk.file.value
    },
    update: async (change) => {
      if (disk.file.value.length > 0) {
        reached.resolve(null)
        await gate.promise
      }
      return disk.file.update(change)
    },
  }
  const tree = localTreeOf(local)
  let looks = 0
  const resolve = (path: string): Promise<string> => {
    looks += 1
    return tree.resolve(path)
  }
  const { projects, save } = await openProjects({
    ...{ ...instance, disk: { ...disk, file }, localTree: { ...tree, resolve } },
  })
  const { id } = await save({ pushOnSave: true })
  await writeFile(join(local, 'a'), 'a')
  projects.push(id, { replace: [], remove: [], keep: [] })
  await reached.promise
  const saved = save({ id, pushOnSave: false })
  gate.resolve(null)
  await saved
  const before = looks
  await writeFile(join(local, 'a'), 'changed')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(looks).toBe(before)
})

test('what is gone here is deleted there where that is wanted, and nothing that no push has sent', async () => {
  const { id, local, there, review, push } = await start({ removeGone: true })
  await mkdir(join(local, 'old'))
  for (const path of ['old/a', 'old/b', 'stays', 'edited']) await writeFile(join(local, path), path)
  await push(id)
  await writeFile(join(there, 'edited'), 'edited on the instance')
  await writeFile(join(there, 'only there'), 'result')
  await rm(join(local, 'old'), { recursive: true })
  await rm(join(local, 'edited'))
  // Without the user's word after a review nothing is deleted.
  const remove = ['old/a', 'old/b', 'edited', 'only there']
  expect(await push(id, { remove })).toMatchObject({ last: { removed: 0 } })
  expect(await review(id)).toMatchObject({ counts: { gone: { files: 2 }, conflict: { files: 0 } } })
  expect(await push(id, { remove })).toMatchObject({ last: { files: 0, removed: 2 } })
  expect((await readdir(there)).toSorted()).toEqual(['edited', 'only there', 'stays'])
  expect(await readFile(join(there, 'edited'), 'utf8')).toBe('edited on the instance')
})

test('what is gone here may be left there, and is put back without being deleted', async () => {
  const { id, local, there, review, push } = await start({ removeGone: true })
  for (const path of ['a', 'b', 'c']) await writeFile(join(local, path), path)
  await push(id)
  for (const path of ['a', 'b']) await rm(join(local, path))
  expect(await review(id)).toMatchObject({ isManyGone: true, counts: { gone: { files: 2 } } })
  await writeFile(join(local, 'b'), 'b')
  expect(await push(id, { remove: ['b'], keep: ['a'] })).toMatchObject({ last: { removed: 0 } })
  expect((await readdir(there)).toSorted()).toEqual(['a', 'b', 'c'])
  expect(await review(id)).toMatchObject({ named: [] })
})

test('an edit on the instance survives until the user gives it up', async () => {
  const { id, local, there, review, push } = await start()
  for (const name of ['a', 'b', 'c']) await writeFile(join(local, name), 'first')
  await push(id)
  for (const name of ['a', 'b']) await writeFile(join(there, name), 'edited there')
  for (const name of ['a', 'b']) await writeFile(join(local, name), 'edited here, too')
  await writeFile(join(there, 'c'), 'edited only there')
  expect(await review(id)).toMatchObject({
    counts: { conflict: { files: 2 }, 'changed-there': { files: 1 } },
    named: [{ kind: 'conflict', path: 'a' }, { path: 'b' }, { kind: 'changed-there', path: 'c' }],
  })
  expect(await push(id)).toMatchObject({ heldBack: { conflict: 2 }, last: { files: 0 } })
  expect(await readFile(join(there, 'a'), 'utf8')).toBe('edited there')

  await review(id)
  await writeFile(join(there, 'a'), 'edited there once more')
  expect(await push(id, { replace: ['a', 'b'], keep: ['c'] })).toMatchObject({
    heldBack: { conflict: 1 },
  })
  expect(await readFile(join(there, 'a'), 'utf8')).toBe('edited there once more')
  expect(await readFile(join(there, 'b'), 'utf8')).toBe('edited here, too')
  expect(await readFile(join(there, 'c'), 'utf8')).toBe('edited only there')
  // What was kept is asked about once it changes here.
  expect(await review(id)).toMatchObject({
    counts: { conflict: { files: 1 }, 'changed-there': { files: 0 } },
  })
  await writeFile(join(local, 'c'), 'and here')
  expect(await review(id)).toMatchObject({ counts: { conflict: { files: 2 } } })
})

test('what was there before the first push is asked about unless it is equal; nothing goes over a link', async () => {
  const { id, local, remote, there, review, push } = await start()
  await mkdir(join(local, 'data'))
  await writeFile(join(local, 'data', 'x'), 'x')
  await writeFile(join(local, 'config'), 'mine')
  await mkdir(join(remote, 'outside'))
  await mkdir(there)
  await symlink(join(remote, 'outside'), join(there, 'data'))
  await writeFile(join(there, 'config'), 'theirs')
  expect(await review(id)).toMatchObject({
    counts: { conflict: { files: 1 }, new: { files: 0 } },
    skipped: 1,
  })
  await push(id)
  expect(await readFile(join(there, 'config'), 'utf8')).toBe('theirs')
  expect(await readdir(join(remote, 'outside'))).toEqual([])
})

test('a project with other folders begins anew, and the project of an instance that is gone is forgotten', async () => {
  const { id, local, snapshot, projects, disk, save, push } = await start()
  await writeFile(join(local, 'a'), 'a')
  await push(id)
  const other = await save({ id, remote: '~/other' })
  expect(other.id).not.toBe(id)
  expect(await readdir(disk.folder)).toEqual([])
  snapshot.set(listOf('running', [2]))
  await expect.poll(() => projects.state.value).toEqual([])
  expect(disk.file.value).toEqual([])
})
