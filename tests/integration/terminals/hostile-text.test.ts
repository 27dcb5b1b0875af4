import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hardening } from '../../support/hardening.ts'
import { startTerminalBrowser, type TerminalBrowser } from './terminal-page.ts'

// What a machine writes onto the window's own screen, in a real browser: what that keeps of it, and that it goes on.

let browser: TerminalBrowser
beforeAll(async () => {
  browser = await startTerminalBrowser()
})
afterAll(() => browser.close())

async function open(): Promise<Page> {
  const page = await browser.open()
  onTestFinished(() => page.close())
  return page
}

/** What the page's memory has more of, in MB, when all was written. */
async function grownBy(page: Page, text: string, times: number): Promise<number> {
  const before = await browser.heapMb(page)
  await page.evaluate(([...flood]) => window.floodPage.flood(...flood), [text, times] as const)
  return (await browser.heapMb(page)) - before
}

const shown = (page: Page): Promise<string> => page.locator('.xterm-rows').innerText()

async function expectToGoOn(page: Page): Promise<void> {
  await page.evaluate(() => window.floodPage.flood('\x1b[2J\x1b[Hgoes-on', 1))
  await expect.poll(() => shown(page)).toContain('goes-on')
}

/** Of all marks and links that were written: less than a full scrollback of letters and the links that are kept. */
const mostMb = 20

test('combining marks without an end stay as small as other text, in one cell and in all', async () => {
  const page = await open()
  const megabytes = hardening({ usual: 2, full: 40 })
  expect(await grownBy(page, '\u0301'.repeat(1000), megabytes * 500)).toBeLessThan(mostMb)
  expect(await grownBy(page, `a${'\u0301'.repeat(999)}\r\n`, megabytes * 500)).toBeLessThan(mostMb)
  await expectToGoOn(page)
}, 300_000)

test('links without an end are forgotten, on one line and on many', async () => {
  const page = await open()
  const links = hardening({ usual: 30_000, full: 1_000_000 })
  expect(await grownBy(page, '\x1b]8;;http://x.example/#\x1b\\\r', links)).toBeLessThan(mostMb)
  expect(await grownBy(page, '\x1b]8;;http://x.example/#\x1b\\a\x1b]8;;\x1b\\\r\n', links)).toBeLessThan(
    mostMb,
  )
  // One that is left open, on line after line.
  expect(await grownBy(page, '\x1b]8;;http://x.example/\x1b\\', 1)).toBeLessThan(mostMb)
  expect(await grownBy(page, 'a\r\n', 10_000)).toBeLessThan(mostMb)
  await expectToGoOn(page)
}, 300_000)

test('sequences that repeat a thousand million times do not hold the window', async () => {
  const page = await open()
  const repeating = ['b', 'L', 'M', 'S', 'T', 'Z'].map((final) => `a\x1b[2147483647${final}`).join('')
  await page.evaluate(([text]) => window.floodPage.flood(text, 1), [repeating] as const)
  await expectToGoOn(page)
})

test('emoji, flags and letters with marks keep their cells', async () => {
  const page = await open()
  const whole = ['👩🏻‍❤️‍💋‍👩🏿', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🇩🇪', 'e\u0301\u0323', '한']
  await page.evaluate(([text]) => window.floodPage.flood(text, 1), [whole.join('|')] as const)
  await expect.poll(() => shown(page)).toContain(whole.join('|'))
})
