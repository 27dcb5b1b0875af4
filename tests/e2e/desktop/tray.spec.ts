import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instanceRow, instancesOf, runRulesInSlipway, setUp } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { launchApp } from '../support/launch.ts'
import { expect, test } from '../support/world-test.ts'
import { startTestEnvironment } from '../support/world.ts'

test.use({ worldOptions: { service: { instances: 1 } } })

test('with a rule set the window is closed, Slipway goes on in the tray, and the rule stops the instance', async ({
  world,
}) => {
  const { service, app, userData } = world
  test.skip(app.host === 'electron', 'the question is answered in the double only')
  let { page } = app
  const [first] = await instancesOf(service)
  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page).click()
  const rules = page.getByRole('region', { name: 'Auto-stop rules', exact: true })
  await runRulesInSlipway(rules)
  await rules.getByLabel('Hours from now').fill('0.01')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await expect(rules.getByText('Stop 0.01 h after the rule was set')).toBeVisible()

  await writeFile(join(userData, 'answer-dialog'), 'Keep running in tray')
  const again = page.context().waitForEvent('page')
  await page.close()
  page = await again
  await expect.poll(() => app.logs()).toContain('1 auto-stop rule doesn’t run')
  const stops = () =>
    service.journal().filter(({ method, path }) => method === 'PUT' && path.includes('/instances/'))
  expect(stops()).toEqual([])
  await expect.poll(() => stops().length, { timeout: 90_000 }).toBe(1)
  expect(stops()[0]?.path).toContain(`/instances/${String(first?.id)}/`)

  await writeFile(join(userData, 'click-tray'), 'Open Slipway')
  await expect(page.getByRole('region', { name: /^Auto-stop rule stopped instance/ })).toBeVisible({
    timeout: 60_000,
  })
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('switch', { name: 'Keep running in tray' })).toBeChecked()
  // Nothing is left to see to: it's closed as ever.
  await page.close()
  expect(await app.ended).toBe(0)
})

test('starting at login is switched on and off in the system’s own place', async () => {
  const config = await mkdtemp(join(tmpdir(), 'slipway-login-'))
  const { service, env: environment, end } = await startTestEnvironment({ service: { offers: 1 } })
  const env = { ...environment, SLIPWAY_PACKAGED: '1', XDG_CONFIG_HOME: config }
  const app = await launchApp({ userData: join(config, 'Slipway'), env })
  try {
    const { page } = app
    test.skip(app.host === 'electron', 'needs a packaged app')
    await setUp(page, service)
    const entry = join(config, 'autostart', 'slipway.desktop')
    await page.getByRole('link', { name: 'Settings' }).click()
    const toggle = page.getByRole('switch', { name: 'Start at login' })
    await expect(toggle).toBeEnabled()
    await expect(toggle).not.toBeChecked()
    await toggle.click()
    await expect(toggle).toBeChecked()
    expect(await readFile(entry, 'utf8')).toMatch(/^Exec=".+" --start-in-tray$/m)
    await toggle.scrollIntoViewIfNeeded()
    await page.screenshot({ path: test.info().outputPath('start.png') })
    expect(await findings(page)).toEqual([])
    await toggle.click()
    await expect(toggle).not.toBeChecked()
    expect(existsSync(entry)).toBe(false)

    // A place that takes no file.
    await rm(join(config, 'autostart'), { recursive: true })
    await writeFile(join(config, 'autostart'), '')
    await toggle.click()
    await expect(page.getByRole('alert').filter({ hasText: 'slipway.desktop' })).toBeVisible()
    await expect(toggle).not.toBeChecked()
    await page.screenshot({ path: test.info().outputPath('refused.png') })
  } finally {
    await app.close()
    await end()
    await rm(config, { recursive: true, force: true, maxRetries: 5 })
  }
})
