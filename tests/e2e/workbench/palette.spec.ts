import { instancesOf, openTerminal, rent, screenText, type, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200, bootSeconds: [0, 0] } } })

test('the palette leads to pages and instances by a few letters, and leaves the shell its keys', async ({
  world,
}) => {
  const { page } = world.app
  await expect(page.getByRole('table', { name: 'Offers' })).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const entries = palette.getByRole('option')
  const field = palette.getByRole('combobox')

  await test.step('pages', async () => {
    await page.keyboard.press('Control+K')
    await expect(palette).toBeVisible()
    expect(await findings(page)).toEqual([])
    await expect(field).toBeFocused()
    await page.keyboard.type('secu')
    await expect(entries).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible()
    await expect(palette).toHaveCount(0)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet).toContainText('Go to, from a terminal')
    await sheet.getByText('Running a command').scrollIntoViewIfNeeded()
    const edge = async (box: typeof sheet) => (await box.boundingBox())?.x ?? 0
    expect(await edge(sheet.getByText('Running a command'))).toBeLessThan(
      (await edge(sheet)) + ((await sheet.boundingBox())?.width ?? 0),
    )
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
  })

  await test.step('what cannot be done now says why', async () => {
    await page.keyboard.press('Control+K')
    await expect(field).toBeFocused()
    await page.keyboard.type('reopen')
    await expect(entries.first()).toContainText('No terminal was closed')
    await expect(entries.first()).toBeDisabled()
    await page.keyboard.press('Enter')
    await expect(palette).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(palette).toHaveCount(0)
  })

  await test.step('instances, by what can be done with them', async () => {
    await page.getByRole('link', { name: 'Offers' }).click()
    await rent(page)
    await untilRunning(page)
    await page.getByRole('button', { name: 'Go to', exact: true }).click()
    await expect(field).toBeFocused()
    await page.keyboard.type('files of')
    await expect(entries).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Go to', exact: true })).toBeFocused()
  })

  await test.step('what costs or ends something opens the page’s own dialog, and does nothing', async () => {
    await page.keyboard.press('Control+K')
    await expect(field).toBeFocused()
    await page.keyboard.type('destroy')
    await expect(entries).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Destroy for good' })).toBeDisabled()
    expect(await instancesOf(world.service)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('dialogs of other pages, templates of the service, and what was chosen lately', async () => {
    await page.keyboard.press('Control+K')
    await expect(field).toBeFocused()
    await page.keyboard.type('add a one')
    await expect(entries.first()).toContainText('Add a one-time password')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Add a one-time password' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Control+K')
    await expect(palette.getByRole('group').first()).toHaveAttribute('aria-label', 'Recent')
    await expect(field).toBeFocused()
    await page.keyboard.type('pytorch')
    await expect(palette.getByRole('group', { name: 'Templates' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/#\/templates\/\d+$/)
    await page.getByRole('link', { name: /^Instances/ }).click()
  })

  await test.step('a shell keeps Ctrl+K; with Shift the palette opens over it', async () => {
    await openTerminal(page)
    await type(page, 'echo gone')
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+K')
    await page.keyboard.type('echo it-was-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toContain('it-was-42')
    expect(await screenText(page)).not.toContain('echo gone')
    await expect(palette).toHaveCount(0)
    await page.keyboard.press('Control+Shift+K')
    await expect(palette).toBeVisible()
    await expect(field).toBeFocused()
    await page.keyboard.type('offers')
    await expect(entries.first()).toContainText(/offers/i)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table', { name: 'Offers' })).toBeVisible()
  })

  await test.step('a closed terminal is opened again', async () => {
    await page.getByRole('link', { name: /^Terminals/ }).click()
    const tabs = page.getByRole('tab')
    await tabs.first().press('Delete')
    await page.getByRole('button', { name: 'Close terminal' }).click()
    await expect(page.getByText('No open terminals')).toBeVisible()
    await page.keyboard.press('Control+K')
    await expect(field).toBeFocused()
    await page.keyboard.type('reopen')
    await expect(entries.first()).toContainText('Its tab and folder')
    await page.keyboard.press('Enter')
    await expect(tabs).toHaveCount(1)
  })
})
