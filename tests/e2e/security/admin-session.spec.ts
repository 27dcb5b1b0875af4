import type { Page } from '@playwright/test'
import { chooseOffer } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { watchFor } from '../support/passing-words.ts'
import {
  button,
  freshTotp,
  openSecurity,
  type Owner,
  totpSecret,
  verifyBy,
} from '../support/security-actions.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none' })

/** The account in the top bar, while its requests go by the session. */
const mark = (page: Page) => page.getByRole('button', { name: /^Account:.*Admin session/ })

async function signInAsAdmin({ app: { page }, service }: World, owner: Owner): Promise<void> {
  await button(page, 'Sign in as admin').click()
  await verifyBy(page, await freshTotp(service, totpSecret(owner)))
  await button(page, 'Close').click()
}

test('an admin session is used for all requests as long as it is chosen and lasts, which is shown, with a way back', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const owner = await openSecurity(page, service, 'admin', { twoFactorMethods: [{ method: 'totp' }] })
  await signInAsAdmin(world, owner)

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
  await expect(mark(page)).toHaveCount(0)

  await button(page, 'Use admin session for all requests').focus()
  await page.keyboard.press('Enter')
  await expect(mark(page)).toBeVisible()
  // The same button is the way back now.
  const session = page.getByRole('region', { name: 'Session', exact: true })
  await expect(session.getByRole('button', { name: 'Use API key' })).toBeFocused()
  expect(await nextListBy()).toBe('admin')

  // It stays beside what matters more: a rental whose reply is lost.
  service.faults.add({ method: 'PUT', path: '/api/v0/asks/*', kind: 'reset-after' })
  await page.getByRole('link', { name: 'Offers' }).click()
  await chooseOffer(page)
  await page.getByRole('switch', { name: 'Add my SSH key to the machine' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await page.getByRole('button', { name: 'Show instances' }).click()
  await expect(page.getByRole('region', { name: /was rented/ })).toBeVisible()
  await expect(mark(page)).toBeVisible()

  await mark(page).focus()
  await page.keyboard.press('Enter')
  const back = page.getByRole('dialog').getByRole('button', { name: 'Use API key' })
  await expect(page.getByRole('dialog')).toContainText('Requests use your admin session.')
  for (const colorScheme of ['dark', 'light'] as const)
    for (const width of [1280, 960]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 713 })
      await page.screenshot({ path: test.info().outputPath(`${colorScheme}-${width}.png`) })
    }
  await page.setViewportSize({ width: 1280, height: 713 })
  expect(await findings(page)).toEqual([])
  await back.focus()
  await page.keyboard.press('Enter')
  await expect(mark(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeFocused()
  expect(await nextListBy()).toBeNull()

  await command('Use admin session for all requests')
  await expect(mark(page)).toBeVisible()

  // A session lives for a day at the service.
  await service.clock.advance(24 * 60 * 60)
  const told = page.getByRole('region', { name: 'What happened' })
  const timesTold = await watchFor(told, 'Requests use your API key again')
  expect(await nextListBy()).toBeNull()
  await expect(mark(page)).toHaveCount(0)
  await expect.poll(timesTold).toBe(1)
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(button(page, 'Sign in as admin')).toBeVisible()

  await test.step('one that ended is told when it’s chosen, after its line has gone, and the keyboard stays in the page', async () => {
    await signInAsAdmin(world, owner)
    await service.clock.advance(24 * 60 * 60)
    await button(page, 'Use admin session for all requests').focus()
    await page.keyboard.press('Enter')
    await expect(button(page, 'Sign in as admin')).toBeVisible()
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText(
      'The service no longer accepts it. Nothing was changed. Requests use your API key again.',
    )
    await expect(page.locator('#page')).toBeFocused()
    await expect(mark(page)).toHaveCount(0)
  })
})
