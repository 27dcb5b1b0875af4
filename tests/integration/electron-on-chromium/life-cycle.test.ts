import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildPreload, type FixtureApp, spawnFixture, startFixture } from './fixture-app.ts'

let preload: Awaited<ReturnType<typeof buildPreload>>
let app: FixtureApp | undefined

beforeAll(async () => {
  preload = await buildPreload()
})
afterEach(async () => {
  await app?.close()
  app = undefined
})
afterAll(() => preload.remove())

/** Processes of the browser that uses this data folder. */
async function browserProcesses(userData: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map((pid) => readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '')),
  )
  return commands.filter((command) => command.includes(userData))
}

it('quits on SIGTERM, remembers where its window was, and leaves no browser behind', async () => {
  app = await startFixture(preload.path)
  expect(await browserProcesses(app.userData)).not.toEqual([])
  app.signal('SIGTERM')
  expect(await app.ended).toBe(0)
  expect(JSON.parse(await readFile(join(app.userData, 'window.json'), 'utf8'))).toMatchObject({ width: 1280 })
  await expect.poll(() => browserProcesses(app?.userData ?? '')).toEqual([])
})

it('leaves no browser behind when it is killed, and starts again on the same data', async () => {
  app = await startFixture(preload.path)
  const { userData } = app
  app.signal('SIGKILL')
  expect(await app.ended).toBe('SIGKILL')
  await expect.poll(() => browserProcesses(userData)).toEqual([])

  const again = spawnFixture(preload.path, userData)
  await expect.poll(async () => (await app?.events())?.split('loaded').length).toBe(3)
  again.kill()
  await once(again, 'exit')
})

it('ends when its window is closed', async () => {
  app = await startFixture(preload.path)
  await app.page.close()
  expect(await app.ended).toBe(0)
  expect(await app.events()).toContain('all windows closed')
})

it('lets a second start on the same data go, and tells the first', async () => {
  app = await startFixture(preload.path)
  const second = spawnFixture(preload.path, app.userData)
  const [code] = await once(second, 'exit')
  expect(code).toBe(0)
  await app.sees('second start')
  expect(await app.page.title()).toBe('Fixture ran')
})

it('brings a page back whose process has died, and asks first when it dies again and again', async () => {
  app = await startFixture(preload.path)
  const { page, sees, events } = app
  const crash = async (): Promise<void> => {
    const cdp = await page.context().newCDPSession(page)
    cdp.send('Page.crash').catch(() => 'the answer dies with the page')
  }
  const count = async (text: string) => (await events()).split(text).length - 1
  await crash()
  await sees('The page died')
  await expect.poll(() => count('page shown')).toBe(2)
  expect(await count('asked')).toBe(0)
  for (const deaths of [1, 2]) {
    await crash()
    await expect.poll(() => count('asked: Slipway’s window stopped working')).toBe(deaths)
    await expect.poll(() => count('page shown')).toBe(2 + deaths)
  }
})
