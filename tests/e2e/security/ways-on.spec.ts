import { expect, test, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { keychainEntries } from '../support/keychain-entries.ts'
import { inOneApp } from '../support/one-app.ts'
import {
  askAgain,
  beginFirstTotp,
  button,
  chooseBackupCode,
  code,
  declineCodes,
  enrollTotp,
  freshTotp,
  methods,
  openSecurity,
  otherNumber,
  ownNumber,
  totp,
  totpSecret,
  verifyBy,
  verifyBySent,
} from '../support/security-actions.ts'
import { add, both, byTotp, choose, newNumber, send, sent, smsId } from '../support/security-scene.ts'
import { startWorld, type World } from '../support/world.ts'

/** Ways on from what was refused, gone to their end. */

const key = (page: Page) => page.getByLabel('Key', { exact: true })

const noKeychain = 'No keychain available'

test.describe('in one app, with an account and a window for each test', () => {
  const app = inOneApp()

  test('a code of a phone whose clock is wrong is not sent, unless it is to be all the same', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service)
    await beginFirstTotp(page, owner)
    const secret = (await key(page).innerText()).replaceAll(/\s/g, '')
    owner.requests()
    const epoch = Math.floor(service.clock.now() / 1000) + 300
    const early = generateSync({ secret, epoch })
    await verifyBy(page, early)
    const notice = page.getByRole('alert').filter({ hasText: 'Your authenticator’s clock is wrong' })
    await expect(notice).toContainText(/is (4|5) min ahead/)
    expect(owner.requests()).toEqual([])
    await expect(code(page)).toHaveValue(early)
    await button(page, 'Send anyway').click()
    await expect(page.getByRole('alert').filter({ hasText: 'Code not accepted' })).toBeVisible()
    expect(owner.requests()).toEqual(['POST tfa/confirm-new/'])
    await expect(code(page)).toHaveValue(early)
    await verifyBy(page, totp(service, secret))
    await expect(button(page, 'Continue without saving')).toBeVisible()
    await button(page, 'Copy all').click()
    await button(page, 'Continue').click()
    await button(page, 'Close').click()
  })

  test('SMS that were switched off for fraud are there again once support has cleared it', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, ...both)
    const scene = { page, service, owner }
    await newNumber(scene, otherNumber)
    service.twoFactor.happenTo(owner.key, { sms_fraud: true })
    await send(scene)
    await expect(page.getByText('SMS is off for your account').first()).toBeVisible()
    await button(page, 'Close').click()
    // Hidden everywhere: where one logs in, too.
    await button(page, 'Sign in').click()
    await expect(page.getByRole('radio', { name: /Phone/ })).toBeDisabled()
    await button(page, 'Cancel').click()

    service.twoFactor.happenTo(owner.key, { sms_fraud: false })
    await button(page, 'Add a method').click()
    await expect(button(page, 'Text message (SMS)')).toBeDisabled()
    await button(page, 'Allow SMS again').click()
    await button(page, 'Text message (SMS)').click()
    await page.getByLabel('Phone number').fill(otherNumber)
    await verifyBySent(page, owner, 'sms')
    await expect(page.getByText('“SMS” is set up')).toBeVisible()
    await button(page, 'Close').click()
    await expect(methods(page)).toHaveCount(3)
  })

  test('an admin with an unverified address may have an SMS sent, and sent again, but no permission by it', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, 'admin', {
      emailVerified: false,
      twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: ownNumber, label: 'Phone' }],
    })
    await button(page, 'Sign in').click()
    await expect(page.getByRole('radio', { name: /Email/ })).toBeDisabled()
    await choose(page, /Phone/)
    // Sent by another program: it is sent again.
    await owner.elsewhere('POST', 'sms/', { tfa_method_id: smsId(owner) })
    owner.requests()
    await verifyBySent(page, owner, 'sms')
    await expect(page.getByText('You’re signed in')).toBeVisible()
    expect(owner.requests()).toEqual(['POST tfa/sms/', 'POST tfa/sms/resend/', 'POST tfa/'])
    await button(page, 'Close').click()

    await add({ page, service, owner }, 'Text message (SMS)')
    await expect(page.getByRole('radio', { name: /Phone/ })).toBeDisabled()
    await expect(page.getByText('Your email address isn’t verified').first()).toBeVisible()
    await byTotp({ page, service, owner })
    // A new number is no matter of the permission: the exemption holds.
    await page.getByLabel('Phone number').fill(otherNumber)
    await send({ page, service, owner })
    await sent({ page, service, owner })
    await button(page, 'Cancel').click()
  })

  test('an admin with an unverified address cannot set up a first method, and nothing is asked', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, 'admin', { emailVerified: false })
    await button(page, 'Set up two-factor authentication').click()
    await button(page, 'Authenticator app').click()
    const notice = page.getByRole('alert').filter({ hasText: 'Your email address isn’t verified' })
    await expect(notice).toContainText('Verify it with the service')
    expect(owner.requests()).toEqual([])
  })

  test('the permission ended while a number was confirmed: the same SMS code goes once it is given again', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, ...both)
    const scene = { page, service, owner }
    await newNumber(scene, otherNumber)
    await service.clock.advance(25 * 60)
    await send(scene)
    await sent(scene)
    await service.clock.advance(6 * 60)
    owner.requests()
    await verifyBy(page, owner.lastCode('sms'))
    await expect(page.getByText('Permission to add a method ended')).toBeVisible()
    await byTotp(scene)
    await expect(page.getByText('“SMS” is set up')).toBeVisible()
    expect(owner.requests()).toEqual([
      'POST tfa/confirm-new/',
      'POST tfa/authorize-new-method/',
      'PUT tfa/authorize-new-method/',
      'POST tfa/confirm-new/',
    ])
    await button(page, 'Close').click()
    await expect(methods(page)).toHaveCount(3)
  })

  test('the permission ended while an authenticator was set up: the secret stays, and takes a fresh code', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, 'multi-sms')
    await button(page, 'Add a method').click()
    await button(page, 'Authenticator app').click()
    await chooseBackupCode(page)
    await verifyBy(page, owner.twoFactor.backup_codes[0] ?? '')
    const shown = await key(page).innerText()
    await service.clock.advance(31 * 60)
    // Its time has jumped; a reply tells it, and codes are checked by it.
    await askAgain(page)
    await expect(page.getByText('without verifying again')).toHaveCount(0)
    owner.requests()
    await enrollTotp(page, service)
    await expect(page.getByText('Permission to add a method ended')).toBeVisible()
    await chooseBackupCode(page)
    await verifyBy(page, owner.twoFactor.backup_codes[1] ?? '')
    await expect(key(page)).toHaveText(shown)
    await service.clock.advance(31)
    await askAgain(page)
    await enrollTotp(page, service)
    await expect(page.getByText('“Authenticator” is set up')).toBeVisible()
    expect(owner.requests()).toEqual([
      'POST tfa/confirm-new/',
      'POST tfa/authorize-new-method/',
      'POST tfa/confirm-new/',
    ])
    await button(page, 'Close').click()
  })
})

