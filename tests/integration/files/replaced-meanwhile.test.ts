import { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localTreeOf, openTransfers, startWithFile, watchedTree } from './instance.ts'

const mib = 1024 * 1024

test('a file that is edited while its replacement comes stays, and is asked about by a retry', async () => {
  const { address, local, content, order, target } = await startWithFile('remote', 8 * mib)
  const path = join(target, 'big')
  await writeFile(path, 'as it was')
  let isEdited = false
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    if (isEdited || offset < 2 * mib) return
    isEdited = true
    writeFileSync(path, 'edited meanwhile')
  })
  const { transfers, over, until } = openTransfers({ local, address, localTree })
  const { id } = transfers.start(order)
  await until(id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(id, 'replace')
  expect((await over(id)).phase).toMatchObject({ kind: 'failed', problem: { kind: 'appeared' } })
  expect(await readFile(path, 'utf8')).toBe('edited meanwhile')

  transfers.retry(id)
  await until(id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(id, 'replace')
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect((await readFile(path)).equals(content)).toBe(true)
})

test('an answer holds for a retry as long as what it was about is as it was', async () => {
  const { address, local, content, order, target } = await startWithFile('remote', 8 * mib)
  const path = join(target, 'big')
  await writeFile(path, 'as it was')
  const begun = Promise.withResolvers<undefined>()
  const localTree = watchedTree(localTreeOf(local), (offset) => {
    if (offset > 2 * mib) begun.resolve(undefined)
  })
  const { transfers, over, until } = openTransfers({ local, address, localTree })
  const { id } = transfers.start(order)
  await until(id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(id, 'replace')
  await begun.promise
  transfers.cancel(id)
  await over(id)
  transfers.retry(id)
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect((await readFile(path)).equals(content)).toBe(true)
})
