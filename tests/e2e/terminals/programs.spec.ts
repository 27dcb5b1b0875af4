import type { Page } from '@playwright/test'
import { openTerminal, rent, screenText, type } from '../support/actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

interface Look {
  readonly colour: string
  readonly background: string
}

/** How the first piece of a row with this text is drawn. */
function lookOf(page: Page, text: string): Promise<Look> {
  return page
    .locator('.xterm-rows > div > span')
    .filter({ hasText: text })
    .first()
    .evaluate((piece) => {
      const { color, backgroundColor } = getComputedStyle(piece)
      return { colour: color, background: backgroundColor }
    })
}

async function attach(page: Page, name: string): Promise<void> {
  await test.info().attach(name, { body: await page.screenshot(), contentType: 'image/png' })
}

const noBackground = 'rgba(0, 0, 0, 0)'
const program = String.raw`import os\n\ndef name():\n    # a comment\n    return "train"\n\nfor epoch in range(42):\n    print(name(), epoch)\n`

test('vim, htop and tmux look and work as in any terminal', async ({ world }) => {
  const { page } = world.app
  await page.emulateMedia({ colorScheme: 'dark' })
  await rent(page)
  await openTerminal(page)

  await test.step('vim colours a program, takes an edit, and gives the screen back', async () => {
    await type(page, `clear; echo before-$((40 + 2)); printf '${program}' > job.py\n`)
    await page.keyboard.type(`vim -c 'syntax on' -c 'set number' job.py\n`)
    await expect.poll(() => screenText(page)).toMatch(/^"job\.py" 8L, 108B/m)
    await expect.poll(() => screenText(page)).toMatch(/^ {2}3 def name\(\):/m)
    await expect.poll(() => screenText(page)).toMatch(/^~\s*$/m)
    // The cursor is on the first letter.
    const colors = async () =>
      Promise.all(['mport', '3 def', 'name', '"train"'].map(async (t) => (await lookOf(page, t)).colour))
    await expect.poll(async () => new Set(await colors()).size).toBe(4)
    const [dark] = await colors()
    await attach(page, 'vim, dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(async () => (await lookOf(page, 'mport')).colour).not.toBe(dark)
    await attach(page, 'vim, light')
    await page.keyboard.type('Goprint("added")')
    await expect.poll(() => screenText(page)).toMatch(/^-- INSERT --/m)
    await page.keyboard.press('Escape')
    await page.keyboard.type(':wq\n')
    await expect.poll(() => screenText(page)).toMatch(/before-42\s*$/m)
    await page.keyboard.type('tail -n 1 job.py\n')
    await expect.poll(() => screenText(page)).toMatch(/^ {4}print\("added"\)\s*$/m)
  })

  await test.step('htop fills the screen, hears the mouse and follows the size', async () => {
    await page.keyboard.type('clear; htop\n')
    await expect.poll(() => screenText(page)).toMatch(/^F1Help.*F10Quit\s*$/m)
    await expect.poll(() => screenText(page)).toMatch(/^ +PID USER +PRI/m)
    await expect.poll(async () => (await lookOf(page, 'Help')).background).not.toBe(noBackground)
    await attach(page, 'htop, light')
    const rows = page.locator('.xterm-rows > div')
    const before = await rows.count()
    await page.setViewportSize({ width: 960, height: 620 })
    await expect.poll(() => rows.count()).toBeLessThan(before)
    const lastRow = rows.last()
    await expect(lastRow).toContainText('F10Quit')
    await attach(page, 'htop, narrow')
    // Until it has drawn itself anew, what is clicked on is not where it says.
    await expect(async () => {
      const quit = lastRow.locator('span').filter({ hasText: 'Quit' })
      const box = (await quit.count()) === 1 ? await quit.boundingBox() : null
      if (box !== null) await page.mouse.click(box.x + 12, box.y + 8)
      expect(await screenText(page)).toMatch(/[#$]\s*$/)
    }).toPass()
  })

  await test.step('tmux divides the screen by lines without gaps', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.keyboard.type('tmux -L looks -f /dev/null new -s looks\n')
    await expect.poll(() => screenText(page)).toMatch(/^\[looks\]/m)
    await page.keyboard.press('Control+b')
    await page.keyboard.type('%')
    await expect.poll(() => screenText(page)).toMatch(/│/)
    await page.keyboard.press('Control+b')
    await page.keyboard.type('"')
    await expect.poll(() => screenText(page)).toMatch(/├──/)
    await page.keyboard.type('echo right-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/│right-42\s*$/m)
    const bar = page.locator('.xterm-rows > div').last().locator('span').first()
    expect(await bar.evaluate((piece) => getComputedStyle(piece).backgroundColor)).not.toBe(noBackground)
    const places = async () => {
      const lines = (await screenText(page)).split('\n').map((line) => line.search(/[│├]/))
      return new Set(lines.slice(0, -1)).size
    }
    await expect.poll(places).toBe(1)
    await attach(page, 'tmux, dark')
    await page.keyboard.type('tmux kill-session\n')
    await expect.poll(() => screenText(page)).toContain('[exited]')
  })
})
