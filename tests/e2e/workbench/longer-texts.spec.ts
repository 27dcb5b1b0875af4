import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { cutOff, lengthenTexts } from '../support/longer-texts.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 50, bootSeconds: [0, 0] } } })

test('with texts half as long again, nothing in the smallest window is cut without a way to read it', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await page.setViewportSize({ width: 960, height: 600 })
  const offers = page.getByRole('table', { name: 'Offers' })
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  if (instance === undefined) throw new Error('Nothing is rented')

  await test.step('the names of the pages themselves fit', async () => {
    const labels = page.getByRole('navigation', { name: 'Pages' }).locator('a > span.truncate')
    await expect(labels).toHaveCount(8)
    expect(
      await labels.evaluateAll((all) => all.every((label) => label.scrollWidth <= label.clientWidth)),
    ).toBe(true)
  })

  await test.step('a long list under a button ends in the window', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    const list = page.getByRole('group', { name: 'Columns', exact: true })
    await expect(list.getByRole('checkbox').first()).toBeVisible()
    const box = await list.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(600)
    await page.keyboard.press('Escape')
  })

  const details = page.getByRole('region', { name: 'Auto-stop rules', exact: true })
  const pages = [
    ['/offers', offers.getByRole('row').nth(1)],
    ['/instances', instanceRow(page)],
    [`/instances/${instance.id}`, details],
    [`/instances/${instance.id}/files`, page.getByRole('region', { name: 'The instance' })],
    ['/terminals', page.getByText('No open terminals')],
    ['/templates', page.getByRole('table', { name: 'Templates' }).getByRole('row').nth(1)],
    ['/templates/new', page.getByRole('heading', { name: 'New template' })],
    ['/cloud', page.getByRole('button', { name: 'Add a connection' })],
    ['/security', page.getByText('Vault on this computer')],
    ['/account', page.getByRole('heading', { level: 1 })],
    ['/settings', page.getByRole('button', { name: 'Import from ~/.ssh/known_hosts' })],
    ['/jobs', page.getByRole('button', { name: 'New job' })],
    ['/run', page.getByLabel('Command', { exact: true })],
    ['/diagnostics', page.getByRole('log')],
  ] as const
  for (const [path, sign] of pages)
    await test.step(path, async () => {
      await page.evaluate((to) => void (location.hash = to), path)
      await expect(sign).toBeVisible()
      // What is laid out by a text's width is measured when the width changes.
      await page.setViewportSize({ width: 1000, height: 600 })
      await lengthenTexts(page)
      await page.setViewportSize({ width: 960, height: 600 })
      await expect.poll(() => cutOff(page), { message: path, timeout: 5_000 }).toEqual([])
    })
})
