import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { findings } from '../support/axe.ts'
import { keychainEntries } from '../support/keychain-entries.ts'
import { button, code, declineCodes, openSecurity, totp, verifyBySent } from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none' })

const run = promisify(execFile)

/** Main's clock, two hours fast: what the machine's own settings do to `Date`. */
const twoHoursFast = `data:text/javascript,${encodeURIComponent(
  'const now = Date.now; Date.now = () => now() + 7200000',
)}`

/** What is shown is what an independent generator says for the true time. */
async function expectTrueCode(page: Page, secret: string): Promise<void> {
  const shown = page.getByLabel(/^Code of /)
  const oathtool = async () => (await run('oathtool', ['--totp', '--base32', secret])).stdout.trim()
  await expect
    .poll(async () => (await shown.textContent())?.replace(' ', '') === (await oathtool()))
    .toBe(true)
}

test('enrolled with a keychain that is locked in the middle and restarted; the code is right offline, two hours off', async ({
  world,
}) => {
  const { service, keyring } = world
  let { page } = world.app
  const owner = await openSecurity(page, service)
  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Authenticator app').click()
  await verifyBySent(page, owner, 'email')
  const key = page.getByLabel('Key', { exact: true })
  const secret = (await key.innerText()).replaceAll(/\s/g, '')
  owner.requests()

  await test.step('locked before the code: nothing is sent, nothing is overwritten, what was typed stays', async () => {
    const before = await keychainEntries(world)
    await keyring?.lock()
    const typed = totp(service, secret)
    await code(page).fill(typed)
    await button(page, 'Verify').click()
    await expect(page.getByText('The keychain is locked').first()).toBeVisible()
    await expect(page.getByText('Nothing is lost').first()).toBeVisible()
    await expect(code(page)).toHaveValue(typed)
    await expect(button(page, 'Verify')).toBeEnabled()
    expect(owner.requests()).toEqual([])
    expect(await findings(page), 'locked in the middle').toEqual([])
    await keyring?.unlock()
    expect(await keychainEntries(world)).toEqual(before)
  })

  await test.step('unlocked: the same secret is confirmed', async () => {
    await code(page).fill(totp(service, secret))
    await button(page, 'Verify').click()
    await declineCodes(page)
    await button(page, 'Close').click()
    await expectTrueCode(page, secret)
  })

  const kept = await keychainEntries(world)
  await test.step('the network is gone, the clock is wrong, the keyring was restarted without its password', async () => {
    await world.app.close()
    await service.close()
    await keyring?.stopDaemon()
    await keyring?.startDaemon({ locked: true })
    page = (await world.startAgain({ NODE_OPTIONS: `--import=${twoHoursFast}` })).page
    await page.getByRole('link', { name: 'Security' }).click()
    const entries = page.getByRole('list', { name: 'One-time passwords' })
    await expect(entries.getByText('Keychain locked')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Show the key of/ })).toBeDisabled()
    // How it is opened is said once, on every page.
    await expect(page.getByText('Unlock it in your desktop’s password app')).toHaveCount(1)
    expect(await findings(page), 'locked at the start').toEqual([])
    await expect(page.getByText(/clock is [12] h ahead/)).toBeVisible()
    await keyring?.unlock()
    // It may look by itself just then.
    const check = button(page, 'Check again')
    await expect(async () => {
      if (await check.isVisible()) await check.click({ timeout: 1_000 })
      await expect(check).toBeHidden({ timeout: 5_000 })
    }).toPass({ timeout: 90_000 })
    await expectTrueCode(page, secret)
    expect(await keychainEntries(world)).toEqual(kept)
  })
})
