import { findings } from '../support/axe.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { keyboardOf } from '../support/keyboard.ts'
import { inOneApp } from '../support/one-app.ts'
import {
  button,
  code,
  enrollTotp,
  methods,
  openSecurity,
  panel,
  verifyByPhone,
} from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none' })

test.describe('in one app, with an account and a window for each test', () => {
  const app = inOneApp()

  test('a method says how often it failed, and when it unlocks', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, 'default', { twoFactorMethods: [{ method: 'totp' }] })
    const [method] = owner.twoFactor.methods
    const fail = (): Promise<unknown> =>
      owner.elsewhere('PUT', 'regen-backup-codes/', {
        tfa_method: 'totp',
        tfa_method_id: method?.id,
        code: '000000',
      })
    await fail()
    await fail()
    await button(page, 'Refresh 2FA status').click()
    await expect(methods(page)).toContainText('2 failed attempts so far')
    for (let more = 0; more < 3; more += 1) await fail()
    await button(page, 'Refresh 2FA status').click()
    await expect(methods(page)).toContainText(/Locked.*after 5 failed attempts. Unlocks in (15:00|14:\d\d)/s)
    await service.clock.advance(15 * 60)
    await button(page, 'Refresh 2FA status').click()
    await expect(methods(page)).not.toContainText('Locked')
  })

  test('a team’s key is refused, in words, and the vault works', async () => {
    const { page, service } = app
    await openSecurity(page, service, 'team')
    await expect(page.getByText('Two-factor authentication isn’t available for teams')).toBeVisible()
    await expect(button(page, 'Set up two-factor authentication')).toHaveCount(0)
    await expect(button(page, 'Add a one-time password')).toBeVisible()
    expect(await findings(page)).toEqual([])
  })

  test('the first method by keyboard alone', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service)
    const press = (key: string) => page.keyboard.press(key)
    await button(page, 'Set up two-factor authentication').focus()
    await press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    while (!(await button(page, 'Authenticator app').evaluate((it) => it === document.activeElement)))
      await press('Tab')
    await press('Enter')
    await expect(button(page, 'Send code')).toBeFocused()
    await press('Enter')
    await expect(code(page)).toBeFocused()
    await expect(page.getByText('A code is on its way')).toBeVisible()
    await page.keyboard.type(owner.lastCode('email'))
    await press('Enter')
    await expect(page.getByLabel('Key', { exact: true })).toBeVisible()
    await expect(code(page)).toBeFocused()
    await enrollTotp(page, service)
    await expect(button(page, 'Copy all')).toBeVisible()
    // What is saved first is what the keyboard is at.
    await expect(panel(page, 'Set up an authenticator app')).toBeFocused()
    for (let tab = 0; tab < 3; tab += 1) await press('Tab')
    await expect(button(page, 'Copy all')).toBeFocused()
    await press('Enter')
    await expect(button(page, 'Continue')).toBeFocused()
    await press('Enter')
    await expect(button(page, 'Close')).toBeFocused()
    await press('Enter')
    await expect(methods(page)).toHaveCount(1)
  })

  test('an account of the old kind is upgraded, without a mouse', async () => {
    const { page, service } = app
    const { press, go, type } = keyboardOf(page)
    const proxy = await startHoldingProxy(service.baseUrl)
    const owner = await openSecurity(page, { ...service, baseUrl: proxy.baseUrl }, 'legacy')
    await expect(page.getByText('On (legacy)')).toBeVisible()
    await go(button(page, 'Upgrade 2FA'))
    expect(await findings(page), 'legacy').toEqual([])
    await expect(button(page, 'Continue')).toBeFocused()
    await press('Enter')
    // Slipway asks how the account is now while the codes are shown already: who types meanwhile is left alone.
    const asked = proxy.hold('GET', '/api/v0/tfa/status/', 'reply')
    await verifyByPhone(page, owner)
    await go(button(page, 'Continue without saving'))
    const words = page.getByLabel('Type “not saved”')
    await type(words, 'not s')
    const status = await asked
    status.release()
    await expect(page.getByText('Saving to the vault…')).toHaveCount(0)
    await expect(words).toBeFocused()
    await page.keyboard.type('aved')
    await press('Enter')
    await expect(page.getByText('Account upgraded')).toBeVisible()
    await expect(button(page, 'Close')).toBeFocused()
    await press('Enter')
    await expect(methods(page)).toHaveCount(1)
    expect(owner.requests().filter((each) => /test|\/resend\/$/.test(each))).toEqual([])
    await proxy.close()
  })

  test('the method of an account of the old kind is removed, without a mouse', async () => {
    const { page, service } = app
    const { press, go } = keyboardOf(page)
    const owner = await openSecurity(page, service, 'legacy')
    await go(button(page, 'Turn off two-factor authentication'))
    await expect(page.getByLabel('Type “turn off”')).toBeFocused()
    await page.keyboard.type('turn off')
    await press('Enter')
    await verifyByPhone(page, owner)
    await expect(page.getByText('Two-factor authentication is off')).toBeVisible()
    await expect(button(page, 'Close')).toBeFocused()
  })

  test('an account of the old kind is one with a method, too, which the window shows beside', async () => {
    const { page, service } = app
    await openSecurity(page, service, 'legacy', { twoFactorMethods: [{ method: 'totp' }] })
    await expect(page.getByText('On (legacy)')).toBeVisible()
    await expect(methods(page)).toHaveCount(1)
    await expect(button(page, 'Upgrade 2FA')).toHaveCount(0)
    await expect(button(page, 'New backup codes')).toBeVisible()
    await button(page, 'Remove').click()
    await expect(page.getByText('For a legacy account')).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
})

test('while the account’s record can’t be read, removing a method warns that 2FA may be off after it', async ({
  world,
}) => {
  const { service } = world
  const { page } = world.app
  service.faults.add({
    kind: 'refused',
    path: '/api/v0/users/current/',
    status: 403,
    error: 'forbidden',
    times: 10_000,
  })
  await openSecurity(page, service, 'legacy', {
    twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: '+12025550142' }],
  })
  await expect(page.getByText('can’t be read')).toBeVisible()
  await button(page, 'Remove').first().click()
  await expect(page.getByText('This may turn off two-factor authentication')).toBeVisible()
  await expect(button(page, 'Continue')).toBeDisabled()
  await expect(button(page, 'Continue')).toHaveAccessibleDescription('To continue, type “turn off”.')
  await page.getByLabel('Type “turn off”').fill('turn off')
  await expect(button(page, 'Continue')).toBeEnabled()
  expect(await findings(page)).toEqual([])
})

test('without the service the last known state stays, with its age', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  await openSecurity(page, service, 'default', { twoFactorMethods: [{ method: 'totp' }] })
  await expect(methods(page)).toHaveCount(1)
  await service.close()
  await button(page, 'Refresh 2FA status').click()
  await expect(page.getByText('The service refused the connection').first()).toBeVisible()
  await expect(methods(page)).toHaveCount(1)
  await expect(page.getByText(/Last checked .* ago/)).toBeVisible()
})
