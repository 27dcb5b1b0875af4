import { setUp } from './actions.ts'
import { expect, test } from './world-test.ts'

test('updates are a command away before an account is connected, and come into view again when asked for again', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const goToUpdates = async (): Promise<void> => {
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('updates')
    await page.keyboard.press('Enter')
  }

  await expect(page.getByRole('heading', { name: 'Connect your account' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Updates' })).toHaveCount(0)
  await goToUpdates()
  await expect(page.getByRole('heading', { name: 'Updates' })).toBeInViewport()
  await expect(page.getByText('This build does not update itself.')).toBeVisible()

  await setUp(page, service)
  await page.getByRole('link', { name: 'Settings' }).click()
  await goToUpdates()
  const updates = page.getByRole('heading', { name: 'Updates' })
  await expect(updates).toBeInViewport()
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -10_000)
  await expect(updates).not.toBeInViewport()
  await goToUpdates()
  await expect(updates).toBeInViewport()
})
