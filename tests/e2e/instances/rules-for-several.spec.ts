import type { Page } from '@playwright/test'
import { instanceRow, instancesOf, runRulesInSlipway } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { instances: 3 } } })

async function fillIdleRule(page: Page, within = page.locator('body')): Promise<void> {
  await within.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'When idle' }).click()
  await runRulesInSlipway(within)
  await within.getByLabel('For (min)').fill('90')
  await within.getByRole('button', { name: 'Add a rule' }).click()
}

test('a rule for several instances: those that refuse it are told, and the others have it; a cost limit for all is kept over a restart', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const ids = (await instancesOf(service)).map(({ id }) => id)
  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page, ids[0]).click()
  const rules = page.getByRole('region', { name: 'Auto-stop rules', exact: true })
  await fillIdleRule(page, rules)
  await expect(rules.getByRole('list', { name: 'Auto-stop rules' })).toContainText('Stop after 90 min')

  await page.getByRole('link', { name: /^Instances/ }).click()
  for (const id of ids) await page.getByRole('checkbox', { name: `Select instance ${id}` }).click()
  await page
    .getByRole('group', { name: 'Selected instances' })
    .getByRole('button', { name: 'Add a rule' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add a rule to 3 instances' })
  await dialog.getByRole('button', { name: 'Add a rule' }).click()
  await expect(dialog.getByText('Enter a number of hours above 0')).toBeVisible()
  expect(await findings(page), 'nothing typed').toEqual([])
  await fillIdleRule(page, dialog)
  await expect(dialog.getByRole('alert')).toHaveText(/^1 of 3 instances didn’t get the rule/)
  await expect(dialog.getByText('The instance has a rule with this action and condition.')).toBeVisible()
  expect(await findings(page), 'one has refused it').toEqual([])
  await page.screenshot({ path: test.info().outputPath('rules-for-several.png') })
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByRole('img', { name: /^Auto-stop rules: Stop after 90 min/ })).toHaveCount(3)

  await page.getByRole('button', { name: 'Cost limit' }).click()
  const limit = page.getByRole('dialog', { name: 'Cost limit for all instances' })
  await limit.getByLabel('Stop all instances at ($)').fill('-3')
  await limit.getByRole('button', { name: 'Set limit' }).click()
  await expect(limit.getByText('Enter an amount above $0, such as 20.')).toBeVisible()
  expect(await findings(page), 'refused').toEqual([])
  await page.screenshot({ path: test.info().outputPath('cost-limit.png') })
  await limit.getByLabel('Stop all instances at ($)').fill('20')
  await limit.getByRole('button', { name: 'Set limit' }).click()
  await expect(page.getByRole('button', { name: /^Cost limit: .* of \$20\.00$/ })).toBeVisible()

  await world.app.close()
  const { page: again } = await world.startAgain()
  await again.keyboard.press('Control+K')
  await expect(again.getByRole('combobox')).toBeFocused()
  await again.keyboard.type('cost limit')
  await again.keyboard.press('Enter')
  const asked = again.getByRole('dialog', { name: 'Cost limit for all instances' })
  await expect(asked).toContainText(
    /of \$20\.00 since .*At the current prices, Slipway stops all instances in/,
  )
  expect(await findings(again), 'set').toEqual([])
  await again.screenshot({ path: test.info().outputPath('cost-limit-set.png') })
  await asked.getByRole('button', { name: 'Remove limit' }).click()
  await expect(asked).toHaveCount(0)
  await expect(again.getByRole('button', { name: 'Cost limit', exact: true })).toBeVisible()
})
