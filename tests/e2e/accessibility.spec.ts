import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { chooseOffer, instanceRow, openTerminal, rent, setUp } from './actions.ts'
import { expect, test } from './world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** What axe finds on the page as it stands, in both themes. */
async function findings(page: Page): Promise<string[]> {
  // A toast that is leaving is not the page as it stands.
  await expect(page.getByRole('region', { name: /notifications/i }).getByRole('listitem')).toHaveCount(0)
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    for (const { id, nodes } of violations)
      found.push(...nodes.map((node) => `${colorScheme}: ${id} ${node.target.join(' ')}`))
  }
  return found
}

test('axe finds nothing on any page, dialog or sheet', async ({ world }) => {
  test.setTimeout(240_000)
  const { service, app } = world
  const { page } = app
  const check = (where: string) =>
    test.step(where, async () => expect.soft(await findings(page), where).toEqual([]))

  await expect(page.getByLabel('Service address')).toBeVisible()
  await check('first run, connect')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await check('first run, with errors')
  await setUp(page, service)
  await expect(page.getByRole('table', { name: 'Offers' })).toBeVisible()
  await check('offers')
  await page.getByLabel('Limit', { exact: true }).fill('many')
  await page.getByRole('button', { name: 'JSON' }).click()
  await page
    .getByRole('checkbox', { name: /^Select offer/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Favourite: offer/ })
    .first()
    .click()
  await check('offers, with errors and a selection')
  await page.getByLabel('Limit', { exact: true }).fill('100')
  await page
    .getByRole('button', { name: /^More for offer/ })
    .first()
    .click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await check('an offer’s menu')
  await page.keyboard.press('Escape')
  for (const name of ['Columns', 'Marked', 'Save search']) {
    await page.getByRole('button', { name }).click()
    await check(name)
    await page.keyboard.press('Escape')
  }
  await page.getByText('Add a filter').click()
  await check('the fields to filter by')
  await page.keyboard.press('Escape')
  await chooseOffer(page)
  await check('rent sheet')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Instances/ }).click()
  await expect(page.getByText('You have no instances')).toBeVisible()
  await check('instances, empty')
  await page.getByRole('link', { name: /^Terminals/ }).click()
  await check('terminals, empty')
  await page.getByRole('link', { name: /^Offers/ }).click()
  await rent(page)
  await expect(instanceRow(page)).toBeVisible()
  await check('instances')
  await page.getByRole('checkbox', { name: 'Select all instances' }).check()
  await check('instances, chosen')
  await page.getByRole('button', { name: 'Destroy 1 instance' }).click()
  await expect(page.getByLabel('Type how many instances')).toBeFocused()
  await check('destroy dialog of several')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Choose none' }).click()
  await instanceRow(page).getByText('Running').click()
  await expect(page.getByRole('button', { name: 'All instances' })).toBeVisible()
  await check('instance')
  await page.getByRole('button', { name: 'Add to SSH configuration…' }).click()
  await expect(page.getByRole('button', { name: 'Add the line' })).toBeVisible()
  await check('SSH configuration')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'All instances' }).click()
  await instanceRow(page).getByRole('button', { name: 'Destroy' }).click()
  await expect(page.getByLabel('Type the instance id')).toBeVisible()
  await check('destroy dialog')
  await page.keyboard.press('Escape')
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  await expect(page.getByRole('dialog', { name: 'Unknown host' })).toBeVisible()
  await check('unknown host')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: /^Instances/ }).click()
  await openTerminal(page)
  await check('terminal')
  await page.getByRole('link', { name: /^Settings/ }).click()
  await check('settings')
})
