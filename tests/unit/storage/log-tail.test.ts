import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLogTail, readWholeLog } from '#services/storage/log-tail.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('the last whole lines of a long log, the oldest first', async () => {
  const path = join(await temporaryFolder(), 'slipway.log')
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${'é'.repeat(20)}`)
  await writeFile(path, `${lines.join('\n')}\n`)
  expect(await readLogTail(path, 200)).toEqual(lines.slice(-200))
  const most = await readLogTail(path, 100_000)
  expect(most.length).toBeGreaterThan(200)
  expect(most).toEqual(lines.slice(-most.length))
})

test('no log yet is an empty one', async () => {
  const path = join(await temporaryFolder(), 'slipway.log')
  expect(await readLogTail(path, 200)).toEqual([])
  expect(await readWholeLog(path)).toBe('')
})

test('the whole log begins with what was rotated out of it', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'slipway.old.log'), 'before\n')
  await writeFile(join(folder, 'slipway.log'), 'now\n')
  expect(await readWholeLog(join(folder, 'slipway.log'))).toBe('before\nnow\n')
})
