import { findings } from '../support/axe.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { keyboardOf } from '../support/keyboard.ts'
import { button, methods, openSecurity, verifyByPhone } from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

/** What the service calls legacy: it shows so, and each procedure goes without a mouse. */

test.use({ account: 'none', worldOptions: { service: { offers: 1 } } })

test('an account of the old kind is upgraded', async ({ world }) => {
  const { page } = world.app
  const { press, go, type } = keyboardOf(page)
  const proxy = await startHoldingProxy(world.service.baseUrl)
  const owner = await openSecurity(page, { ...world.service, baseUrl: proxy.baseUrl }, 'legacy')
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

test('the method of an account of the old kind is removed', async ({ world }) => {
  const { page } = world.app
  const { press, go } = keyboardOf(page)
  const owner = await openSecurity(page, world.service, 'legacy')
  await go(button(page, 'Turn off two-factor authentication'))
  await expect(page.getByLabel('Type “turn off”')).toBeFocused()
  await page.keyboard.type('turn off')
  await press('Enter')
  await verifyByPhone(page, owner)
  await expect(page.getByText('Two-factor authentication is off')).toBeVisible()
  await expect(button(page, 'Close')).toBeFocused()
})

test('an account of the old kind is one with a method, too, which the window shows beside', async ({
  world,
}) => {
  const { page } = world.app
  await openSecurity(page, world.service, 'legacy', { twoFactorMethods: [{ method: 'totp' }] })
  await expect(page.getByText('On (legacy)')).toBeVisible()
  await expect(methods(page)).toHaveCount(1)
  await expect(button(page, 'Upgrade 2FA')).toHaveCount(0)
  await expect(button(page, 'New backup codes')).toBeVisible()
  await button(page, 'Remove').click()
  await expect(page.getByText('For a legacy account')).toBeVisible()
  expect(await findings(page)).toEqual([])
})
