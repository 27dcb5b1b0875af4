import type { Page } from '@playwright/test'
import { findings } from '../support/axe.ts'
import { keyboardOf, type Keyboard } from '../support/keyboard.ts'
import { keychainEntries } from '../support/keychain-entries.ts'
import { inOneApp } from '../support/one-app.ts'
import {
  askAgain,
  button,
  code,
  freshTotp,
  methods,
  openSecurity,
  ownNumber,
  otherNumber,
  totp,
  totpSecret,
  verifyByPhone,
} from '../support/security-actions.ts'
import { both } from '../support/security-scene.ts'
import { expect, test } from '../support/world-test.ts'

/** Every procedure without a mouse, and what axe finds on its steps. */

test.use({ account: 'none', worldOptions: { service: { offers: 1 } } })

test.describe('in one app, with an account and a window for each test', () => {
  const app = inOneApp()

  test('log in by a refused code, a fresh one, SMS, e-mail and a backup code, which is a permission as well', async () => {
    const { page, service } = app
    const keyboard = keyboardOf(page)
    const { press, go } = keyboard
    const owner = await openSecurity(page, service, ...both)

    // What was pressed has the keyboard again when its work is done.
    const ask = button(page, 'Refresh 2FA status')
    const asked = () => service.journal().filter(({ path }) => path === '/api/v0/tfa/status/').length
    await expect(ask).toBeEnabled()
    const askedBefore = asked()
    await go(ask)
    await expect.poll(asked).toBeGreaterThan(askedBefore)
    await expect(ask).toBeEnabled()
    await expect(ask).toBeFocused()

    await go(button(page, 'Sign in'))
    await expect(code(page)).toBeFocused()
    expect(await findings(page), 'log in').toEqual([])
    const fresh = await freshTotp(service, totpSecret(owner))
    await page.keyboard.type(fresh === '000000' ? '111111' : '000000')
    await press('Enter')
    await expect(page.getByText('1 failed attempt so far')).toBeVisible()
    await expect(button(page, 'Verify')).toBeEnabled()
    await expect(code(page)).toBeFocused()
    expect(await findings(page), 'a refusal').toEqual([])
    // What was typed is selected: typing replaces it.
    await page.keyboard.type(fresh)
    await press('Enter')
    await leaveAndEndSession()

    for (const [way, channel] of [
      [/Phone/, 'sms'],
      [/Email/, 'email'],
    ] as const) {
      await go(button(page, 'Sign in'))
      await expect(code(page)).toBeFocused()
      await chooseWay(page, keyboard, way)
      await go(button(page, 'Send code'))
      await expect(page.getByText('A code is on its way')).toBeVisible()
      await expect(code(page)).toBeFocused()
      await page.keyboard.type(owner.lastCode(channel))
      await press('Enter')
      await leaveAndEndSession()
    }

    await go(button(page, 'Sign in'))
    await expect(code(page)).toBeFocused()
    await go(button(page, 'Use a backup code'))
    await expect(code(page)).toBeFocused()
    await page.keyboard.type((owner.twoFactor.backup_codes[0] ?? '').toLowerCase())
    await press('Enter')
    await expect(page.getByText('9 backup codes are left')).toBeVisible()
    await leaveAndEndSession()
    expect(owner.requests().filter((each) => each === 'POST tfa/')).toHaveLength(5)

    await go(button(page, 'Add a method'))
    await go(button(page, 'Text message (SMS)'))
    await expect(code(page)).toBeFocused()
    await go(button(page, 'Use a backup code'))
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(owner.twoFactor.backup_codes[1] ?? '')
    await press('Enter')
    await expect(page.getByLabel('Phone number')).toBeFocused()

    async function leaveAndEndSession(): Promise<void> {
      await expect(page.getByText('You’re signed in')).toBeVisible()
      await expect(button(page, 'Close')).toBeFocused()
      await press('Enter')
      await go(button(page, 'End session'))
      await expect(button(page, 'Sign in')).toBeVisible()
    }
  })

  test('a phone as second method and as the first: permission, number, code; label, primary; removal, also of the last', async () => {
    const { page, service } = app
    const { press, go, type } = keyboardOf(page)
    const owner = await openSecurity(page, service, 'default', { twoFactorMethods: [{ method: 'totp' }] })
    const dialog = page.getByRole('dialog')

    await go(button(page, 'Add a method'))
    await expect(dialog).toBeVisible()
    await go(button(page, 'Text message (SMS)'))
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(await freshTotp(service, totpSecret(owner)))
    await press('Enter')
    await expect(page.getByLabel('Phone number')).toBeFocused()
    await page.keyboard.type(otherNumber)
    await press('Enter')
    await expect(page.getByText('A code is on its way')).toBeVisible()
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(owner.lastCode('sms'))
    await type(page.getByLabel('Label', { exact: true }), 'Phone')
    await press('Enter')
    await expect(page.getByText('“Phone” is set up')).toBeVisible()
    await go(button(page, 'Close'))
    const phone = methods(page).filter({ hasText: 'Phone' })

    await go(phone.getByRole('button', { name: 'Rename' }))
    await expect(page.getByLabel('Label', { exact: true })).toBeFocused()
    await page.keyboard.type('Mobile')
    await press('Enter')
    await expect(dialog).toHaveCount(0)
    const mobile = methods(page).filter({ hasText: 'Mobile' })
    await expect(mobile.getByRole('button', { name: 'Rename' })).toBeFocused()

    await go(mobile.getByRole('button', { name: 'Make primary' }))
    await expect(mobile.getByText('Primary', { exact: true })).toBeVisible()

    await go(mobile.getByRole('button', { name: 'Remove' }))
    await expect(button(page, 'Continue')).toBeFocused()
    await press('Enter')
    await verifyByPhone(page, owner)
    await expect(page.getByText('Method removed', { exact: true })).toBeVisible()
    await go(button(page, 'Close'))
    await expect(methods(page)).toHaveCount(1)

    await go(methods(page).getByRole('button', { name: 'Remove' }))
    await expect(page.getByLabel('Type “turn off”')).toBeFocused()
    expect(await findings(page), 'removing the last').toEqual([])
    await expect(button(page, 'Continue')).toBeDisabled()
    await page.keyboard.type('turn off')
    await press('Enter')
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(await freshTotp(service, totpSecret(owner)))
    await press('Enter')
    await expect(page.getByText('Two-factor authentication is off')).toBeVisible()
    await go(button(page, 'Close'))

    await go(button(page, 'Set up two-factor authentication'))
    await go(button(page, 'Text message (SMS)'))
    // Methods may still be added without verifying again.
    await expect(page.getByLabel('Phone number')).toBeFocused()
    await page.keyboard.type(ownNumber)
    await press('Enter')
    await expect(page.getByText('A code is on its way')).toBeVisible()
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(owner.lastCode('sms'))
    await press('Enter')
    await go(button(page, 'Copy all'))
    await expect(button(page, 'Continue')).toBeFocused()
    await press('Enter')
    await expect(page.getByText('“SMS” is set up')).toBeVisible()
    await go(button(page, 'Close'))
    await expect(methods(page)).toHaveCount(1)
  })

  test('new backup codes, and some whose reply is lost', async () => {
    const { page, service } = app
    const { press, go, tabTo } = keyboardOf(page)
    const owner = await openSecurity(page, service, ...both)
    await go(button(page, 'New backup codes'))
    await expect(button(page, 'Continue')).toBeFocused()
    await expect(page.getByText('All old codes stop working')).toBeVisible()
    expect(await findings(page), 'regenerate').toEqual([])
    await press('Enter')
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(await freshTotp(service, totpSecret(owner)))
    await press('Enter')
    const codes = page.getByRole('list', { name: 'New codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    // Neither Escape nor a reload takes them away.
    await press('Escape')
    await page.reload()
    await expect(codes).toHaveCount(10)
    await go(button(page, 'Copy all'))
    await expect(button(page, 'Continue')).toBeFocused()
    await press('Enter')
    await expect(page.getByText('New backup codes created')).toBeVisible()
    await expect(button(page, 'Close')).toBeFocused()
    await press('Enter')

    await go(button(page, 'New backup codes'))
    await expect(button(page, 'Continue')).toBeFocused()
    await press('Enter')
    await expect(code(page)).toBeFocused()
    service.faults.add({ kind: 'reset-after', path: '/api/v0/tfa/regen-backup-codes/' })
    await page.keyboard.type(await freshTotp(service, totpSecret(owner)))
    await press('Enter')
    await expect(page.getByText('No reply when creating backup codes')).toBeVisible()
    expect(await findings(page), 'stopped').toEqual([])
    await go(button(page, 'Close'))
    await expect(page.getByText('Your backup codes may no longer work')).toBeVisible()
    expect(await findings(page), 'unfinished').toEqual([])
    await tabTo(button(page, 'Create new codes').first())
  })
})

test('an admin: an authenticator as second method, another one refused, a session by a stored code, and its end while the keychain is locked', async ({
  world,
}) => {
  const { service, keyring } = world
  const { page } = world.app
  const keyboard = keyboardOf(page)
  const { press, go, type } = keyboard
  const owner = await openSecurity(page, service, 'admin', {
    twoFactorMethods: [{ method: 'sms', phone_number: ownNumber, label: 'Phone' }],
  })
  const entries = page.getByRole('list', { name: 'One-time passwords' }).getByRole('listitem')

  await go(button(page, 'Add a method'))
  await go(button(page, 'Authenticator app'))
  await verifyByPhone(page, owner)
  await enroll('Laptop')
  await expect(page.getByText('“Laptop” is set up')).toBeVisible()
  await go(button(page, 'Close'))
  await expect(methods(page)).toHaveCount(2)

  // Methods may still be added without verifying again, but not two of one kind.
  await go(button(page, 'Add a method'))
  await go(button(page, 'Authenticator app'))
  await enroll('Tablet')
  await expect(page.getByText('Already set up')).toBeVisible()
  await expect(button(page, 'Remove and set up again')).toBeFocused()
  await go(button(page, 'Close'))
  await expect(entries).toHaveCount(2)
  await go(entries.filter({ hasText: 'No longer used' }).getByRole('button', { name: /^Remove/ }))
  await go(button(page, 'Remove for good'))
  await expect(entries).toHaveCount(1)

  // A code is good once; nobody waits here for the next one.
  await service.clock.advance(75)
  await askAgain(page)
  await go(button(page, 'Sign in as admin'))
  await expect(button(page, 'Send code')).toBeFocused()
  await chooseWay(page, keyboard, /Laptop/)
  await go(button(page, 'Use stored code'))
  await expect(page.getByText('You’re signed in as admin')).toBeVisible()
  await expect(button(page, 'Close')).toBeFocused()
  await press('Enter')

  const sessions = async () =>
    [...(await keychainEntries(world)).keys()].filter((name) => name.startsWith('session/'))
  await expect.poll(sessions).toHaveLength(1)
  await keyring?.lock()
  await go(button(page, 'End session'))
  await expect(button(page, 'Sign in as admin')).toBeVisible()
  await expect(page.getByText('The keychain was closed when you ended the last session')).toBeVisible()
  expect(await findings(page), 'ended with a keychain that is locked').toEqual([])
  await keyring?.unlock()
  await go(button(page, 'Check again'))
  await expect(page.getByText('The keychain was closed when you ended the last session')).toHaveCount(0)
  await expect.poll(sessions).toEqual([])

  async function enroll(label: string): Promise<void> {
    const key = page.getByLabel('Key', { exact: true })
    await expect(key).toBeVisible()
    const secret = (await key.innerText()).replaceAll(/\s/g, '')
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(totp(service, secret))
    await type(page.getByLabel('Label', { exact: true }), label)
    await press('Enter')
  }
})

/** The ways are one stop of the keyboard; arrow keys walk through them. */
async function chooseWay(page: Page, { press, tabTo }: Keyboard, way: RegExp): Promise<void> {
  const chosen = page.getByRole('radio', { checked: true })
  await tabTo(chosen, 'Shift+Tab')
  while (!(await page.getByRole('radio', { name: way }).isChecked())) {
    const before = await chosen.inputValue()
    await press('ArrowDown')
    await expect(chosen).not.toHaveValue(before)
  }
  await expect(page.getByRole('radio', { name: way })).toBeFocused()
}