test.describe('with a keychain of its own', () => {
  let world: World
  test.beforeEach(async () => {
    world = await startWorld({ service: { offers: 1 } })
  })
  test.afterEach(() => world.end())

  test('a locked keychain: refused before the service has made anything, and on once it is open', async () => {
    const { service, keyring } = world
    const { page } = world.app
    const owner = await openSecurity(page, service, ...both)
    await keyring?.lock()
    for (const begin of [
      () => add({ page, service, owner }, 'Authenticator app'),
      () => button(page, 'New backup codes').click(),
    ]) {
      await begin()
      const notice = page.getByRole('alert').filter({ hasText: 'The keychain is locked' }).first()
      await expect(notice).toContainText('Unlock it')
      // That of the other one goes when this one begins.
      await expect(button(page, 'Try again')).toBeEnabled()
      await expect(page.getByRole('region', { name: /Set up|New backup codes/ })).toHaveCount(0)
      expect(owner.requests()).toEqual([])
    }
    await keyring?.unlock()
    await button(page, 'Try again').click()
    await button(page, 'Continue').click()
    // Locked in the middle: the old codes stay good.
    await keyring?.lock()
    await verifyBy(page, await freshTotp(service, totpSecret(owner)))
    await expect(page.getByRole('alert').filter({ hasText: 'The keychain is locked' }).first()).toBeVisible()
    expect(owner.requests()).toEqual([])
    await keyring?.unlock()
    await verifyBy(page, await freshTotp(service, totpSecret(owner)))
    await expect(button(page, 'Continue without saving')).toBeVisible()
    expect(owner.requests()).toEqual(['PUT tfa/regen-backup-codes/'])
  })

  test('a keychain that closes between the steps: nothing is made that cannot be kept, and it goes on once it is back', async () => {
    const { service, keyring } = world
    const { page } = world.app
    const owner = await openSecurity(page, service)
    await button(page, 'Set up two-factor authentication').click()
    await button(page, 'Authenticator app').click()
    await button(page, 'Send code').click()
    await expect(page.getByText('A code is on its way')).toBeVisible()
    owner.requests()
    await keyring?.lock()
    await verifyBy(page, owner.lastCode('email'))
    await expect(page.getByRole('alert').filter({ hasText: 'The keychain is locked' }).first()).toBeVisible()
    expect(owner.requests()).toEqual(['PUT tfa/authorize-new-method/'])

    // The permission is not lost.
    await keyring?.unlock()
    await button(page, 'Set up an authenticator app').first().click()
    await expect(page.getByLabel('Key', { exact: true })).toBeVisible()
    expect(owner.requests()).toEqual(['POST tfa/totp-setup/'])
    await keyring?.stopDaemon()
    await enrollTotp(page, service)
    await expect(page.getByRole('alert').filter({ hasText: noKeychain }).first()).toBeVisible()
    expect(owner.requests()).toEqual([])

    // A service that was started anew is found without a new start of Slipway.
    await keyring?.startDaemon()
    await button(page, 'Verify').click()
    await declineCodes(page)
    await button(page, 'Close').click()
    await expect(methods(page)).toContainText('In your vault')
    expect(owner.requests()).toEqual(['POST tfa/confirm-new/'])
    expect(
      [...(await keychainEntries(world)).keys()].filter((name) => /^(totp|backup)/.test(name)),
    ).toHaveLength(2)
  })
})
