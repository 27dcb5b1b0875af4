import { chooseOffer, instanceRow } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { keychainEntries } from '../support/keychain-entries.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 30, instances: 1, bootSeconds: [0, 0] } } })

test('an instance’s own key that was saved is shown again, copied, and removed; for another it is said where it is', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await chooseOffer(page)
  await page.getByRole('switch', { name: 'Save the instance’s API key' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  const once = page.getByRole('region', { name: /shows its API key only once/ })
  await once.getByRole('button', { name: 'Reveal' }).click()
  const key = (await once.locator('code').innerText()).trim()
  const id = Number(/Instance (\d+) rented/.exec(await once.innerText())?.[1])
  await test.step('copied when it is new, for as long as other secrets', async () => {
    await once.getByRole('button', { name: 'Copy the instance’s key' }).click()
    await expect(once).toContainText('Key copied. The clipboard is cleared in')
    expect.soft(await findings(page)).toEqual([])
  })
  await page.getByRole('button', { name: 'Show instances' }).click()

  await instanceRow(page, id).click()
  const box = page.getByRole('region', { name: 'Instance API key' })
  await expect(box).toContainText('Auto-stop rules on the instance use it.')
  await expect(box).toContainText('in the keychain')
  await test.step('shown for a minute, and gone from the page with its dialog', async () => {
    // By the keyboard: what was just rented is noted above it, which moves the button.
    await box.getByRole('button', { name: 'Show key' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('API key', { exact: true })).toHaveText(key)
    await expect(dialog).toContainText(/Hidden again in \d+ s/)
    expect.soft(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
    await expect.poll(() => page.content()).not.toContain(key)
    await expect(box.getByRole('button', { name: 'Show key' })).toBeFocused()
  })
  await test.step('copied, for as long as other secrets', async () => {
    await box.getByRole('button', { name: 'Copy key' }).click()
    await expect(box).toContainText('The key is copied. The clipboard is cleared in')
  })
  await test.step('removed once it was said what that means, and from the keychain, too', async () => {
    const kept = async () =>
      [...(await keychainEntries(world)).keys()].filter((name) => name.startsWith('instance-key/'))
    expect(await kept()).toHaveLength(1)
    await box.getByRole('button', { name: 'Remove key' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('The key isn’t revoked.')
    await expect(dialog).toContainText('Rules that you add or change later')
    expect.soft(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove key' }).click()
    await expect(box).toContainText('Not saved on this computer.')
    await expect(dialog).toBeHidden()
    expect(await kept()).toEqual([])
    expect(service.journal().filter(({ method }) => method === 'DELETE')).toEqual([])
  })
  await test.step('an instance whose key was never saved', async () => {
    await page.getByRole('button', { name: 'All instances' }).click()
    await page
      .getByRole('table', { name: 'Instances' })
      .getByRole('row')
      .filter({ hasNotText: String(id) })
      .nth(1)
      .click()
    await expect(box).toContainText('CONTAINER_API_KEY, which auto-stop rules there use.')
    expect.soft(await findings(page)).toEqual([])
  })
})

test('an instance’s own key that the keychain doesn’t take is copied for as long as other secrets, too', async ({
  world,
}) => {
  const { app, keyring } = world
  const { page } = app
  await chooseOffer(page)
  await page.getByRole('switch', { name: 'Save the instance’s API key' }).click()
  await keyring?.lock()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  const once = page.getByRole('region', { name: /shows its API key only once/ })
  await expect(once).toContainText('Copy it now and save it elsewhere if you need it.')
  await once.getByRole('button', { name: 'Copy the instance’s key' }).click()
  await expect(once).toContainText('Key copied. The clipboard is cleared in')
  expect.soft(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('not-saved.png') })
})
