import type { Page } from '@playwright/test'
import { findings } from '../support/axe.ts'
import { watchFor } from '../support/passing-words.ts'
import { button, freshTotp, openSecurity, totpSecret, verifyBy } from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none' })

const banner = (page: Page) => page.getByRole('region', { name: 'Requests use your admin session' })

test('an admin session is used for all requests as long as it is chosen, which is shown, with a way back', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const owner = await openSecurity(page, service, 'admin', { tfaMethods: [{ method: 'totp' }] })
  await button(page, 'Sign in as admin').click()
  await verifyBy(page, await freshTotp(service, totpSecret(owner)))
  await button(page, 'Close').click()

  const command = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
  }
  /** By which session the list of instances is read next; `null`: by the API key. */
  const nextListBy = async () => {
    const from = service.journal().length
    await command('Refresh instances')
    const listed = () =>
      service
        .journal()
        .slice(from)
        .find(({ path, status }) => path === '/api/v0/instances/' && status === 200)
    await expect.poll(listed).toBeDefined()
    return listed()?.session
  }
  // A session alone changes nothing.
  expect(await nextListBy()).toBeNull()
  await expect(banner(page)).toHaveCount(0)

  await button(page, 'Use admin session for all requests').focus()
  await page.keyboard.press('Enter')
  await expect(banner(page)).toBeVisible()
  // The same button is the way back now.
  const session = page.getByRole('region', { name: 'Session', exact: true })
  await expect(session.getByRole('button', { name: 'Use API key' })).toBeFocused()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: test.info().outputPath(`${colorScheme}.png`) })
  }
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 960, height: 700 })
  await page.screenshot({ path: test.info().outputPath('narrow.png') })
  await page.setViewportSize(size)
  expect(await findings(page)).toEqual([])
  expect(await nextListBy()).toBe('admin')

  // It's on every page, and its button goes with it.
  await page.getByRole('link', { name: 'Instances' }).click()
  await banner(page).getByRole('button', { name: 'Use API key' }).focus()
  await page.keyboard.press('Enter')
  await expect(banner(page)).toHaveCount(0)
  await expect(page.locator('#page')).toBeFocused()
  expect(await nextListBy()).toBeNull()

  await command('Use admin session for all requests')
  await expect(banner(page)).toBeVisible()

  // A session lives for a day at the service.
  await service.clock.advance(24 * 60 * 60)
  const told = page.getByRole('region', { name: 'What happened' })
  const timesTold = await watchFor(told, 'Requests use your API key again')
  expect(await nextListBy()).toBeNull()
  await expect(banner(page)).toHaveCount(0)
  await expect.poll(timesTold).toBe(1)
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(button(page, 'Sign in as admin')).toBeVisible()
})

test('an admin session that ended is told when it’s chosen, after its line has gone, and the keyboard stays in the page', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const owner = await openSecurity(page, service, 'admin', { tfaMethods: [{ method: 'totp' }] })
  await button(page, 'Sign in as admin').click()
  await verifyBy(page, await freshTotp(service, totpSecret(owner)))
  await button(page, 'Close').click()

  await service.clock.advance(24 * 60 * 60)
  await button(page, 'Use admin session for all requests').focus()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Sign in as admin')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText(
    'The service no longer accepts it. Nothing was changed. Requests use your API key again.',
  )
  await expect(page.locator('#page')).toBeFocused()
  await expect(banner(page)).toHaveCount(0)
})
