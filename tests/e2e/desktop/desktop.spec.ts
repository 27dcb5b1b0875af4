import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceRow, instancesOf } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { untilPageIsKept } from '../support/on-disk.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { instances: 3 } } })

test('the menu bar, links, the icon and the next start lead to where they say, and do nothing by themselves', async ({
  world,
}) => {
  let { page } = world.app
  const [first] = await instancesOf(world.service)
  const id = first?.id ?? 0
  const at = (path: string) => expect.poll(() => new URL(page.url()).hash).toBe(`#${path}`)
  const changes = () =>
    world.service.journal().filter(({ method }) => method === 'PUT' || method === 'DELETE')

  await test.step('an item of the menu bar does what the palette does', async () => {
    await world.app.menu('View', 'Cloud')
    await at('/cloud')
    await world.app.menu('File', 'Import template…')
    await expect(page.getByRole('dialog', { name: 'Import template' })).toBeVisible()
    await page.keyboard.press('Escape')
    await world.app.menu('View', 'Theme', 'Dark')
    await expect(page.locator('html')).toHaveClass(/dark/)
    await world.app.menu('Help', 'Keyboard shortcuts')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a link leads to the page of an instance', async () => {
    await world.app.startSecond(`slipway://instance/${id}`)
    await at(`/instances/${id}`)
  })

  await test.step('a hostile link leads nowhere, and the log does not repeat it', async () => {
    await page.getByRole('link', { name: /^Offers/ }).click()
    await world.app.startSecond(`slipway://instance/${id}?do=destroy&canary=4f1d`)
    await world.app.startSecond(`slipway://instance/${id}`, 'slipway://instance/1')
    const log = () => readFile(join(world.userData, 'logs', 'slipway.log'), 'utf8')
    await expect.poll(async () => (await log()).split('Refused a link').length - 1).toBe(2)
    expect(await log()).not.toContain('4f1d')
    await at('/offers')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('of an instance that no account has it is said', async () => {
    await world.app.startSecond('slipway://instance/999')
    const dialog = page.getByRole('dialog', { name: 'No account here has instance 999' })
    await expect(dialog).toContainText('Nothing was done')
    await page.screenshot({ path: test.info().outputPath('unclear-link.png') })
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toHaveCount(0)
  })

  await test.step('a link to a job’s folder asks, and reads nothing before', async () => {
    await world.app.startSecond(`slipway://job?folder=${encodeURIComponent(world.userData)}&start=1`)
    await world.app.startSecond(`slipway://job?folder=${encodeURIComponent(world.userData)}`)
    const dialog = page.getByRole('dialog', { name: 'Open job definition?' })
    await expect(dialog).toContainText(world.userData)
    await page.screenshot({ path: test.info().outputPath('job-link.png') })
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await at('/offers')
  })

  const icon = () => readFile(join(world.userData, 'tray.json'), 'utf8').catch(() => null)
  await test.step('the icon tells what is spent, and goes when it is not wanted', async () => {
    // Electron has no way to look at one.
    if (world.app.host === 'chromium') {
      await expect.poll(icon).toMatch(/Spending \$.*\/h/)
      await expect.poll(icon).toMatch(/No auto-stop rules/)
    }
    await page.getByRole('link', { name: 'Settings' }).click()
    const wanted = page.getByRole('switch', { name: 'Show tray icon' })
    await wanted.click()
    await expect(wanted).not.toBeChecked()
    await page.screenshot({ path: test.info().outputPath('settings.png') })
    await expect.poll(icon).toBeNull()
    await wanted.click()
  })

  await test.step('the next start begins on the page of the last time, also where there is no place for an icon', async () => {
    await page.getByRole('link', { name: /^Instances/ }).click()
    // No row of the page that is being left.
    await instanceRow(page).click()
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/instances\/\d+$/)
    const { hash } = new URL(page.url())
    await expect(page.getByRole('region', { name: /^Details of/ })).toBeVisible()
    await untilPageIsKept(world.userData, hash.slice(1))
    await world.app.close()
    page = (await world.startAgain({ SLIPWAY_NO_TRAY: '1' })).page
    await expect.poll(() => new URL(page.url()).hash).toBe(hash)
    await expect(page.getByRole('region', { name: /^Details of/ })).toBeVisible()
    if (world.app.host === 'chromium') expect(await icon()).toBeNull()
  })

  await test.step('which can be switched off', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    const begin = page.getByRole('switch', { name: 'Restore last page' })
    await begin.click()
    await expect(begin).not.toBeChecked()
    await world.app.close()
    page = (await world.startAgain()).page
    await at('/offers')
  })
  expect(changes()).toEqual([])
})
