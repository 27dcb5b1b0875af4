import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connect, instanceRow, screenText, untilRunning } from '../support/actions.ts'
import { makeKeyFile, rentForKeyFile } from '../support/rent-actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { bootSeconds: [0, 0] } } })

test('logins go by ~/.ssh/config until that is switched off', async ({ world }) => {
  const { page } = world.app
  const file = await makeKeyFile(world.userData, 'rented')
  await writeFile(join(dirname(file), 'config'), 'Host slipway-*\n  IdentityFile ~/.ssh/rented\n')

  await test.step('a machine that knows a key of the configuration is rented', async () => {
    await connect(page, world.service)
    await page.getByRole('button', { name: 'Create SSH key' }).click()
    await rentForKeyFile(page, file)
  })

  await test.step('the terminal opens with that key', async () => {
    await untilRunning(page)
    await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
    await page.getByRole('button', { name: 'Trust this host' }).click()
    const dialog = page.getByRole('dialog', { name: 'Passphrase needed' })
    await expect(dialog).toContainText('~/.ssh/rented')
    await dialog.getByLabel('Passphrase').fill('open sesame')
    await dialog.getByLabel('Remember in the keychain').click()
    await dialog.getByRole('button', { name: 'Unlock' }).click()
    await expect.poll(() => screenText(page)).toContain('instance-')
  })

  await test.step('the next run is told to forget its passphrase, and to leave it alone', async () => {
    await world.app.close()
    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: /^Settings/ }).click()
    const kept = again.getByRole('list', { name: 'Other saved passphrases' })
    await expect(kept).toContainText('~/.ssh/rented')
    const goBy = again.getByRole('switch', { name: 'Use ~/.ssh/config' })
    await goBy.scrollIntoViewIfNeeded()
    await again.screenshot({ path: test.info().outputPath('settings.png') })
    expect(await findings(again)).toEqual([])
    await kept.getByRole('button', { name: 'Forget passphrase of ~/.ssh/rented' }).click()
    await expect(kept).toHaveCount(0)
    await goBy.click()
    await expect(goBy).not.toBeChecked()
    await again.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(again).getByRole('button', { name: 'Open terminal' }).click()
    await expect(again.getByText('The host accepted none of your keys').first()).toBeVisible()
  })
})
