import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountFolder, openTerminal, rent, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('terminals are there at the next start, with what they showed, and connect when wanted', async ({
  world,
}) => {
  const keptTexts = async () => {
    const folder = join(await accountFolder(world.userData), 'scrollback')
    const names = await readdir(folder).catch(() => [])
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
  }
  const isKept = (text: string) =>
    expect.poll(async () => (await keptTexts()).some((kept) => kept.includes(text))).toBe(true)
  let page = world.app.page
  await rent(page)
  await openTerminal(page)

  await type(page, String.raw`clear; printf '\e[1;32mgreen-%s\e[m\n' 42; seq 1000 1100` + '\n')
  await expect.poll(() => screenText(page)).toContain('1100')
  await page.getByRole('tab').dblclick()
  await page.getByLabel('Name', { exact: true }).fill('training')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.getByRole('region', { name: 'Terminal' }).click()
  await page.keyboard.press('Control+Shift+E')
  const screens = page.getByRole('region', { name: 'Terminal' })
  await expect(screens).toHaveCount(2)
  await expect
    .poll(async () => (await screens.nth(1).locator('.xterm-rows').innerText()).includes('instance-'))
    .toBe(true)
  await expect(screens.nth(1).locator('.xterm-helper-textarea')).toBeFocused()
  await page.keyboard.type(String.raw`printf '\e]0;logs\a'; echo second-$((40 + 2))` + '\n')
  await expect(page.getByRole('tab').nth(1)).toContainText('logs')
  const place = 'kept place'
  await screens.nth(0).click()
  await page.keyboard.type(`mkdir '${place}'; cd '${place}'; printf '\\e]7;file://m%s\\a' "$PWD"\n`)
  const status = page.getByRole('group', { name: 'Terminal status' })
  await expect(status.getByRole('link', { name: place })).toBeVisible()
  const widthOf = async (index: number) => (await screens.nth(index).boundingBox())?.width ?? 0
  const before = await widthOf(0)
  await page.getByRole('separator').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => widthOf(0)).toBeGreaterThan(before)
  const width = await widthOf(0)
  // Told after the folder, so that with it both are on the disk.
  const terminalsFile = join(await accountFolder(world.userData), 'terminals.json')
  const saved = () => readFile(terminalsFile, 'utf8').catch(() => '')
  await expect.poll(saved).toMatch(/"sizes": \[\s*(5[5-9]|6\d)/)
  await isKept('green-42')
  await isKept('second-42')

  await test.step('nothing is connected by itself', async () => {
    await world.app.close()
    page = (await world.startAgain()).page
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await expect(page.getByRole('tab')).toHaveCount(2)
    await expect(page.getByRole('tab').locator('bdi')).toHaveText(['training', 'logs'])
    const again = page.getByRole('region', { name: 'Terminal' })
    await expect(again.first()).toContainText('1100')
    await expect(again.nth(1)).toContainText('second-42')
    await expect(page.getByText('Previous session, not connected')).toHaveCount(2)
    await expect
      .poll(async () => Math.abs(((await again.first().boundingBox())?.width ?? 0) - width))
      .toBeLessThan(20)
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('from-the-last-time.png') })
  })

  await test.step('a new shell comes below what it showed', async () => {
    await page.getByRole('button', { name: 'Connect all 2' }).first().click()
    await expect(page.getByText('Previous session, not connected')).toHaveCount(0)
    const first = page.getByRole('region', { name: 'Terminal' }).first()
    await expect(first).toContainText('── new shell ──')
    await expect(first).toContainText('1100')
    await first.click()
    // What is typed before it connects is dropped.
    await expect(page.getByRole('group', { name: 'Terminal status' }).first()).toContainText('Connected')
    await page.keyboard.type('echo third-$((40 + 2)) in "$(basename "$PWD")"\n')
    await expect(first).toContainText(`third-42 in ${place}`)
    for (let pages = 0; pages < 6; pages += 1) await page.keyboard.press('Shift+PageUp')
    await expect(first).toContainText('green-42')
    await page.screenshot({ path: test.info().outputPath('connected-again.png') })
  })

  await test.step('what it showed goes with it, or when it is not wanted', async () => {
    await isKept('third-42')
    await page.keyboard.press('Control+Shift+W')
    await page.getByRole('button', { name: 'Close terminal' }).click()
    await expect.poll(async () => (await keptTexts()).length).toBe(1)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('switch', { name: 'Save terminal output' }).click()
    await expect.poll(async () => (await keptTexts()).length).toBe(0)
  })
})
