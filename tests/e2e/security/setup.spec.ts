import { expect, test } from '@playwright/test'
import { findings } from '../support/axe.ts'
import { inOneApp } from '../support/one-app.ts'
import {
  askAgain,
  button,
  code,
  declineCodes,
  enrollTotp,
  methods,
  openSecurity,
  otherNumber,
  ownNumber,
  panel,
  totp,
  verifyBy,
  verifyBySent,
} from '../support/security-actions.ts'

const app = inOneApp()

test('the first method is an authenticator app: permission, secret, codes, done', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service)
  await expect(page.getByText('Anyone who knows your password can sign in')).toBeVisible()
  const rail = page.getByRole('link', { name: 'Security' })
  await expect(rail).toHaveAccessibleDescription('has recommendations')
  expect(await findings(page), 'off').toEqual([])

  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Authenticator app').click()
  const flow = panel(page, 'Set up an authenticator app')
  await expect(flow.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveText([
    /Verify/,
    /Set up/,
    /Save codes/,
    /Done/,
  ])
  await expect(button(page, 'Send code')).toBeFocused()
  await button(page, 'Send code').click()
  await expect(code(page)).toBeFocused()
  await expect(page.getByText(/The code expires in (10:00|9:\d\d)/)).toBeVisible()
  expect(await findings(page), 'verify').toEqual([])
  const sent = owner.lastCode('email')
  await verifyBy(page, `${sent.slice(0, 3)} ${sent.slice(3)}`)

  await expect(page.getByRole('img', { name: 'QR code of the new secret' })).toBeVisible()
  const kept = page.getByRole('list', { name: 'One-time passwords' }).getByRole('listitem')
  await expect(kept).toContainText('Not confirmed')
  expect(await findings(page), 'enrol').toEqual([])
  // A code of something else is told apart here, and is not sent.
  owner.requests()
  await verifyBy(page, '000000')
  await expect(page.getByText('The code doesn’t match the secret above')).toBeVisible()
  await expect(code(page)).toHaveValue('000000')
  expect(owner.requests()).toEqual([])
  const secret = await enrollTotp(page, service)

  const codes = page.getByRole('list', { name: 'New codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expect(button(page, 'Cancel')).toHaveCount(0)
  await expect(button(page, 'Continue')).toBeDisabled()
  await expect(rail).toHaveAccessibleDescription('2FA step unfinished')
  expect(await findings(page), 'save codes').toEqual([])
  await flow.getByRole('button', { name: 'Copy all' }).click()
  await expect(page.getByText('Codes copied')).toBeVisible()
  await button(page, 'Continue').click()
  await expect(flow.getByText('“Authenticator” is set up')).toBeVisible()
  expect(await findings(page), 'done').toEqual([])
  await button(page, 'Close').click()
  await expect(flow).toHaveCount(0)

  await expect(methods(page)).toHaveCount(1)
  await expect(methods(page)).toContainText('Primary')
  await expect(methods(page)).toContainText('In your vault')
  await expect(kept).not.toContainText('Not confirmed')
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expect(page.getByText(/without verifying again for (30:00|2[5-9]:\d\d)/)).toBeVisible()
  expect(secret.length).toBeGreaterThanOrEqual(16)
  expect(await findings(page), 'on').toEqual([])
})

test('the first method is a phone number, then an authenticator, a label, another primary', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service)
  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Text message (SMS)').click()
  await verifyBySent(page, owner, 'email')
  const number = page.getByLabel('Phone number')
  await expect(number).toBeFocused()
  await number.fill('202 555')
  await button(page, 'Send code').click()
  await expect(page.getByText('Invalid phone number')).toBeVisible()
  await expect(number).toHaveValue('202 555')
  await number.fill('+1 (202) 555-0148')
  await verifyBySent(page, owner, 'sms')
  await declineCodes(page)
  await expect(page.getByText('“SMS” is set up')).toBeVisible()
  await button(page, 'Close').click()
  await expect(methods(page)).toContainText(ownNumber.slice(-2))

  // The window is open: nothing is to be verified again.
  await button(page, 'Set up an authenticator app').click()
  const label = page.getByLabel('Label')
  await label.fill('x'.repeat(31))
  await verifyBy(page, '000000')
  await expect(label).toHaveAccessibleDescription(/at most 30 characters/)
  await expect(label).toBeFocused()
  await label.fill('Desk')
  await enrollTotp(page, service)
  await expect(page.getByText('“Desk” is set up')).toBeVisible()
  await button(page, 'Close').click()
  await expect(methods(page)).toHaveCount(2)

  const desk = methods(page).filter({ hasText: 'Desk' })
  await desk.getByRole('button', { name: 'Make primary' }).click()
  await expect(methods(page).first()).toContainText('Desk')
  await desk.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Label').fill('Laptop')
  await button(page, 'Save').click()
  await expect(methods(page).first()).toContainText('Laptop')
  expect(await findings(page), 'two methods').toEqual([])
})

test('a second number, permitted by a backup code of the vault', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service)
  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Authenticator app').click()
  await verifyBySent(page, owner, 'email')
  await enrollTotp(page, service)
  await declineCodes(page)
  await button(page, 'Close').click()
  await service.clock.advance(31 * 60)
  await askAgain(page)
  await expect(page.getByText('without verifying again')).toHaveCount(0)

  await button(page, 'Add a method').click()
  await button(page, 'Text message (SMS)').click()
  await button(page, 'Use a backup code').click()
  await expect(code(page)).toBeFocused()
  await button(page, 'Use stored code').click()
  await page.getByLabel('Phone number').fill(otherNumber)
  await verifyBySent(page, owner, 'sms')
  await expect(page.getByText('“SMS” is set up')).toBeVisible()
  await button(page, 'Close').click()
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  await expect(methods(page)).toHaveCount(2)
})

test('hidden secrets leave the page, and what was begun goes on after a reload', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service)
  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Authenticator app').click()
  await verifyBySent(page, owner, 'email')
  const key = page.getByLabel('Key', { exact: true })
  const secret = (await key.innerText()).replaceAll(/\s/g, '')
  await button(page, 'Hide').click()
  await expect(button(page, 'Show secret')).toBeVisible()
  const shown = new RegExp(`${secret.slice(0, 4)}\\s*${secret.slice(4, 8)}`)
  await expect.poll(() => page.content()).not.toMatch(shown)
  await page.reload()
  await button(page, 'Show secret').click()
  await expect(key).toHaveText(new RegExp(secret.slice(0, 4)))
  owner.requests()
  await verifyBy(page, totp(service, secret))
  await expect(button(page, 'Continue without saving')).toBeVisible()
  // The secret was made once, and is the one that was confirmed.
  expect(owner.requests()).toEqual(['POST tfa/confirm-new/'])
})
