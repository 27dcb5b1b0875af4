import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('terminals open on all selected instances that run, side by side, and share what is typed', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  for (const count of [1, 2, 3]) {
    if (count > 1) await page.getByRole('link', { name: 'Offers' }).click()
    await rent(page)
    await expect.poll(async () => (await instancesOf(service)).length).toBe(count)
  }
  await page.getByRole('link', { name: /^Instances/ }).click()
  const ids = (await instancesOf(service)).map(({ id }) => id)
  for (const id of ids) await untilRunning(page, id)
  const [stopped, ...running] = ids
  await instanceRow(page, stopped).getByRole('button', { name: /^Stop/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop instance' }).click()
  await expect(
    instanceRow(page, stopped)
      .getByText(/stopped/i)
      .first(),
  ).toBeVisible({ timeout: 60_000 })

  const group = page.getByRole('group', { name: 'Selected instances' })
  for (const id of ids) await page.getByRole('checkbox', { name: `Select instance ${id}` }).click()
  expect(await findings(page), 'selected').toEqual([])
  await page.setViewportSize({ width: 960, height: 700 })
  await page.screenshot({ path: test.info().outputPath('selected-960.png') })
  await page.setViewportSize({ width: 1280, height: 720 })
  await group.getByRole('button', { name: 'Open terminals' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open terminals' })
  await expect(dialog).toContainText('Opens a terminal on each of 2 instances.')
  await expect(dialog).toContainText(`Left out, not running: ${stopped}.`)
  await dialog.getByRole('radio', { name: 'Side by side' }).click()
  await dialog.getByRole('checkbox', { name: 'Broadcast typing' }).click()
  expect(await findings(page), 'asked').toEqual([])
  await page.screenshot({ path: test.info().outputPath('asked.png') })
  await dialog.getByRole('button', { name: 'Open 2 terminals' }).click()

  const screens = page.getByRole('region', { name: 'Terminal' })
  await expect(screens).toHaveCount(2)
  for (const index of [0, 1]) {
    const trust = page.getByRole('dialog').getByRole('button', { name: 'Trust this host' })
    await expect(trust).toHaveCount(1)
    await trust.click()
    await expect(page.getByText('Connected', { exact: true })).toHaveCount(index + 1)
  }
  await screens.first().click()
  await page.keyboard.type('echo "both on $HOME"\n')
  for (const [index, id] of running.entries())
    await expect
      .poll(async () => (await screens.nth(index).locator('.xterm-rows > div').allInnerTexts()).join(''))
      .toContain(`both on ${service.instances.homeOf(id) ?? 'no home'}`)
  expect(await findings(page), 'side by side').toEqual([])
  await page.screenshot({ path: test.info().outputPath('side-by-side.png') })

  await test.step('the palette opens them on all that run, in tabs that connect unseen', async () => {
    await page.getByRole('button', { name: 'Stop broadcast' }).first().click()
    await page
      .getByRole('link', { name: /^Instances/ })
      .first()
      .click()
    await group.getByRole('button', { name: 'Clear selection' }).click()
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('terminals on several')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Opens a terminal on each of 2 instances.')
    await dialog.getByRole('button', { name: 'Open 2 terminals' }).click()
    await expect(page.getByRole('tab')).toHaveCount(4)
    for (const id of running)
      await expect(
        page.getByRole('tab', { name: new RegExp(`^Instance ${id} \\(2\\).*Connected`) }),
      ).toBeVisible()
  })
})
