import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({
  account: 'none',
  worldOptions: { service: { offers: 1 }, env: { SLIPWAY_PROXY_LOGIN: 'ada:canary-7c1e' } },
})

test('a proxy that asks for a login is told of, signed in to, and the service is reached', async ({
  world,
}) => {
  const { app, service, userData } = world
  const { page } = app
  test.skip(app.host === 'electron', 'the system has no proxy of the test’s own')
  await connect(page, service)
  await expect(page.getByText('Proxy sign-in needed').last()).toBeVisible()
  expect(service.journal()).toEqual([])

  const banner = page.getByRole('region', { name: /^(Proxy sign-in needed|The proxy refused your sign-in)$/ })
  await expect(banner).toContainText('proxy.example:8080')
  await page.screenshot({ path: test.info().outputPath('banner.png') })
  await banner.getByRole('button', { name: 'Sign in to proxy…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to proxy' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog).toContainText('unencrypted')
  await page.screenshot({ path: test.info().outputPath('dialog.png') })
  expect(await findings(page)).toEqual([])
  await dialog.getByLabel('Name').fill('ada')
  await dialog.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(banner).toHaveCount(0)
  // The button that opened the dialog is gone with its banner: the keyboard is somewhere all the same.
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

  const again = page.getByRole('button', { name: 'Connect', exact: true })
  await again.click()
  await expect(banner).toContainText('The proxy refused your sign-in')
  await banner.getByRole('button', { name: 'Sign in to proxy…' }).click()
  await expect(dialog).toContainText('The proxy refused the name or password.')
  await dialog.getByLabel('Name').fill('ada')
  await dialog.getByLabel('Password').fill('canary-7c1e')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(banner).toHaveCount(0)

  await again.click()
  await expect(page.getByRole('button', { name: 'Create SSH key' })).toBeVisible()
  expect(service.journal().length).toBeGreaterThan(0)
  const files = await readdir(userData, { recursive: true, withFileTypes: true })
  const own = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const texts = await Promise.all(own.map((file) => readFile(file, 'latin1').catch(() => '')))
  expect(own.filter((_, at) => texts[at]?.includes('canary-7c1e'))).toEqual([])
  expect(own.some((file) => file.endsWith('accounts.json'))).toBe(true)
})
