import {
  instanceRow,
  instancesOf,
  setUp,
  openMenu,
  openTerminal,
  rent,
  runRulesInSlipway,
  untilRunning,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { stopsByTab } from '../support/focus.ts'
import { liveRegionOf, liveRegions } from '../support/live-regions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { offers: 200, bootSeconds: [0, 0] } } })

// Other specs have axe look at their own: the rent sheet, terminals, files, templates, cloud, security, settings, and
// diagnostics.
test('axe finds nothing on any page, dialog or sheet', async ({ world }) => {
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
    .getByRole('button', { name: /^Favorite: offer/ })
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
  for (const name of ['Columns', 'Favorites and blocked', 'Save search']) {
    await page.getByRole('button', { name }).click()
    await check(name)
    await page.keyboard.press('Escape')
  }
  for (const name of ['Add a filter', /^Field: /, /^Order by, row 1/]) {
    await page.getByRole('combobox', { name }).first().click()
    await expect(page.getByRole('option', { name: /^VRAM/ }).first()).toBeVisible()
    await check(`choosing a field (${String(name)})`)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('link', { name: /^Instances/ }).click()
  await expect(page.getByText('You have no instances')).toBeVisible()
  await check('instances, empty')
  await page.getByRole('link', { name: /^Terminals/ }).click()
  await expect(page.getByRole('heading', { name: 'Terminals', level: 1 })).toBeVisible()
  await check('terminals, empty')
  await page.getByRole('link', { name: /^Offers/ }).click()
  await rent(page)
  await expect(instanceRow(page)).toBeVisible()
  await check('instances')
  await page.getByRole('checkbox', { name: 'Select all instances' }).check()
  await page.getByRole('button', { name: 'Destroy 1 instance' }).click()
  await expect(page.getByLabel('Type how many instances')).toBeFocused()
  await check('destroy dialog of several')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await untilRunning(page)
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
  await page.getByRole('link', { name: /^Settings/ }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Diagnostics and reset' }).click()
  await expect(page.getByRole('log')).toBeVisible()
  await page.getByRole('button', { name: 'Reset…' }).click()
  await check('reset')
  await page.keyboard.press('Escape')
  await test.step('a status message comes into a region that was there before it (4.1.3)', async () => {
    await page.getByRole('link', { name: /^Templates/ }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const chooser = page.getByLabel('File with a template')
    await expect(chooser).toBeAttached()
    const before = await liveRegions(page)
    await chooser.setInputFiles({
      name: 'mine.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{}'),
    })
    await expect(page.getByRole('status').filter({ hasText: 'Read mine.json.' })).toBeVisible()
    expect([...before]).toContain(await liveRegionOf(page, 'Read mine.json.'))
    await page.keyboard.press('Escape')
  })
})

test.describe('in a small window with banners', () => {
  test.use({ worldOptions: { service: { offers: 200, bootSeconds: [0, 0] }, keychain: 'absent' } })

  test('nothing has to be dragged (2.5.7), and what has the keyboard is seen (2.4.11)', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    await page.setViewportSize({ width: 960, height: 640 })
    await setUp(page, service)
    const offers = page.getByRole('table', { name: 'Offers' })

    await test.step('columns are moved and sized by clicks', async () => {
      const heads = offers.getByRole('columnheader')
      const widthOfModel = async () => (await heads.filter({ hasText: 'Model' }).boundingBox())?.width ?? 0
      await expect(heads.filter({ hasText: 'Model' })).toBeVisible()
      const [before, order] = [await widthOfModel(), await heads.allInnerTexts()]
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('button', { name: 'Make Model wider' }).click()
      await expect.poll(widthOfModel).toBeGreaterThan(before)
      await page.getByRole('button', { name: 'Make Model narrower' }).click()
      await expect.poll(widthOfModel).toBe(before)
      await page.getByRole('button', { name: 'Move Model right' }).click()
      await expect.poll(() => heads.allInnerTexts()).not.toEqual(order)
      await page.keyboard.press('Escape')
    })

    await test.step('the table is narrowed to some offers by clicks, as by a line around them', async () => {
      const boxes = offers.getByRole('checkbox', { name: /^Select offer/ })
      await boxes.nth(0).click()
      await boxes.nth(2).click()
      await page.getByRole('button', { name: 'Show selected only' }).click()
      await expect(offers).toHaveAttribute('aria-rowcount', '3')
      await page.getByRole('button', { name: 'Filtered to 2' }).click()
      await page.getByRole('button', { name: 'Clear selection' }).click()
    })

    await rent(page)
    await openTerminal(page)
    const [instance] = await instancesOf(service)
    if (instance === undefined) throw new Error('Nothing is rented')

    await test.step('terminals are moved, split and sized by clicks', async () => {
      const tabs = page.getByRole('tab')
      const choose = async (tab: number, ...items: readonly string[]): Promise<void> => {
        await openMenu(tabs.nth(tab))
        // Behind its words an item names its keys.
        for (const name of items) await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click()
      }
      await choose(0, 'Duplicate')
      await expect(tabs).toHaveCount(2)
      const ids = () => tabs.evaluateAll((all) => all.map(({ id }) => id))
      const [first, second] = await ids()
      await choose(1, 'Move left')
      await expect.poll(ids).toEqual([second, first])
      await choose(0, 'Split right')
      await expect(tabs).toHaveCount(3)
      const panes = page.getByRole('region', { name: 'Terminal' })
      const widthOfFirst = async () => (await panes.nth(0).boundingBox())?.width ?? 0
      await expect(panes).toHaveCount(2)
      const before = await widthOfFirst()
      await choose(0, 'Resize split', 'Wider')
      await expect.poll(widthOfFirst).toBeGreaterThan(before)
      await page.getByRole('menuitem', { name: 'Narrower' }).click()
      await expect.poll(widthOfFirst).toBeLessThan(before + 8)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
    })

    // Not the terminals' own page: there Tab is the shell's. Files are copied by buttons in files.spec.ts.
    const { id } = instance
    const pages = [
      ['/offers', offers.getByRole('row').nth(1)],
      ['/instances', instanceRow(page)],
      [`/instances/${id}`, page.getByText('Charged now')],
      [`/instances/${id}/files`, page.getByRole('region', { name: 'The instance' }).getByText('.ssh')],
      ['/templates', page.getByRole('table', { name: 'Templates' }).getByRole('row').nth(1)],
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
        await expect(page.getByText(/stores secrets in memory until you quit/).first()).toBeVisible()
        // What comes and goes moves what is above it.
        await expect(page.getByRole('region', { name: 'What happened' }).getByRole('listitem')).toHaveCount(0)
        const { count, hidden } = await stopsByTab(page)
        expect.soft(hidden, path).toEqual([])
        // The frame alone has more than ten.
        expect(count).toBeGreaterThan(10)
      })

    await test.step('a banner that gives way to one that matters more leaves the page the keyboard', async () => {
      await page.evaluate((to) => void (location.hash = `/instances/${to}`), id)
      const rules = page.getByRole('region', { name: 'Auto-stop rules', exact: true })
      await runRulesInSlipway(rules)
      await rules.getByLabel('Hours from now').fill('0.1')
      const check = page.getByRole('button', { name: 'Check again', exact: true }).first()
      await check.focus()
      // As another page of the account would: the keyboard stays where it is.
      await rules.getByRole('button', { name: 'Add a rule' }).dispatchEvent('click')
      await expect(
        page.getByRole('region', { name: new RegExp(`^Instance ${id} will be stopped`) }),
      ).toBeVisible()
      await expect(check).toBeHidden()
      await expect(page.locator('#page')).toBeFocused()
    })
  })
})
