import { connect } from '../support/actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none' })

const fields = [
  ['Font size (px)', '20', '7'],
  ['Scrollback lines', '500', '1.5'],
  ['Warn when credit lasts less than (h)', '2.5', '0'],
  ['Warn after no connection for (h)', '3', ''],
  ['Hide secrets after inactivity (min)', '9', '61'],
  ['Background refresh interval (s)', '60', '9'],
] as const

test('a number that is set stays in its field, one that cannot be kept too, and both are there after a reset', async ({
  world,
}) => {
  const { page } = world.app
  await connect(page, world.service)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
  const back = page.getByRole('button', { name: /^Reset to default: / })
  for (const [label, good, bad] of fields) {
    const field = page.getByLabel(label, { exact: true })
    const before = await field.inputValue()
    await field.fill(good)
    await field.press('Enter')
    await expect(back).toBeVisible()
    await expect(field).toHaveValue(good)
    await field.fill(bad)
    await field.press('Enter')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveValue(bad)
    await back.click()
    await expect(field).toHaveValue(before)
    await expect(back).toHaveCount(0)
  }
})
