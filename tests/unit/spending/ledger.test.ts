import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hour, minute } from './look.ts'
import { spendingWorld } from './spending-world.ts'

const monthFile = 'spending/2026-01.jsonl'

test('each hour is a line that a person can read, and the hour that goes on counts, too', async () => {
  const world = await spendingWorld()
  const { totalOf, quit } = await world.run()
  await world.clock.advance(2.5 * hour)
  expect((await totalOf('2026-01')).usd).toBeCloseTo(5)
  await quit()
  const [header, ...lines] = (await readFile(join(world.folder, monthFile), 'utf8')).trim().split('\n')
  expect(header).toBe('{"version":2}')
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { kind: 'hour', hour: '2026-01-01T00:00Z', instanceId: 1, label: 'train', model: '2 × H100', usd: 2 },
    { kind: 'hour', hour: '2026-01-01T01:00Z', runningSeconds: 3600, usd: 2 },
  ])
  const again = await world.run()
  expect((await again.totalOf('2026-01')).usd).toBeCloseTo(5)
})

test('the first line is shown as soon as it is counted', async () => {
  const world = await spendingWorld()
  const { spending } = await world.run()
  const end = new AbortController()
  const shown: number[] = []
  const watching = (async () => {
    for await (const { instances } of spending.watchMonth(null, end.signal)) shown.push(instances.length)
  })()
  onTestFinished(async () => {
    end.abort()
    await watching.catch(() => undefined)
  })
  await expect.poll(() => shown).toEqual([0])
  // The next list, and no more.
  await world.clock.advance(31_000)
  await expect.poll(() => shown).toEqual([0, 1])
})

test('a restart within minutes counts on; a longer absence is told, and not counted', async () => {
  const world = await spendingWorld()
  const first = await world.run()
  await world.clock.advance(30 * minute)
  await first.quit()
  world.clock.sleepThrough(4 * minute)
  const second = await world.run()
  expect((await second.totalOf('2026-01')).usd).toBeCloseTo((2 * 34) / 60)
  await second.quit()
  world.clock.sleepThrough(5 * hour)
  const third = await world.run()
  const { usd, gapSeconds, gapUsd } = await third.totalOf('2026-01')
  expect([usd, gapSeconds, gapUsd]).toEqual([expect.closeTo((2 * 34) / 60), 5 * 3600, 10])
})

test('a kill loses no more than the last 5 minutes, which are counted or told by the next start', async () => {
  const world = await spendingWorld()
  const first = await world.run()
  await world.clock.advance(2 * hour + 47 * minute)
  first.kill()
  const unkeptMs = async () => {
    const text = await readFile(join(world.folder, 'spending.json'), 'utf8')
    return world.clock.now() - Number(/"seenAt": (\d+)/.exec(text)?.[1])
  }
  await expect.poll(unkeptMs).toBeLessThanOrEqual(5 * minute + 30_000)
  world.clock.sleepThrough(hour)
  const { totalOf } = await world.run()
  const { usd, gapSeconds } = await totalOf('2026-01')
  expect(usd * 1800 + gapSeconds).toBeCloseTo(3 * 3600 + 47 * 60, 1)
  expect(gapSeconds).toBeLessThanOrEqual(3600 + 5.5 * 60)
})

test('a line that can’t be read costs only itself, is told, and stays for a repair', async () => {
  const world = await spendingWorld()
  const first = await world.run()
  await world.clock.advance(3 * hour + minute)
  await first.quit()
  const path = join(world.folder, monthFile)
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, lines.with(2, '{"kind":"hour","usd":"a lot"}').join('\n'))
  const { totalOf, notices, quit } = await world.run()
  expect((await totalOf('2026-01')).usd).toBeCloseTo(4 + 2 / 60)
  expect(notices.value).toMatchObject([{ kind: 'unreadable', file: path, keptAs: path }])
  await world.clock.advance(hour)
  await quit()
  expect(await readFile(path, 'utf8')).toContain('a lot')
})

test('a repaired line counts in the place of the former one', async () => {
  const world = await spendingWorld()
  const first = await world.run()
  await world.clock.advance(hour + minute)
  await first.quit()
  const path = join(world.folder, monthFile)
  const [, line = ''] = (await readFile(path, 'utf8')).split('\n')
  await appendFile(path, `${JSON.stringify({ ...JSON.parse(line), usd: 0.5 })}\n`)
  const { totalOf } = await world.run()
  expect((await totalOf('2026-01')).usd).toBeCloseTo(0.5 + 2 / 60)
})

test('what a disk doesn’t take is kept and written later', async () => {
  const world = await spendingWorld()
  await mkdir(world.folder)
  const first = await world.run()
  await writeFile(join(world.folder, 'spending'), 'a file in the place of the folder')
  await world.clock.advance(hour + minute)
  await expect.poll(() => first.log.lines.join('\n')).toContain('could not be written down')
  await rm(join(world.folder, 'spending'))
  await first.quit()
  expect(await readFile(join(world.folder, monthFile), 'utf8')).toContain('"usd":2')
})

test('a month’s lines are exported where the user chooses, and its months can be chosen', async () => {
  const world = await spendingWorld()
  await mkdir(world.folder)
  const { spending } = await world.run()
  await world.clock.advance(hour + minute)
  expect(await spending.exportCsv('2026-01')).toBe(world.saved.path)
  expect(await readFile(world.saved.path ?? '', 'utf8')).toContain(
    'hour,2026-01-01T00:00Z,,1,train,2 × H100,3600,0,0,2',
  )
  expect(await spending.months()).toEqual(['2026-01'])
  world.saved.path = null
  expect(await spending.exportCsv('2026-01')).toBeNull()
})
