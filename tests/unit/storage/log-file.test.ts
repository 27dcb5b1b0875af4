import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeLogAlong, readLogTail, readWholeLog } from '#services/storage/log-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** An older log in the data folder, and the folder where the system wants it. */
async function furnished() {
  const top = await temporaryFolder()
  const [from, to] = [join(top, 'data', 'logs'), join(top, 'Library', 'Logs', 'Slipway')]
  await mkdir(from, { recursive: true })
  for (const name of ['slipway.log', 'slipway.old.log']) await writeFile(join(from, name), `older ${name}`)
  return { data: join(top, 'data'), from, to, log: memoryLog() }
}

test('the log of an older Slipway comes along, and its folder goes', async () => {
  const { data, from, to, log } = await furnished()
  await takeLogAlong({ from, to, log })
  expect(await readFile(join(to, 'slipway.log'), 'utf8')).toBe('older slipway.log')
  expect((await readdir(to)).toSorted()).toEqual(['slipway.log', 'slipway.old.log'])
  expect(await readdir(data)).toEqual([])
  await takeLogAlong({ from, to, log })
  expect(await readdir(to)).toHaveLength(2)
  expect(log.lines).toEqual([])
})

test('what is in the new folder already stays as it is', async () => {
  const { data, from, to, log } = await furnished()
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'slipway.log'), 'newer')
  await takeLogAlong({ from, to, log })
  expect(await readFile(join(to, 'slipway.log'), 'utf8')).toBe('newer')
  expect(await readdir(data)).toEqual([])
})

test('where the system wants it in the data folder, nothing moves', async () => {
  const { from, log } = await furnished()
  await takeLogAlong({ from, to: from, log })
  expect(await readdir(from)).toHaveLength(2)
})

test('nothing moves either where a link leads to the data folder, and Electron tells where to', async () => {
  const { data, from, log } = await furnished()
  const link = join(data, '..', 'link')
  await symlink(data, link)
  await takeLogAlong({ from: join(link, 'logs'), to: from, log })
  expect(await readdir(from)).toHaveLength(2)
  expect(log.lines).toEqual([])
})

test('a folder that cannot be made is told, and nothing is lost', async () => {
  const { from, to, log } = await furnished()
  await writeFile(join(to, '..', '..', '..', 'Library'), 'a file')
  await takeLogAlong({ from, to, log })
  expect(log.lines.join()).toContain('The log could not be moved')
  expect(await readdir(from)).toHaveLength(2)
})

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
