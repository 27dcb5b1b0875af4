import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildPreload, type FixtureApp, startFixture, type WindowStand, type Wish } from './fixture-app.ts'

let preload: Awaited<ReturnType<typeof buildPreload>>
let app: FixtureApp

beforeAll(async () => {
  preload = await buildPreload()
})
afterEach(() => app.close())
afterAll(() => preload.remove())

async function standAfter(wish: Wish, is: (stand: WindowStand) => boolean): Promise<WindowStand> {
  let stand = await app.ask(wish)
  await expect
    .poll(async () => {
      stand = await app.ask('look')
      return stand !== null && is(stand)
    })
    .toBe(true)
  if (stand === null) throw new Error('The window is closed')
  return stand
}

const menuBarHeight = 26

/** The content has less height than the window, by the menu bar, and each page has all of it. */
async function seeFilled(): Promise<void> {
  await expect
    .poll(async () => {
      const stand = await app.ask('look')
      if (stand === null) return null
      const { size, content, views } = stand
      return {
        menuBar: size.height - content.height,
        pages: views.map(({ x, y, width, height }) => [x, y, width - content.width, height - content.height]),
      }
    })
    .toEqual({
      menuBar: menuBarHeight,
      pages: [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    })
}

it('gives every page, seen or not, exactly the room that the window has for it, whatever is done with the window', async () => {
  app = await startFixture(preload.path)
  await app.ask('add-page')
  await app.ask('add-page')
  const first = await standAfter('look', ({ isVisible }) => isVisible)
  await seeFilled()
  const isLarger = ({ size }: WindowStand) => size.width > first.size.width
  await standAfter('maximize', (now) => now.isMaximized && isLarger(now))
  await seeFilled()
  await standAfter('unmaximize', (now) => !now.isMaximized && !isLarger(now))
  await seeFilled()
  await standAfter('enter-full-screen', (now) => now.isFullScreen && isLarger(now))
  await seeFilled()
  await standAfter('leave-full-screen', (now) => !now.isFullScreen && !isLarger(now))
  await seeFilled()
  await resize()
  await seeFilled()
})

/** As its user does. */
async function resize(): Promise<void> {
  const cdp = await app.page.context().newCDPSession(app.page)
  const { windowId } = await cdp.send('Browser.getWindowForTarget')
  await cdp.send('Browser.setWindowBounds', { windowId, bounds: { width: 1111, height: 777 } })
  await standAfter('look', ({ size }) => size.width === 1111 && size.height === 777)
}

it('closes with its window also when pages were closed before, and leaves nothing of them behind', async () => {
  app = await startFixture(preload.path)
  const before = await app.ask('look')
  await app.ask('add-page')
  await app.ask('add-page')
  await app.ask('close-page', 1)
  await app.ask('remove-page', 2)
  const isGone = ({ arePagesThere }: WindowStand) => arePagesThere.join() === 'true,false,false'
  const after = await standAfter('look', isGone)
  expect(after.listeners).toEqual(before?.listeners)
  await app.ask('close-window')
  expect(await app.ended).toBe(0)
  expect(await app.events()).not.toContain('Uncaught')
})

it('is maximized as it was only when there is something to see, and is so again at the next start', async () => {
  const bounds = { x: 40, y: 50, width: 1000, height: 700 }
  app = await startFixture(preload.path, { 'window.json': JSON.stringify({ ...bounds, isMaximized: true }) })
  await standAfter('look', ({ isVisible, isMaximized }) => isVisible && isMaximized)
  const events = await app.events()
  expect(events.indexOf('window shown')).toBeGreaterThan(events.indexOf('page shown'))
  await app.ask('close-window')
  expect(await app.ended).toBe(0)
})

it('is shown, and asks, when its page cannot be loaded, until it is', async () => {
  app = await startFixture(preload.path, { 'failing-loads': 'no answer\nmissing\nno answer' })
  await app.sees('The page could not be loaded Error: ERR_FAILED (-2)')
  await expect.poll(() => app.page.title()).toBe('Fixture ran')
  const lines = (await app.events()).split('\n')
  const asked = lines.filter((line) => line === 'asked: Slipway couldn’t load its window')
  expect(asked).toHaveLength(3)
  expect(lines.indexOf('window shown')).toBeLessThan(lines.indexOf(asked[0] ?? ''))
  expect(lines).toContain('error The page could not be loaded Error: status 404')
})

it('tells whether it can be seen: not before it is shown, and not while it is minimized', async () => {
  app = await startFixture(preload.path)
  const told = async () => (await app.events()).match(/window (not )?seen/g)
  await expect.poll(told).toEqual(['window seen'])
  await app.ask('minimize')
  await expect.poll(told).toEqual(['window seen', 'window not seen'])
  // As with pages whose timers are not slowed down.
  expect(await app.page.evaluate(() => document.visibilityState)).toBe('visible')
  await app.ask('restore')
  await expect.poll(told).toEqual(['window seen', 'window not seen', 'window seen'])
})

it('stays when closing is prevented, with its page', async () => {
  app = await startFixture(preload.path)
  await app.ask('hold-window')
  const again = app.page.context().waitForEvent('page')
  await app.page.close()
  const page = await again
  await expect.poll(() => page.title()).toBe('Fixture ran')
  expect(await app.events()).not.toContain('all windows closed')
  await app.ask('close-window')
  expect(await app.ended).toBe(0)
})
