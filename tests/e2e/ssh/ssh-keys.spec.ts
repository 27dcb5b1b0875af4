import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withAuthorizedKey } from '#domain/renting/onstart.ts'
import { chooseOffer, connect, instanceRow, screenText, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a key file with a passphrase: asked when it is needed, told when wrong, remembered, forgotten', async ({
  world,
}) => {
  const { page } = world.app
  const folder = join(world.userData, 'home', '.ssh')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'id_ed25519')
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', file])
  const dialog = page.getByRole('dialog', { name: 'Passphrase needed' })

  await test.step('it is chosen at the first run, and rented with', async () => {
    await connect(page, world.service)
    await page.getByRole('button', { name: 'Use this file' }).click()
    await expect(page.getByText('Enter a value.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Identity file' }).fill('~/.ssh/id_rsa')
    await page.getByRole('button', { name: 'Use this file' }).click()
    await expect(page.getByRole('alert')).toContainText('there is no such file')
    await page.getByRole('textbox', { name: 'Identity file' }).fill('~/.ssh/id_ed25519')
    await page.getByRole('button', { name: 'Use this file' }).click()
    await expect(page.getByText('Used; asks for its passphrase')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Find a machine' }).click()
    await chooseOffer(page)
    await page
      .getByLabel('Start script')
      .fill(withAuthorizedKey('', (await readFile(`${file}.pub`, 'utf8')).trim()))
    await page.getByLabel('Add my SSH key to the machine').click()
    await page.getByRole('button', { name: 'Rent this machine' }).click()
  })

  await test.step('the terminal asks, says that it was wrong, and opens', async () => {
    await untilRunning(page)
    await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
    await page.getByRole('button', { name: 'Trust this host' }).click()
    await expect(dialog).toContainText('~/.ssh/id_ed25519')
    await expect(dialog.getByLabel('Passphrase')).toBeFocused()
    expect(await findings(page)).toEqual([])
    await page.keyboard.type('sesame\n')
    await expect(dialog).toContainText('This passphrase doesn’t open the key.')
    await dialog.getByLabel('Passphrase').fill('open sesame')
    await dialog.getByLabel('Remember in the keychain').click()
    await dialog.getByRole('button', { name: 'Unlock' }).click()
    await expect.poll(() => screenText(page)).toContain('instance-')
  })

  await test.step('the next run does not ask', async () => {
    await world.app.close()
    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(again).getByRole('button', { name: 'Open terminal' }).click()
    await expect.poll(() => screenText(again)).toContain('instance-')
    await again.getByRole('link', { name: /^Settings/ }).click()
    await expect(again.getByText('Used; passphrase in the keychain')).toBeVisible()
    expect(await findings(again)).toEqual([])
    await again.getByRole('button', { name: /^Forget the passphrase of/ }).click()
    await expect(again.getByText('Used; asks for its passphrase')).toBeVisible()
    await again.getByRole('button', { name: /^Remove ~/ }).click()
    await expect(again.getByRole('list', { name: 'Identity files' })).toHaveCount(0)
  })
})
