import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCrashDumps } from '#services/diagnostics/crash-dumps.ts'
import { FakeClock, quiet } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { waitFor } from '../../support/wait-for.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** When the clock of the tests begins. */
const now = Date.UTC(2026, 0, 1)
const dayMs = 24 * 60 * 60 * 1000

/** As Crashpad leaves it: the dump, what belongs to it, and its settings. */
async function plant(folder: string, agesDays: readonly number[], kind = 'completed'): Promise<void> {
  await mkdir(join(folder, kind), { recursive: true })
  await writeFile(join(folder, 'settings.dat'), 'settings')
  for (const age of agesDays) {
    const id = randomUUID()
    const dump = join(folder, kind, `${id}.dmp`)
    await writeFile(dump, 'x'.repeat(100 + age))
    await writeFile(join(folder, kind, `${id}.meta`), 'meta')
    await mkdir(join(folder, 'attachments', id), { recursive: true })
    await writeFile(join(folder, 'attachments', id, 'more'), 'more')
    const at = new Date(now - age * dayMs)
    await utimes(dump, at, at)
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function opened() {
  const folder = await temporaryFolder()
  const clock = new FakeClock()
  const log = memoryLog()
  return { folder, clock, log, dumps: openCrashDumps({ folder, clock, log }) }
}

test('dumps are found on every system, newest first, with their sizes', async () => {
  const { folder, dumps } = await opened()
  expect(await dumps.list()).toEqual([])
  expect(await dumps.newestPath()).toBe(folder)
  await plant(folder, [3], 'completed')
  await plant(folder, [1], 'pending')
  await plant(folder, [2], 'reports')
  expect(await dumps.list()).toEqual([1, 2, 3].map((age) => ({ at: now - age * dayMs, bytes: 100 + age })))
  expect(await dumps.newestPath()).toMatch(/pending.*\.dmp$/)
})

test('the newest 10 of the last 30 days are kept, with what belongs to them', async () => {
  const { folder, dumps, log } = await opened()
  await plant(folder, [31, 400])
  await plant(
    folder,
    Array.from({ length: 12 }, (_, index) => index + 1),
  )
  const end = new AbortController()
  const following = dumps.follow(end.signal)
  await waitFor(() => expect(log.lines.join()).toContain('Deleted 4 old crash dumps'))
  expect((await dumps.list()).map(({ at }) => (now - at) / dayMs)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const left = await filesIn(folder)
  expect(left.filter((name) => name.endsWith('.meta'))).toHaveLength(10)
  expect(left.filter((name) => name === 'more')).toHaveLength(10)
  expect(left).toContain('settings.dat')
  end.abort()
  await following
})

test('what comes while Slipway runs is looked at every hour, and the end does not wait for that', async () => {
  const { folder, clock, dumps } = await opened()
  const end = new AbortController()
  const following = dumps.follow(end.signal)
  await quiet()
  await plant(folder, [40])
  expect(await dumps.list()).toHaveLength(1)
  await waitFor(async () => {
    await clock.advance(60 * 60 * 1000)
    expect(await dumps.list()).toEqual([])
  })
  end.abort()
  await following
})

test('all are deleted with what belongs to them, and Crashpad’s settings stay', async () => {
  const { folder, dumps } = await opened()
  await plant(folder, [1, 2])
  await plant(folder, [0], 'new')
  await dumps.deleteAll()
  expect(await filesIn(folder)).toEqual(['settings.dat'])
  expect(await dumps.list()).toEqual([])
})

test('a folder that cannot be read is told as such, and does not stop the start', async () => {
  const { folder, dumps, log } = await opened()
  await writeFile(join(folder, 'completed'), 'a file')
  await expect(dumps.list()).rejects.toThrow('ENOTDIR')
  await expect(dumps.deleteAll()).rejects.toMatchObject({
    problem: { kind: 'storage-failed', file: folder },
  })
  const end = new AbortController()
  const following = dumps.follow(end.signal)
  await waitFor(() => expect(log.lines.join()).toContain('could not be deleted'))
  end.abort()
  await following
})
