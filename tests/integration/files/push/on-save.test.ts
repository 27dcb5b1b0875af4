import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listOf, nothingHeld } from './project.ts'
import { startOnSave as start } from './saved.ts'

test('what is saved is pushed: edits, new folders, renames; and what is ignored asks nothing of the instance', async () => {
  const { local, there, open, read, attempts } = await start()
  await writeFile(join(local, '.gitignore'), '*.log\n')
  await writeFile(join(local, 'a.py'), 'one')
  const { saveReviewed, until } = await open()
  await saveReviewed()

  await writeFile(join(local, 'a.py'), 'two')
  await expect.poll(() => read('a.py')).toBe('two')
  await mkdir(join(local, 'new', 'deep'), { recursive: true })
  await writeFile(join(local, 'new', 'deep', 'b.py'), 'b')
  await expect.poll(() => read('new/deep/b.py')).toBe('b')
  await writeFile(join(local, 'new', 'deep', 'b.py'), 'and again')
  await expect.poll(() => read('new/deep/b.py')).toBe('and again')
  await rename(join(local, 'new'), join(local, 'moved'))
  await expect.poll(() => read('moved/deep/b.py')).toBe('and again')
  // A folder in the place of one that was watched.
  await mkdir(join(local, 'new'))
  await writeFile(join(local, 'new', 'c.py'), 'c')
  await expect.poll(() => read('new/c.py')).toBe('c')
  await writeFile(join(local, 'new', 'c.py'), 'c2')
  await expect.poll(() => read('new/c.py')).toBe('c2')

  await until(({ phase }) => phase.kind === 'idle')
  const before = attempts()
  await writeFile(join(local, 'x.log'), 'x')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(attempts()).toBe(before)
  expect(await readdir(there)).not.toContain('x.log')
})

test('an edit on the instance is held back, and what else was saved is pushed', async () => {
  const { local, there, open, read } = await start()
  for (const name of ['a', 'b']) await writeFile(join(local, name), 'first')
  const { saveReviewed, until, review, push } = await open()
  const id = await saveReviewed()
  await writeFile(join(there, 'a'), 'edited on the instance')
  for (const name of ['a', 'b']) await writeFile(join(local, name), 'edited here')
  await expect.poll(() => read('b')).toBe('edited here')
  await until(({ heldBack }) => heldBack.conflict === 1)
  expect(await read('a')).toBe('edited on the instance')

  await review(id)
  expect(await push(id, { replace: ['a'] })).toMatchObject({ heldBack: nothingHeld })
  expect(await read('a')).toBe('edited here')
})

test('it goes on after a lost connection, and with the next start of Slipway', async () => {
  const { local, open, read, cut } = await start()
  await writeFile(join(local, 'a'), '1')
  const first = await open()
  await first.saveReviewed()
  cut()
  await writeFile(join(local, 'a'), '22')
  await expect.poll(() => read('a')).toBe('22')
  await first.projects.dispose()

  await writeFile(join(local, 'a'), '333')
  await open()
  await expect.poll(() => read('a')).toBe('333')
})

test('it waits until the instance runs, and tries nothing before', async () => {
  const { local, open, read, attempts } = await start()
  await writeFile(join(local, 'a'), 'a')
  const { saveReviewed, until, snapshot } = await open()
  await saveReviewed()
  const before = attempts()
  snapshot.set(listOf('exited'))
  await writeFile(join(local, 'a'), 'later')
  await until(({ phase }) => phase.kind === 'waiting')
  snapshot.set(listOf('exited'))
  expect(attempts()).toBe(before)
  snapshot.set(listOf('running'))
  await expect.poll(() => read('a')).toBe('later')
  await until(({ phase }) => phase.kind === 'idle')
})

test('what the user canceled isn’t begun again before something else changes', async () => {
  const { local, there, way, open, read } = await start()
  await writeFile(join(local, '.gitignore'), '*.log\n')
  const { saveReviewed, until, projects } = await open()
  const id = await saveReviewed()
  // Whole at once: each more of it would be another change.
  await writeFile(`${local}-big`, Buffer.alloc(64 * 1024 * 1024))
  way.fallSilent(32 * 1024 * 1024)
  await rename(`${local}-big`, join(local, 'big'))
  await until(({ phase }) => phase.kind === 'pushing')
  await expect.poll(way.isSilent).toBe(true)
  way.goOn()
  projects.cancel(id)
  await until(({ phase }) => phase.kind === 'idle')
  for (let time = 0; time < 3; time += 1) {
    await writeFile(join(local, 'x.log'), 'x')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  expect(await readdir(there)).toEqual(['.gitignore'])
  await writeFile(join(local, 'a'), 'a')
  await expect.poll(() => read('a')).toBe('a')
  await expect.poll(() => readdir(there)).toEqual(['.gitignore', 'a', 'big'])
})

test('what waits for a lost connection can be canceled, and isn’t begun again before something else changes', async () => {
  const { local, way, open, read, cut, attempts } = await start()
  const { saveReviewed, until, projects } = await open()
  const id = await saveReviewed()
  await writeFile(`${local}-big`, Buffer.alloc(64 * 1024 * 1024))
  way.fallSilent(32 * 1024 * 1024)
  await rename(`${local}-big`, join(local, 'big'))
  await until(({ phase }) => phase.kind === 'pushing')
  await expect.poll(way.isSilent).toBe(true)
  way.heal()
  cut()
  await until(({ phase }) => phase.kind === 'reconnecting')
  projects.cancel(id)
  await until(({ phase }) => phase.kind === 'idle')
  const before = attempts()
  // Longer than the pause.
  await new Promise((resolve) => setTimeout(resolve, 6_500))
  expect(attempts()).toBe(before)
  expect(projects.state.value).toMatchObject([{ phase: { kind: 'idle' } }])
  await writeFile(join(local, 'a'), 'a')
  await expect.poll(() => read('a')).toBe('a')
  await expect.poll(async () => (await read('big'))?.length).toBe(64 * 1024 * 1024)
})

test('a folder that is not here is told', async () => {
  const { local, open } = await start()
  const { saveReviewed, until } = await open()
  await saveReviewed()
  await rm(local, { recursive: true })
  expect(await until(({ phase }) => phase.kind === 'failed')).toMatchObject({
    phase: { problem: { kind: 'missing', side: 'local' } },
  })
})
