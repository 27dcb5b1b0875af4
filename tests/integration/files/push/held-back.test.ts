import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nothingHeld } from './project.ts'
import { startOnSave } from './saved.ts'

async function start(files: readonly string[], removeGone = false) {
  const started = await startOnSave()
  const opened = await started.open()
  for (const name of files) await writeFile(join(started.local, name), name)
  /** A change that is pushed, so that all before it was looked at. */
  let marks = 0
  const pass = async (): Promise<void> => {
    const text = `${(marks += 1)}`
    await writeFile(join(started.local, 'mark'), text)
    await expect.poll(() => started.read('mark')).toBe(text)
    await opened.until(({ phase }) => phase.kind === 'idle')
  }
  const id = await opened.saveReviewed({ removeGone })
  return { ...started, ...opened, id, pass }
}

test('nothing is sent by itself before the first push of a review', async () => {
  const { local, there, open, read, attempts } = await startOnSave()
  await writeFile(join(local, '.env'), 'a secret')
  const { save, push, review } = await open()
  const { id } = await save({ pushOnSave: true })
  await writeFile(join(local, 'a'), 'a')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(attempts()).toBe(0)
  await expect(readdir(there)).rejects.toThrow('ENOENT')
  await review(id)
  expect(await push(id)).toMatchObject({ project: { isReviewed: true } })
  await writeFile(join(local, 'a'), 'changed')
  await expect.poll(() => read('a')).toBe('changed')
})

test('deletes that are switched on delete nothing before a review has shown it', async () => {
  const { id, local, there, save, review, push, projects, read } = await start(['a', 'b', 'c', 'd'])
  await rm(join(local, 'a'))
  await save({ id, pushOnSave: true, removeGone: true })
  expect(projects.state.value).toMatchObject([{ project: { isReviewed: false } }])
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await readdir(there)).toContain('a')
  expect(await review(id)).toMatchObject({ named: [{ kind: 'gone', path: 'a' }] })
  await push(id, { keep: ['a'] })
  await rm(join(local, 'b'))
  await expect.poll(() => read('b')).toBe(null)
  expect((await readdir(there)).toSorted()).toEqual(['a', 'c', 'd'])
})

test('a folder that is emptied deletes nothing, and what comes back is no longer held back', async () => {
  const { local, there, until } = await start(['a', 'b', 'c'], true)
  await rename(local, `${local}-elsewhere`)
  await mkdir(local)
  await until(({ heldBack }) => heldBack.gone === 3)
  expect((await readdir(there)).toSorted()).toEqual(['a', 'b', 'c'])
  await rm(local, { recursive: true })
  await rename(`${local}-elsewhere`, local)
  await writeFile(join(local, 'd'), 'd')
  await until(({ heldBack, last }) => heldBack.gone === 0 && last?.files === 1)
  expect((await readdir(there)).toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

test('a .gitignore that is missing for a while opens nothing, and one that changed is asked about', async () => {
  const { id, local, there, until, pass, review, push, read } = await start(['a'])
  // One of them was pushed before.
  await writeFile(join(local, '.gitignore'), '.env\na\n')
  await writeFile(join(local, '.env'), 'a secret')
  await pass()
  await writeFile(join(local, 'a'), 'a secret by now')
  await pass()
  await rename(join(local, '.gitignore'), join(local, '.gitignore~'))
  await until(({ heldBack }) => heldBack.uncovered === 3)
  expect(await readdir(there)).not.toContain('.env')
  expect(await read('a')).toBe('a')
  await rename(join(local, '.gitignore~'), join(local, '.gitignore'))
  await pass()
  await until(({ heldBack }) => heldBack.uncovered === 0)
  await writeFile(join(local, '.gitignore'), 'a\n')
  await until(({ heldBack }) => heldBack.uncovered === 1)
  expect(await readdir(there)).not.toContain('.env')
  await review(id)
  expect(await push(id)).toMatchObject({ heldBack: nothingHeld })
  expect(await read('.env')).toBe('a secret')
})

test('a new .gitignore with exceptions from those around it is asked about', async () => {
  const { local, until, pass, read } = await start([])
  await writeFile(join(local, '.gitignore'), '*.json\n')
  await pass()
  await mkdir(join(local, 'conf'))
  await writeFile(join(local, 'conf', 'key.json'), 'a secret')
  await writeFile(join(local, 'conf', '.gitignore'), '!*.json\n')
  await until(({ heldBack }) => heldBack.uncovered === 2)
  expect(await read('conf/key.json')).toBe(null)
})

test('an unanswered conflict asks nothing of the instance again, and what a review asked is answered after it', async () => {
  const { id, local, there, until, pass, review, push, read, attempts } = await start(['a', 'b'])
  await writeFile(join(there, 'a'), 'edited on the instance')
  // Whole at once: half of it would be asked about, too.
  await writeFile(`${local}-a`, 'edited here')
  await rename(`${local}-a`, join(local, 'a'))
  await until(({ heldBack, phase }) => heldBack.conflict === 1 && phase.kind === 'idle')
  const before = attempts()
  await mkdir(join(local, '.git'))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(attempts()).toBe(before)
  await review(id)
  await pass()
  expect(await push(id, { replace: ['a'] })).toMatchObject({ heldBack: nothingHeld })
  expect(await read('a')).toBe('edited here')
})

test('the old name of a file isn’t deleted while its new name isn’t there', async () => {
  const { local, there, until, read } = await start(['old', 'b', 'c'], true)
  await writeFile(join(there, 'new'), 'of the instance')
  await rename(join(local, 'old'), join(local, 'new'))
  await until(({ heldBack }) => heldBack.gone === 1 && heldBack.conflict === 1)
  expect(await read('old')).toBe('old')
  expect(await read('new')).toBe('of the instance')
})
