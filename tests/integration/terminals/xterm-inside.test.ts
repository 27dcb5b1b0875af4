import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTerminalBrowser, type TerminalBrowser } from './terminal-page.ts'

// What screen/xterm-drawing.ts reaches of xterm.js, in a real browser.

let browser: TerminalBrowser
beforeAll(async () => {
  browser = await startTerminalBrowser()
})
afterAll(() => browser.close())

test('the inside of xterm.js was read in 6.0: look at it again before taking another', () => {
  const manifest: unknown = createRequire(import.meta.url)('@xterm/xterm/package.json')
  expect(manifest).toMatchObject({ version: '6.0.0' })
})

test('a terminal draws in the frames that it is given, and changes nothing of the page between them', async () => {
  const page = await browser.open()
  onTestFinished(() => page.close())
  const isHeld = await page.evaluate(() => window.floodPage.holdFrames())
  if (!isHeld) throw new Error('xterm.js has changed inside: see xterm-drawing.ts')
  const rows = page.locator('#held .xterm-rows')
  const draw = (): Promise<number> => page.evaluate(() => window.floodPage.drawHeld())
  await draw()
  // What a scroll bar shows of the length, before the scrollback is full, is set once for all.
  await page.evaluate(() => window.floodPage.writeHeld('\n'.repeat(1_100)))
  await draw()
  // It shows itself for that, and half a second later hides again.
  await page.locator('#held .scrollbar.vertical.fade').waitFor({ state: 'attached' })

  const changes = await page.evaluate(async () => {
    const seen: string[] = []
    const see = (records: MutationRecord[]): void => {
      for (const { type, target } of records)
        seen.push(`${type} of ${target instanceof Element ? target.className : target.nodeName}`)
    }
    const watch = new MutationObserver(see)
    const held = document.querySelector('#held') ?? document.body
    watch.observe(held, { attributes: true, childList: true, characterData: true, subtree: true })
    for (let line = 0; line < 50; line += 1)
      await window.floodPage.writeHeld(`line ${line}\r\n${'>'.repeat(line % 7)}`)
    see(watch.takeRecords())
    watch.disconnect()
    return seen
  })
  expect(changes).toEqual([])
  expect(await rows.innerText()).not.toContain('line 49')

  expect(await draw()).toBeGreaterThan(0)
  expect(await rows.innerText()).toContain('line 49')
  // Where an input method shows what is being composed: at the cursor.
  const cursor = page.locator('#held .xterm-cursor')
  const field = page.locator('#held .xterm-helper-textarea')
  const [at, typed] = [await cursor.boundingBox(), await field.boundingBox()]
  expect(Math.abs((at?.x ?? -1) - (typed?.x ?? 0))).toBeLessThan(1)
})

test('a terminal whose rows are emptied asks for a frame at once', async () => {
  const page = await browser.open()
  onTestFinished(() => page.close())
  const urgent = await page.evaluate(async () => {
    window.floodPage.holdFrames()
    await window.floodPage.writeHeld('some lines\r\n'.repeat(5))
    const before = window.floodPage.urgent()
    await window.floodPage.writeHeld('\x1b[?1049h')
    return { before, after: window.floodPage.urgent() }
  })
  expect(urgent).toEqual({ before: 0, after: 1 })
})

test('a flood on the screen of the window ends with all of it drawn', async () => {
  const page = await browser.open()
  onTestFinished(() => page.close())
  await page.evaluate(() => window.floodPage.flood('line # of a flood\r\n', 100_000))
  await expect.poll(() => page.locator('.xterm-rows').innerText()).toContain('line 99999 of a flood')
})
